import { describe, expect, test } from 'vitest';
import { createAddJyutping } from './add-jyutping.ts';

const read = createAddJyutping();
const readingOf = (text: string) =>
  read([{ written: text, language: 'cantonese', spokenForm: text, reading: [] }], false)
    .flatMap(({ reading }) => reading)
    .join(' ');

type Row = readonly [text: string, reading: string];

/** Everyday phrases whose reading depends on their neighbors, as native speakers say them. */
const ROWS: Readonly<Record<string, readonly Row[]>> = {
  '咁 is "like this, then"': [
    ['咁呀', 'gam2 aa3'],
    ['咁囉', 'gam2 lo1'],
    ['咁㗎', 'gam2 gaa3'],
    ['咁嘅人', 'gam2 ge3 jan4'],
    ['咁嘅話', 'gam2 ge3 waa6'],
    ['你咁講', 'nei5 gam2 gong2'],
    ['你咁做', 'nei5 gam2 zou6'],
    ['點會咁㗎', 'dim2 wui5 gam2 gaa3'],
    ['好似咁', 'hou2 ci5 gam2'],
    ['咁聽日見', 'gam2 ting1 jat6 gin3'],
    ['咁所以', 'gam2 so2 ji5'],
    ['咁但係', 'gam2 daan6 hai6'],
    ['咁可能', 'gam2 ho2 nang4'],
    ['咁邊個去', 'gam2 bin1 go3 heoi3'],
    ['咁大家', 'gam2 daai6 gaa1'],
    ['咁好似', 'gam2 hou2 ci5'],
    ['咁舊年', 'gam2 gau6 nin2'],
    ['咁得啦', 'gam2 dak1 laa1'],
  ],
  '咁 is "so"': [
    ['咁多人', 'gam3 do1 jan4'],
    ['好似花咁靚', 'hou2 ci5 faa1 gam3 leng3'],
    ['咁鍾意', 'gam3 zung1 ji3'],
    ['咁啱', 'gam3 ngaam1'],
    ['差唔多咁滯', 'caa1 m4 do1 gam3 zai6'],
    ['咁得意', 'gam3 dak1 ji3'],
    ['唔使咁緊張', 'm4 sai2 gam3 gan2 zoeng1'],
    ['有冇咁誇張', 'jau5 mou5 gam3 kwaa1 zoeng1'],
    ['講得咁絕對', 'gong2 dak1 gam3 zyut6 deoi3'],
    ['佢冇咁好', 'keoi5 mou5 gam3 hou2'],
  ],
  '到 is "to succeed in"': [
    ['幫到你', 'bong1 dou2 nei5'],
    ['拍到相', 'paak3 dou2 soeng2'],
    ['搭到車', 'daap3 dou2 ce1'],
    ['過到關', 'gwo3 dou2 gwaan1'],
    ['開到門', 'hoi1 dou2 mun4'],
    ['感受到', 'gam2 sau6 dou2'],
    ['留意到', 'lau4 ji3 dou2'],
    ['影響到你', 'jing2 hoeng2 dou2 nei5'],
    ['聯絡到佢', 'lyun4 lok3 dou2 keoi5'],
    ['換到新嘅', 'wun6 dou2 san1 ge3'],
    ['退到錢', 'teoi3 dou2 cin2'],
  ],
  '到 is "until, to"': [
    ['玩到夜晚', 'waan2 dou3 je6 maan5'],
    ['搞到好亂', 'gaau2 dou3 hou2 lyun6'],
    ['行到公園', 'haang4 dou3 gung1 jyun2'],
    ['約到聽日', 'joek3 dou3 ting1 jat6'],
    ['入到去', 'jap6 dou3 heoi3'],
    ['直接到公司', 'zik6 zip3 dou3 gung1 si1'],
    ['退到後面', 'teoi3 dou3 hau6 min6'],
  ],
  '上 is "to get on, to go to"': [
    ['上船', 'soeng5 syun4'],
    ['上巴士', 'soeng5 baa1 si2'],
    ['上廁所', 'soeng5 ci3 so2'],
    ['上傳', 'soeng5 cyun4'],
    ['上菜', 'soeng5 coi3'],
    ['上熱搜', 'soeng5 jit6 sau2'],
    ['上法庭', 'soeng5 faat3 ting4'],
    ['追得上', 'zeoi1 dak1 soeng5'],
    ['枱上菜', 'toi2 soeng6 coi3'],
    ['社會上傳統', 'se5 wui2 soeng6 cyun4 tung2'],
    ['網上雜誌', 'mong5 soeng6 zaap6 zi3'],
  ],
  'mornings and shifts': [
    ['由朝到晚', 'jau4 ziu1 dou3 maan5'],
    ['每朝', 'mui5 ziu1'],
    ['朝九晚六', 'ziu1 gau2 maan5 luk6'],
    ['朝代', 'ciu4 doi6'],
    ['返夜更', 'faan1 je6 gaang1'],
    ['通宵更', 'tung1 siu1 gaang1'],
    ['轉更', 'zyun3 gaang1'],
    ['更表', 'gaang1 biu2'],
    ['更加好', 'gang3 gaa1 hou2'],
    ['今晚更多人', 'gam1 maan5 gang3 do1 jan4'],
  ],
  'to measure': [
    ['度下尺寸', 'dok6 haa5 cek3 cyun3'],
    ['度到條橋', 'dok6 dou2 tiu4 kiu4'],
    ['度期', 'dok6 kei4'],
    ['度好時間', 'dok6 hou2 si4 gaan3'],
    ['喺呢度好時間', 'hai2 ni1 dou6 hou2 si4 gaan3'],
    ['制度期間', 'zai3 dou6 kei4 gaan1'],
    ['今日幾度', 'gam1 jat6 gei2 dou6'],
  ],
  'near, and to treat as': [
    ['好近囉', 'hou2 kan5 lo1'],
    ['好近公司', 'hou2 kan5 gung1 si1'],
    ['最近好忙', 'zeoi3 gan6 hou2 mong4'],
    ['當冇事發生', 'dong3 mou5 si6 faat3 sang1'],
    ['當我冇講過', 'dong3 ngo5 mou5 gong2 gwo3'],
    ['佢當我透明', 'keoi5 dong3 ngo5 tau3 ming4'],
    ['當你去到', 'dong1 nei5 heoi3 dou3'],
    ['當我冇錢嗰陣', 'dong1 ngo5 mou5 cin2 go2 zan6'],
  ],
  'to book': [
    ['訂飛', 'deng6 fei1'],
    ['訂唔到位', 'deng6 m4 dou2 wai2'],
    ['訂單', 'deng6 daan1'],
    ['訂立', 'ding3 laap6'],
    ['修訂', 'sau1 ding3'],
  ],
  'firms and trades': [
    ['地產行', 'dei6 caan2 hong2'],
    ['金行', 'gam1 hong2'],
    ['裝修行', 'zong1 sau1 hong4'],
    ['基金行政', 'gei1 gam1 hang4 zing3'],
  ],
  'changed tones of nouns': [
    ['租房', 'zou1 fong2'],
    ['酒店房', 'zau2 dim3 fong2'],
    ['酒店房間', 'zau2 dim3 fong4 gaan1'],
    ['收樓', 'sau1 lau2'],
    ['舊樓宇', 'gau6 lau4 jyu5'],
    ['大女', 'daai6 neoi2'],
    ['大頭相', 'daai6 tau4 soeng2'],
    ['好多相', 'hou2 do1 soeng2'],
    ['好多相似', 'hou2 do1 soeng1 ci5'],
    ['開業主會', 'hoi1 jip6 zyu2 wui2'],
    ['業主會加租', 'jip6 zyu2 wui5 gaa1 zou1'],
    ['上咗畫', 'soeng5 zo2 waa2'],
    ['有魚食', 'jau5 jyu2 sik6'],
  ],
  words: [
    ['翟先生', 'zaak6 sin1 saang1'],
    ['新冠疫情', 'san1 gun1 jik6 cing4'],
    ['新冠軍', 'san1 gun3 gwan1'],
    ['校鬧鐘', 'gaau3 naau6 zung1'],
    ['學校鐘樓', 'hok6 haau6 zung1 lau4'],
    ['便當', 'bin6 dong1'],
    ['食便當', 'sik6 bin6 dong1'],
    ['流行樂', 'lau4 hang4 ngok6'],
  ],
};

describe.each(Object.entries(ROWS))('%s', (_, rows) => {
  test.each(rows)('%s is read %s', (text, reading) => {
    expect(readingOf(text)).toBe(reading);
  });
});
