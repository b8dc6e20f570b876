import { rule, type ReadingRule } from './reading-rule.ts';
import { ACHIEVEMENT_READINGS } from './achievement-readings.ts';
import { COLLOQUIAL_READING_RULES } from './colloquial-reading-rules.ts';
import { CONTEXT_RULES } from './context-rules.ts';
import { COUNTED_NOUNS } from './counted-nouns.ts';
import { DEGREE_READINGS } from './degree-readings.ts';
import { EVERYDAY_READING_RULES } from './everyday-reading-rules.ts';
import { FORMAL_READING_RULES } from './formal-reading-rules.ts';
import { NOUN_READING_RULES } from './noun-reading-rules.ts';
import { REQUESTS } from './requests.ts';
import { SEPARABLE_VERBS } from './separable-verbs.ts';
import { TOLD_OF_PERSON } from './surnames.ts';

const TITLES = `先生|小姐|太太|女士|醫生|教授|老師|律師|局長|議員|主席|校長|經理|同學|師傅|師奶|生$|生[，。話係喺同有去嚟]|太(?:$|${TOLD_OF_PERSON})|sir`;
/**
 * Readings that depend on context rather than on the character or word. Each pattern matches one
 * character and gives its syllable; later rules override earlier ones. All other readings come from
 * the words of the dictionary (see `chooseReadings`).
 */
export const READING_RULES: readonly ReadingRule[] = [
  // The demonstrative; alone at the end it is a particle.
  rule(/(?<![騎升花])呢(?=[一-龥])(?![就我你佢都係唔冇有會要即咁噉如因但所其真又不點應可想])/gu, 'ni1'),
  // "A little", as a character of its own.
  rule(/(?<=[一-龥*])吓/gu, 'haa5'),
  // Tenths, which are also said with seng4.
  rule(/(?<=[一二三四五六七八九十兩幾])成(?![為功員立年果長績語個不])/gu, 'sing4'),
  // "As many as": 成百人.
  rule(/(?<![變造組構完達贊形促不功合養生集而])成(?=[百千萬](?!分)|倍)/gu, 'seng4'),
  // "To book, to order"; "to lay down" is ding3.
  rule(/(?<![修制簽擬改審增校編商協締裝自])訂(?![立閱婚明定製戶正])/gu, 'deng6'),
  // "Sound", and a classifier of calls.
  rule(/(?<=[一兩三幾把有冇出收細大咁嗰呢嘈高低到])聲(?![音稱明響調譽望勢援浪線波控色帶樂])/gu, 'seng1'),
  // After another verb: 戴上, 愛上.
  rule(
    /(?<=[戴愛追遇加跟關登踏換貼掛送配趕考穿著着鎖寫放跳湧補搭坐染迎獻])上(?![面下次個週周司述文年月一訴級晝水環海班學網台])/gu,
    'soeng5',
  ),
  // "To be, to become": 設為, 列為.
  rule(/(?<=[設視改變稱分化譯結列定升轉選封評淪歸作成尤極頗較甚最認])為(?![咗了此何])/gu, 'wai4'),
  // "Is": 淨利為一百億; "for": 為一個人.
  rule(/為(?=[負零一二三四五六七八九十百千]{2})/gu, 'wai4'),
  // "To count"; "number" is sou3.
  rule(/(?<![人次點分指度倍歲個位總碼字代])數(?=[下到住埋咗清返](?![降跌達滑]))/gu, 'sou2'),
  rule(/(?<=\*)房/gu, 'fong2'),
  rule(/為(?=一[名間家種項宗])/gu, 'wai4'),
  // "To go to a website": 上 before a foreign name is a verb.
  rule(/(?<![網枱床身路街面地世以之馬晚早際本])上(?=\*)/gu, 'soeng5'),
  ...REQUESTS,
  // "Near"; 最近 is "recently".
  rule(/近(?=[住啲過])/gu, 'kan5'),
  // Diminutives.
  rule(/(?<=[個膠手書背腰錢鞋衫圾米紙布])袋(?![住落入])/gu, 'doi2'),
  // "Language" after any name; the verb is waa6.
  rule(/(?<=[州東京國英日德法語國通海東北]|方言)话/gu, 'waa2'),
  // Surnames with a special reading, before titles and after 姓.
  ...surname('任', 'jam4', '責主信委歷現新前時擔'),
  ...surname('單', 'sin6', '簡孤菜名訂傳賬埋搵接跟開落簽執追成呢嗰一兩幾'),
  ...surname('樂', 'ngok6', '音快歡娛'),
  ...surname('曾', 'zang1', '不未'),
  ...surname('查', 'zaa1', '調檢巡審警'),
  ...surname('仇', 'kau4', '報恩'),
  ...surname('解', 'haai6', '了理講'),
  ...surname('區', 'au1', '地山市灣社郊各分'),
  rule(/區(?=議)/gu, 'keoi1'),
  ...surname('華', 'waa6', '中繁'),
  ...surname('應', 'jing1', '反適回'),
  ...surname('盛', 'sing6', '豐'),
  rule(/(?<=^|[^一-龥]|[同叫搵])曾(?=[一-龥]{2}(?:$|[，。話係喺同有去先小好唱做演都]))(?![經有在被任是係])/gu, 'zang1'),
  ...DEGREE_READINGS,
  ...ACHIEVEMENT_READINGS,
  ...COLLOQUIAL_READING_RULES,
  ...EVERYDAY_READING_RULES,
  ...NOUN_READING_RULES,
  ...CONTEXT_RULES,
  ...FORMAL_READING_RULES,
  ...SEPARABLE_VERBS,
  ...COUNTED_NOUNS,
  ...nicknames(),
];

function surname(char: string, syllable: string, notAfter: string): ReadingRule[] {
  return [
    rule(new RegExp(`(?<![${notAfter}])${char}(?=${TITLES})`, 'gu'), syllable),
    rule(new RegExp(`(?<=姓)${char}`, 'gu'), syllable),
  ];
}

/** 老陳, 阿黃: a surname with a low tone rises after 老 and 阿. */
function nicknames(): ReadingRule[] {
  const risen: Readonly<Record<string, string>> = {
    陳: 'can2',
    黃: 'wong2',
    王: 'wong2',
    何: 'ho2',
    劉: 'lau2',
    林: 'lam2',
    楊: 'joeng2',
    梁: 'loeng2',
    鄭: 'zeng2',
    鄧: 'dang2',
    葉: 'jip2',
    謝: 'ze2',
    廖: 'liu2',
    趙: 'ziu2',
    羅: 'lo2',
    盧: 'lou2',
    余: 'jyu2',
    李: 'lei2',
  };
  return Object.entries(risen).map(([char, syllable]) =>
    rule(new RegExp(`(?<=[老阿])${char}(?![一-龥]生|先生|小姐|太|漢)`, 'gu'), syllable),
  );
}
