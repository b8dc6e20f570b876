import { expect, test } from 'vitest';
import { parseSyllable, pronunciationVariants } from '#text/syllables/jyutping.ts';
import { readTarget } from '#text/pronunciation/read-target.ts';
import { rowsOf, spokenSyllables } from '#test/pronunciation-targets.ts';

const spoken = (text: string) => spokenSyllables(text, 'cantonese');

/** Text and expected units. The first reading is the one in context. */
const TEXTS = `
你好: nei5 hou2
香港: hoeng1 gong2
行: haang4/hang4/hong4
行，長: haang4/hang4/hong4 | coeng4/zoeng2
銀行: ngan4 hong4
步行: bou6 hang4
行為: hang4 wai4
我行街: ngo5 haang4 gaai1
長: coeng4/zoeng2
長大: zoeng2 daai6
一字長蛇陣: jat1 zi6 coeng4 se4 zan6
生: saang1/sang1
學生: hok6 saang1/sang1
生命: sang1/saang1 ming6
女: neoi5/neoi2
仔女: zai2 neoi2/neoi5
樓: lau4/lau2
相: soeng1/soeng2/soeng3
影相: jing2 soeng2
首相: sau2 soeng3
廿: jaa6/je6
體重: tai2 cung5
重新: cung4 san1
重要: zung6 jiu3
中獎: zung3 zoeng2
朝早: ziu1 zou2
朝代: ciu4 doi6
調查: diu6/tiu4 caa4
調整: tiu4 zing2
分鐘: fan1 zung1
部分: bou6 fan6
正月: zing1 jyut6
好正: hou2 zeng3
公平: gung1 ping4
好平: hou2 peng4
音樂: jam1 ngok6
快樂: faai3 lok6
樂: lok6/ngok6
成家人去旅行: seng4/sing4 gaa1 jan4 heoi3 leoi5 hang4
數學: sou3 hok6
數錢: sou2 cin2
電話: din6 waa2
男人: naam4 jan2/jan4
出差: ceot1 caai1
乾隆: kin4 lung4
乾淨: gon1 zeng6/zing6
可惡: ho2 wu3
貿易: mau6 jik6
容易: jung4 ji6
瞓覺: fan3 gaau3
覺得: gok3 dak1
處理: cyu5/cyu2 lei5
係咯: hai6 lo3/lok3
新聞: san1 man4/man2
排長龍: paai4 coeng4/zoeng2 lung4
即使錢多: zik1 si2/sai2 cin2 do1
好處: hou2 cyu3
反省: faan2 sing2
油畫: jau4 waa2
尖沙咀: zim1 saa1 zeoi2
深水埗: sam1 seoi2 bou2
老陳: lou5 can2
呢個: ni1/nei1 go3
你呢: nei5 ne1
係呀？: hai6 aa4/aa3
𨋢: lip1
〇: ling4
2024: ji6 ling4 ji6 sei3
2026年: ji6 ling4 ji6 luk6 nin4
21歲: ji6/jaa6 sap6/aa6 jat1 seoi3
三十一號: saam1/saa1 sap6/aa6 jat1 hou6
$12: sap6 ji6 man1
12:30: sap6 ji6 dim2 bun3
50%: baak3 fan6 zi1 ng5 sap6
-5度: fu6 ng5 dou6/dok6
100萬: jat1 baak3 maan6
兩個: loeng5 go3
T恤: ti1 seot1
A餐: ei1 caan1
VIP房: wi1 aai1 pi1 fong2
X光: (X) gwong1
好OK啦: hou2 ou1 kei1 laa1
佢好nice: keoi5 hou2 (nice)
我有3個apple: ngo5 jau5 saam1 go3 (apple)
你好！😀再見，朋友: nei5 hou2 | zoi3 gin3 | pang4 jau5
**你好**: nei5 hou2
ＡＢＣ你好: ei1 bi1 si1 nei5 hou2
你好（nei5 hou2）: nei5 hou2
nei5 hou2: nei5 hou2
Nei5hou2, ngo5 hai6!: nei5 hou2 | ngo5 hai6
lei5 ou2: lei5 ou2
香港銀行: hoeng1 gong2 ngan4/ngan2 hong4
银行: ngan4 hong4
我们去银行: ngo5 mun4 heoi3 ngan4 hong4
头发: tau4 faat3
发展: faat3 zin2
面包: min6 baau1
两个人: loeng5 go3 jan4
皇后: wong4 hau6
公里: gung1 lei5
`;

