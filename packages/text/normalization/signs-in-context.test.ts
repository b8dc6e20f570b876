import { expect, it } from 'vitest';
import type { Language } from '@jyutsing/contracts/transcript';
import { normalize } from './normalize.ts';
import { splitSentences } from './split-text.ts';

const spell = (text: string, language: Language) =>
  splitSentences(text, language)
    .map((piece) => normalize(piece, language)?.spokenForm.replace(/[。.]$/u, ''))
    .join(' / ');

/** How each language says a text; null: it is not written in that language. */
type Row = [text: string, cantonese: string | null, mandarin: string | null, english: string | null];

const ROWS: Readonly<Record<string, readonly Row[]>> = {
  'terms of formulas': [
    [
      'x²+3x-4=0',
      'X嘅二次方加三X減四等於零',
      'X的平方加三X减四等于零',
      'X squared plus three X minus four equals zero',
    ],
    [
      '3x² - 2x + 1 = 0',
      '三X嘅二次方減二X加一等於零',
      '三X的平方减二X加一等于零',
      'three X squared minus two X plus one equals zero',
    ],
    ['因式分解x²-9', '因式分解X嘅二次方減九', '因式分解X的平方减九', null],
    ['y=x³-2x', 'Y等於X嘅三次方減二X', 'Y等于X的立方减二X', null],
    ['y = 3x - 5', 'Y等於三X減五', 'Y等于三X减五', 'Y equals three X minus five'],
    ['COVID-19', 'COVID nineteen', 'COVID十九', 'Covid nineteen'],
    ['a check-in', 'a check-in', 'a check-in', 'a check-in'],
  ],
  multiples: [
    ['10x', '十X', '十X', 'ten X'],
    ['10x速度', '十倍速度', '十倍速度', null],
    ['快3x', '快三倍', '快三倍', null],
    ['10x faster', '十倍faster', '十倍faster', 'ten times faster'],
    ['3x的係數', '三X的係數', '三X的係數', null],
    ['y = 3x', 'Y等於三X', 'Y等于三X', 'Y equals three X'],
    ['size 2x有冇貨', 'size二X有冇貨', null, null],
    ['3x歲', '三十幾歲', '三X歲', null],
  ],
  'results with the lower number first': [
    ['比分0-1', '比分零比一', '比分零比一', null],
    ['曼聯 0-1 阿仙奴', '曼聯零比一阿仙奴', '曼聯零比一阿仙奴', null],
    ['lost 0-1 at home', 'lost nil one at home', 'lost nil one at home', 'lost nil one at home'],
    ['lost 5-10 pounds', 'lost five to ten pounds', 'lost five to ten pounds', 'lost five to ten pounds'],
    ['星期 1-5 開放', '星期一至五開放', null, null],
    ['大家 3-5 分鐘到', '大家三至五分鐘到', null, null],
    ['小童 0-3 免費', '小童零至三免費', null, null],
    ['0-1歲', '零至一歲', '零到一歲', null],
    ['輸1-2百', '輸一至兩百', '輸一到两百', null],
  ],
  'units without a number': [
    ['km/h', '公里每小時', '公里每小时', 'kilometres per hour'],
    ['單位係m/s', '單位係米每秒', '單位係米每秒', null],
    ['80km/h', '時速八十公里', '八十公里每小时', 'eighty kilometres per hour'],
  ],
  'numbers and keys behind their sign': [
    ['排#3', '排三號', '排三号', null],
    ['訂單#10482', '訂單一零四八二', '訂單幺零四八二', null],
    ['房號#12', '房號十二', '房號十二', null],
    ['請按#', '請按井號', '請按井号', null],
    ['輸入後按#確認', '輸入後按井號確認', '輸入後按井号確認', null],
    ['按#字鍵', '按井字鍵', '按井字鍵', null],
    ['按*字鍵', '按米字鍵', '按星字鍵', null],
    ['#香港', '香港', '香港', null],
  ],
  'days with a point in the middle': [
    ['9·11事件', '九一一事件', '九一一事件', null],
    ['“9·18”事變', '九一八事變', '九一八事變', null],
    ['長2·75米', '長二點七五米', '長二点七五米', null],
    ['3·15晚會', '三一五晚會', '三一五晚會', null],
    ['2·3=6', '二三等於六', '二点三等于六', 'two three equals six'],
  ],
  'stocks in brackets': [
    ['港交所(388)', '港交所，三八八', '港交所，三八八', null],
    ['騰訊（700）', '騰訊，七零零', '騰訊，七零零', null],
    ['茅台(600519)', '茅台，六零零五一九', '茅台，六零零五幺九', null],
    ['留言(388)', '留言，三百八十八', '留言，三百八十八', null],
  ],
  'what costs more': [
    ['凍飲+$3', '凍飲加三蚊', '凍飲加三元', null],
    ['$5+$3', '五蚊加三蚊', '五元加三元', 'five dollars plus three dollars'],
  ],
  'codes of one kind': [
    ['F.1-F.3', 'F一至F三', 'F一到F三', 'F one to F three'],
    ['6k~8k', '六K至八K', '六K到八K', 'six K to eight K'],
    ['8k-12k', '八K至十二K', '八K到十二K', 'eight K to twelve K'],
  ],
  'compounds of letters and words': [
    ['micro-USB線', 'micro U S B線', 'micro U S B線', null],
    ['a non-EU citizen', null, null, 'a non E U citizen'],
    ['a T-shirt', null, null, 'a T-shirt'],
    ['AC-DC', 'A C D C', 'A C D C', 'A C D C'],
    ['mother-in-law', null, null, 'mother-in-law'],
  ],
  'signs in one square, in circles and of full width': [
    ['10㎞/h', '時速十公里', '十公里每小时', 'ten kilometres per hour'],
    ['⑴ 姓名 ⑵ 地址', '一姓名二地址', null, null],
    ['ｗｗｗ．ａｂｃ．ｃｏｍ', 'W W W dot abc dot com', null, 'W W W dot abc dot com'],
  ],
  'sentences behind an abbreviation': [
    ['We met at 12 Main St. It rained', null, null, 'We met at twelve Main Street / It rained'],
    ['5 Main Rd. The house', null, null, 'five Main Road / The house'],
    ['at 5 p.m. It rained', null, null, 'at five P M / It rained'],
    ['in the U.S. We stayed', null, null, 'in the U S / We stayed'],
    ['Mr. He is here', null, null, 'Mister He is here'],
    ['Ask Dr. So about it', null, null, 'Ask Doctor So about it'],
    ['on Queen St. West', null, null, 'on Queen Street West'],
    ['e.g. The cat', null, null, 'for example The cat'],
    ["Queen's Rd. E., 3/F", null, null, "Queen's Road East, third floor"],
  ],
  'amounts, pressures and hours': [
    ['Population: 7.5m', null, null, 'Population, seven point five million'],
    ['5m users', null, null, 'five million users'],
    ['a 5m rope', null, null, 'a five metre rope'],
    ['BP 120/80', null, null, 'B P one hundred and twenty over eighty'],
    ['1½ tsp salt', null, null, 'one and a half teaspoons salt'],
    ['½ tsp salt', null, null, 'a half teaspoon salt'],
    ['Sat 10-2', null, null, 'Saturday ten to two'],
    ['vols. 3-4', null, null, 'volumes three to four'],
    ['10 pcs.', null, null, 'ten pieces'],
  ],
};

const CASES = Object.entries(ROWS).flatMap(([group, rows]) =>
  rows.flatMap(([text, cantonese, mandarin, english]) =>
    Object.entries({ cantonese, mandarin, english }).flatMap(([language, spoken]) =>
      spoken === null ? [] : [{ group, text, language: language as Language, spoken }],
    ),
  ),
);

it.each(CASES)('$group: $text in $language', ({ text, language, spoken }) => {
  expect(spell(text, language)).toBe(spoken);
});
