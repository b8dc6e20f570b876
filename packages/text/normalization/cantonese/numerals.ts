import Nzh from 'nzh';
import type { Numeral } from '#text/normalization/tokens.ts';

const DIGITS = '零一二三四五六七八九';
/** A longer number is read digit by digit. */
const MAX_DIGITS = 16;

/** Reads digits one by one: 2026 → 二零二六. */
export function digitByDigit(digits: string): string {
  return digits.replace(/\d/g, (digit) => DIGITS.charAt(Number(digit)));
}

/**
 * Reads an integer in words: 105 → 一百零五. Leading zeros, or more than 16 digits, are read digit by
 * digit.
 */
export function integerInWords(digits: string): string {
  if ((digits.length > 1 && digits.startsWith('0')) || digits.length > MAX_DIGITS) return digitByDigit(digits);
  return Nzh.hk.encodeS(digits);
}

/** Reads a number: 3.14 → 三點一四, −3 → 負三, 2萬 → 兩萬, 2 → 二. */
export function numeralInWords(value: Numeral): string {
  const sign = value.sign === '-' ? '負' : value.sign === '+' ? '正' : '';
  return sign + amountInWords(value);
}

/** Reads a number without its sign. */
export function amountInWords(value: Numeral): string {
  const { digits, fraction, scale } = value;
  const shifted = scale === null ? null : shift(value, scale.exponent);
  // 3.5億 keeps its unit; 3.5 million becomes 三百五十萬.
  if (scale !== null && /^[百千萬万億亿兆]/u.test(scale.written)) {
    const before = digits === '2' && fraction === null ? '兩' : decimalInWords(digits, fraction);
    return before + scale.written.replaceAll('万', '萬').replaceAll('亿', '億');
  }
  if (shifted !== null) return decimalInWords(shifted.digits, shifted.fraction);
  return decimalInWords(digits, fraction);
}

function decimalInWords(digits: string, fraction: string | null): string {
  const whole = fraction === null ? startingWithTwo(digits, integerInWords(digits)) : integerInWords(digits);
  return fraction === null ? whole : `${whole}點${digitByDigit(fraction)}`;
}

/**
 * Writes a first 2 as 兩 in 兩千, 兩萬, 兩億; 二 stays in 二百, 二十, and in 二萬二千, where more digits follow.
 */
function startingWithTwo(digits: string, words: string): string {
  return /^20+$/.test(digits) && /^二[千萬億]/u.test(words) ? `兩${words.slice(1)}` : words;
}

/** Multiplies a number in digits by a power of ten: 3.5 and 6 → 3500000. */
function shift({ digits, fraction }: Numeral, exponent: number): { digits: string; fraction: string | null } {
  const decimals = (fraction ?? '').padEnd(exponent, '0');
  const whole = (digits + decimals.slice(0, exponent)).replace(/^0+(?=\d)/, '');
  const rest = decimals.slice(exponent).replace(/0+$/, '');
  return { digits: whole, fraction: rest === '' ? null : rest };
}

/** Characters before which two is 兩: classifiers, units and countable nouns. */
const COUNTED_CHARACTERS = new Set(
  '個个隻只條条張张本件杯碗枝支架部間间層层年日次位人倍成度米磅斤呎吋克蚊元塊块毫仙萬万億亿千百家款種种對对雙双套份盒包樽罐粒片頁页節节場场班組组分秒歲岁圍围' +
    '壺煲碟籠扎箱袋棟幢道題题句段首幅把餐封台輛辆艘公厘平立安英美歐欧日澳週周晚朝鋪輪轮局屆届點点邊边桶行排串夜隊队批堆陣陣齣匹滴筆笔宗單单項项名大者地國国集房廳厅枚棵朵根步拍樣样處处餅枱席伙匙尺科番顆颗株束幀帧回遍頓顿股疊叠冊册扇頂顶床劑剂針针尾碌嚿啖籮箩碼码畝亩檔档所篇旬站桌票岸腳脚餸菜湯汤男女仔細味格煲盤球蛋老舊皮撻磚梳圈刀轉舖盅紮欄寸聲季面孖',
);
/** Ordinals that begin with a countable noun: 二年級, 二座. */
const NUMBERED_AFTER =
  /^(?:年級|年级|年班|名單|日本|人房|點[一二三四五六七八九零〇]|次方|次元|度空間|回合制|座|年代|代(?!同堂|人(?!物))|行(?!字)|頭(?!住家)|聲道|面體|季度|轉(?!轉)(?=$|[名正世檔])|加|家姐|仔(?![\d一二兩三四爺乸])|[對比]\d|細(?=佬|路)|老(?=師|闆|細))/u;
/** Two taels of a weight are 二兩, unlike two of anything else. */
const TAELS_AFTER = /^[兩两](?![個隻條張樣邊])/u;
/** Grades, parts and periods, after which a measure word tells an amount: 高2米, 租期2年. */
const GRADES = /[中小高卷表圖图版組级級座期閘號号]$/u;
const COUNTED_AFTER_GRADES =
  /^(?:[個个次隻只米呎吋尺倍歲岁張张條条杯碗套份件公毫厘天粒成度]|日(?!本)|年(?![級级班度代])|小時|小时|分鐘|分钟)/u;