test.each(rowsOf(TEXTS))('%s is read %s', async (text, expected) => {
  expect(await spoken(text)).toBe(expected);
});

test('characters are those of the request, numbers those of the spoken form', async () => {
  const { units } = await readTarget('我们有12个银行，OK？', 'cantonese');
  expect(units.map(({ text }) => text).join('')).toBe('我们有十二个银行OK');
});

test('every reading is a syllable, and none is a merger of another one', async () => {
  const text =
    '我哋聽日朝早九點半喺銅鑼灣地鐵站等，跟住去飲茶食點心，買三十五蚊嘅牛奶同埋藥，你話好唔好呀？女仔生病喇。';
  const target = await readTarget(text, 'cantonese');
  const readings = target.units.flatMap((unit) => (unit.kind === 'syllable' ? [unit.readings] : []));
  expect(readings.length).toBeGreaterThan(40);
  for (const unitReadings of readings) {
    expect(new Set(unitReadings).size).toBe(unitReadings.length);
    for (const reading of unitReadings) {
      expect(parseSyllable(reading)).not.toBeNull();
      expect(pronunciationVariants(reading).filter((lazy) => unitReadings.includes(lazy))).toEqual([]);
    }
  }
});

test('a wrong tone can fail: hardly any character of a sentence has three readings', async () => {
  const text = '香港係一個國際城市，有好多高樓大廈，亦都有好多山同海灘。市民放假鍾意行山，夏天去游水，冬天打邊爐。';
  const { units } = await readTarget(text, 'cantonese');
  const counts = units.flatMap((unit) => (unit.kind === 'syllable' ? [unit.readings.length] : []));
  expect(counts.reduce((sum, count) => sum + count, 0) / counts.length).toBeLessThan(1.15);
  expect(Math.max(...counts)).toBeLessThanOrEqual(3);
});

/** Texts with what educated speakers say beside the dictionary's reading. */
const VARIANTS =
  '媽媽 maa1 maa1, 爸爸 baa1 baa1, 哥哥 go1 go1, 弟弟 dai6 dai2, 塑膠袋 sok3 gaau1 doi2, 傍晚 bong6 maan5, 琴日 cam4 jat6, 尋日 kam4 jat6, 今晚 gam1 maan1, 今日 gam1 mat6, ' +
  '聽日 ting1 mat6, 而家 ji1 gaa1, 嗰陣時 go2 zan6 si2, 聚會 zeoi6 wui6, 會長 wui2 zoeng2, 宴會 jin3 wui6, 大使館 daai6 si2 gun2, 使命 si2 ming6, 違背 wai4 bui6, 由佢 jau4 keoi5, ' +
  '鹹魚 haam4 jyu4, 櫃台 gwai6 toi4, 坪洲 ping4 zau1, 網友 mong5 jau2, 糾正 dau2 zing3, 奴隸 nou4 lai6, 賄賂 fui2 lou6, 銘記 ming4 gei3, 飯盒 faan6 hap6, 捷徑 zit6 ging3, ' +
  '排行榜 paai4 hong4 bong2, 時間 si4 gaan1, 麻雀 maa4 zoek3, 提醒 tai4 sing2, 頭暈 tau4 wan6, ' +
  '今年 gam1 nin4, 網絡 mong5 lok6, 判斷 pun3 dyun6, 請坐 cing2 co5, 天使 tin1 si2, ' +
  '紅紅哋 hung4 hung4 dei2, 紅紅哋 hung4 hung2 dei2, 等一下 dang2 jat1 haa6, 慢慢行 maan6 maan6 haang4';

test('scoring accepts what educated speakers say beside the dictionary', async () => {
  const refused: string[] = [];
  for (const [text = '', ...syllables] of VARIANTS.split(', ').map((row) => row.split(' '))) {
    const { units } = await readTarget(text, 'cantonese');
    for (const [index, syllable] of syllables.entries()) {
      const unit = units[index];
      if (unit?.kind !== 'syllable' || !unit.readings.includes(syllable)) refused.push(`${text}: ${syllable}`);
    }
  }
  expect(refused).toEqual([]);
});
