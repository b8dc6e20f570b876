import { expect, it } from 'vitest';
import { readTarget } from '@jyutsing/text/pronunciation/read-target';
import { chooseWordings } from './choose-wordings.ts';

/** A text, what was recognized, and the text of the chosen units; `-`: the usual ones. */
const CANTONESE = [
  ['佢今年23歲', 'keoi5 gam1 nin4 ji6 sap6 saam1 seoi3', '-'],
  ['佢今年23歲', 'keoi5 gam1 nin4 jaa6 saam1 seoi3', '佢今年廿三歲'],
  ['23歲同35歲', 'ji6 sap6 saam1 seoi3 tung4 saa1 ng5 seoi3', '二十三歲同卅五歲'],
  ['2:30開會，200蚊', 'loeng5 dim2 saam1 sap6 fan1 hoi1 wui2 loeng5 baak3 man1', '兩點三十分開會兩百蚊'],
  ['要2.5公斤', 'jiu3 loeng5 gung1 gan1 bun3', '要兩公斤半'],
  ['5/12交功課', 'ng5 jyut6 sap6 ji6 hou6 gaau1 gung1 fo3', '五月十二號交功課'],
  // Other numbers are mistakes, and so is everything else.
  ['佢今年23歲', 'keoi5 gam1 nin4 sei3 sap6 baat3 seoi3', '-'],
  ['一共200蚊', 'jat1 gung6 cat1 baak3 man1', '-'],
  ['我哋去食飯', 'ngo5 dei6 heoi3 jam2 caa4', '-'],
  ['8:45開會', 'baat3 dim2 saam1 go3 gwat1 hoi1 wui2', '八點三個骨開會'],
  ['10月1日放假', 'sap6 jyut6 jat1 hou6 fong3 gaa3', '十月一號放假'],
  ['佢今年23歲', '', '-'],
] as const;

const MANDARIN = [
  ['一共200人', 'yi2 gong4 er4 bai3 ren2', '一共二百人'],
  ['8:15上课', 'ba1 dian3 yi2 ke4 shang4 ke4', '八点一刻上课'],
  ['来了2个人', 'lai2 le5 lia3 ren2', '来了俩人'],
  ['坐101路', 'zuo4 yi1 ling2 yi1 lu4', '坐一零一路'],
  ['门票￥99', 'men2 piao4 jiu3 shi2 jiu3 yuan2', '门票九十九元'],
  ['要2000块', 'yao4 ao4 qian1 kuai4', '要二千块'],
  ['一共12000人', 'yi2 gong4 yi2 wan4 yang3 qian1 ren2', '一共一万两千人'],
  ['10月1日放假', 'shi2 yue4 yi1 hao4 fang4 jia4', '十月一号放假'],
  ['一共200人', 'yi2 gong4 san1 bai3 ren2', '-'],
] as const;

const ENGLISH = [
  ['We start at 9:30.', 'W IY S T AA R T AE T HH AE F P AE S T N AY N', 'We start at half past nine'],
  // As a voice was heard.
  ['We start at 9:30.', 'W IY S T AO D AX HH AE V P AE Z N OW M', 'We start at half past nine'],
  ['It costs $5.50.', 'IH K AA S T AY D OW L ER Z AE N D T IH T IY S EH N S', 'It costs five dollars and fifty cents'],
  ['Pay $12.50 now', 'P EY T W EH L V F IH F T IY N AW', 'Pay twelve fifty now'],
  ['We start at 9:30.', 'W IY S T AA R T AE T N AY N TH ER T IY', '-'],
  ['We start at 9:30.', 'W IY G OW HH OW M', '-'],
  ['We start at 9:30.', 'W IY S T AA R T AE T HH AE F P AE S T T EH N', '-'],
  ['Pay $12.50 now', 'P EY TH ER T IY N F IH F T IY N AW', '-'],
] as const;

const ROWS = [
  ...CANTONESE.map((row) => ['cantonese', ...row] as const),
  ...MANDARIN.map((row) => ['mandarin', ...row] as const),
  ...ENGLISH.map((row) => ['english', ...row] as const),
];

it.each(ROWS)('%s: %s, %s: %s', async (language, text, recognized, expected) => {
  const target = await readTarget(text, language);
  const chosen = chooseWordings(target, recognized.split(' ').filter(Boolean));
  const words = chosen?.units.map((unit) => unit.text).join(language === 'english' ? ' ' : '');
  expect(words ?? '-').toBe(expected);
});