/** Each week has times and 星期二 is a day: 每周2次. */
const WEEKS = /(?:[周週]|星期|禮拜|礼拜)$/u;
const COUNTED_AFTER_WEEKS = /^[個个次]/u;
const NUMBERED_BEFORE =
  /(?:第|初|星期|禮拜|礼拜|周|週|中|小|高|卷|表|圖|图|號|号|版|組|级|級|座|期|閘|(?<!\p{Script=Han})[甲乙丙丁]|\d-|第(?:\d+[、,，/至到或及同和與–-]|[一二三四五六七八九十]+[、至到或及同和與]) ?)$/u;

/** The second number of 2至3星期 and 2、3個, before which the first number counts too. */
const SECOND_NUMBER = /^(?:至|到|或|、)\s?\d+/u;

/** English nouns that are counted in Cantonese: 2 set, 2 copies. */
const ENGLISH_COUNTED =
  /^(?:sets?|packs?|box(?:es)?|pcs?|pieces?|rounds?|parts?|teams?|cop(?:y|ies)|cups?|shots?|tables?|rooms?|people|pax|days?|nights?|weeks?|months?|years?|hours?|tickets?|files?|pages?|versions?|options?|slots?|tasks?|emails?|cards?|bags?|pairs?|times?|points?|marks?|classes|lessons?|meetings?|projects?|sessions?|groups?|types?|items?|layers?|levels?|stars?|bottles?|cans?|bugs?|quotas?|seats?|units?|shifts?|songs?|photos?|messages?)(?![\p{Script=Latin}])/iu;

/** An amount of another thing before or after: 1叉燒2白飯. */
const OTHER_AMOUNT_BEFORE = /(?<![\d第])[1-9](?:(?![加減减乘除變变選选打至和到等以])\p{Script=Han}){1,3}$/u;
const OTHER_AMOUNT_AFTER = /^(?:(?![加減减乘除變变選选打至和到等以])\p{Script=Han}){1,3}[1-9](?=\p{Script=Han})/u;
/** Places, days and chapters have numbers; they are not counted. */
const NUMBERED_THING = /^[號樓室座月線期冊課章回級區環單比對：:班]|[號樓座月線期冊課章回級區班年單比對]\d?$/u;

/** Verbs and adverbs before an amount: 分2期供, 得2票. */
const AMOUNT_BEFORE = /[得落開踢分要有食飲買做打搵送加減每約共只剩返贏輸過咗緊晒等差爭遲早]$/u;
/** Nouns that are rather numbered than counted. */
const RATHER_NUMBERED = /^[號号樓楼月班座室線线台組级級章課课版題题奶胎等進手世仔線字邊送贈路維维極极氧五]/u;

/** The rooms of a home, 2室1廳; 2室 alone is a name. */
const ROOMS_OF_HOME = /^室(?=[\d一二兩三四五六][廳厅])/u;

/** Whether a number counts (兩個) rather than names (二號), by its context. */
export function isCounting(before: string, after: string): boolean {
  const next = after.trimStart().replace(SECOND_NUMBER, '').trimStart();
  const named = before.trimEnd();
  if (ROOMS_OF_HOME.test(next)) return true;
  if (TAELS_AFTER.test(next)) return false;
  const isAmount =
    (GRADES.test(named) && COUNTED_AFTER_GRADES.test(next)) || (WEEKS.test(named) && COUNTED_AFTER_WEEKS.test(next));
  if ((NUMBERED_BEFORE.test(named) && !isAmount) || NUMBERED_AFTER.test(next)) return false;
  return (
    COUNTED_CHARACTERS.has(next.slice(0, 1)) ||
    ENGLISH_COUNTED.test(next) ||
    isOneOfAmounts(before, next) ||
    (AMOUNT_BEFORE.test(before.trimEnd()) && /^\p{Script=Han}/u.test(next) && !RATHER_NUMBERED.test(next)) ||
    /^(?:兄弟|姊妹|姐妹|兄妹|姐弟|母女|母子|父子|父女|夫婦|夫妇|夫妻|公婆|仔[乸爺嫲]|代同堂|代人|頭住家|線行車|打(?:[雞鴨]?蛋|啤|罐|橙|月餅|玫瑰)|爺孫|婆孫|師徒|师徒|師兄|同學|同学|朋友|浴室|睡房|客房|套房|主人房|洗手間|露台|車位|廁所|小時|[茶湯汤大小]匙|(?:星期|禮拜|礼拜)(?![一二三四五六日天幾]))/u.test(
      next,
    )
  );
}

function isOneOfAmounts(before: string, next: string): boolean {
  if (NUMBERED_THING.test(next)) return false;
  if (OTHER_AMOUNT_BEFORE.test(before)) return !NUMBERED_THING.test(before) && /^\p{Script=Han}/u.test(next);
  const [other = ''] = OTHER_AMOUNT_AFTER.exec(next) ?? [];
  return other !== '' && !NUMBERED_THING.test(other);
}

/** Reads a number before a countable noun: 2 → 兩. */
export function countInWords(value: Numeral, before: string, after: string): string {
  // 85折 is 八五折: 8.5 tenths of the price.
  if (after.startsWith('折') && /^\d\d$/.test(value.digits) && value.fraction === null)
    return digitByDigit(value.digits);
  // 9秒58 and 1米75 are nine point five eight seconds and one point seven five metres.
  if (/\d[秒米]$/u.test(before) && /^\d\d$/.test(value.digits) && !/^\s?[\d分cm厘公吋呎]/u.test(after))
    return digitByDigit(value.digits);
  const isTwo = value.digits === '2' && value.fraction === null && value.scale === null && value.sign === '';
  return isTwo && isCounting(before, after) ? '兩' : numeralInWords(value);
}
