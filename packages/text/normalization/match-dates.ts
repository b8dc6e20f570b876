import { isLikelyDay, isToldDay } from './day-or-fraction.ts';
import { MONTH_NAMES } from './english/calendar-names.ts';
import { isCodeNext } from './match-phones.ts';
import { NAMED_BEFORE } from './match-latin.ts';
import { plainNumeral, type Token } from './tokens.ts';
import { isTouching, tokenAt, matchAt, textBefore, type TextCursor } from './text-cursor.ts';

const CHINESE_DATE = /(?:(\d{4}|\d{2})年 ?)?(\d{1,2})月(?: ?(\d{1,2})([日號号]))?(?!\d)/uy;
const DECADE = /(\d{4}|\d0)年代/uy;
/** People born in a year, 95後, and before the handover, 97前; 80後 is a number of tens. */
const BORN = /((?:0\d|[5-9][1-9])(?=後(?![日年嚟來尾面悔的]))|97(?=前(?![面日年個一])|大限|移民潮|回歸))/uy;
const YEAR = /(\d{2,4})年/uy;
/** In Chinese, and behind minutes, 30s are seconds. */
const SECONDS = /^[1-6]0s$/;
const ENGLISH_DECADE = /(\d{3}0|[1-9]0)'?s(?![\p{Script=Latin}\d])/uy;
const YEAR_FIRST = /(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\.?\d)(?!\2\d)/y;
const YEAR_LAST = /(\d{1,2})([-/.])(\d{1,2})\2((?:19|20)\d{2}|\d{2})(?!\.?\d)(?!\2\d)/y;
const COMPACT = /((?:19|20)\d{2})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?!\d)/y;
const DAY_AND_MONTH = /(\d{1,2})\/(\d{1,2})(?![\d/])(?:([號号])(?![碼码線线巴室樓楼]))?/uy;
const MONTH_NAME = `(${MONTH_NAMES})\\b\\.?`;
const MONTH_FIRST = new RegExp(
  `${MONTH_NAME} ?(\\d{1,2})(?:st|nd|rd|th)?(?![\\d:])(?:,? ?((?:1|2)\\d{3})(?!\\d))?`,
  'y',
);
const DAY_FIRST = new RegExp(
  `(\\d{1,2})(?:st|nd|rd|th)?[ -]?(?:of )?${MONTH_NAME}(?![\\p{Script=Latin}])(?:,?[ -]?((?:1|2)\\d{3})(?!\\d))?`,
  'uy',
);
const MONTH_AND_YEAR = new RegExp(`${MONTH_NAME},? ?((?:1|2)\\d{3})(?!\\d)`, 'y');
/** March and may without capitals, beside an ordinal number, a year or "of". */
const DOUBTFUL_FIRST =
  /(mar(?:ch)?|may) (\d{1,2})(?:(?:st|nd|rd|th)(?:,? ?([12]\d{3})(?!\d))?|,? ?([12]\d{3})(?!\d))(?![\d:])/y;
const DOUBTFUL_LAST =
  /(\d{1,2})(?:(?:st|nd|rd|th)?(?: of)? (?=\p{L}+,? [12]\d{3}(?!\d))|(?:st|nd|rd|th)? of )(mar(?:ch)?|may)(?!\p{L})(?:,? ([12]\d{3})(?!\d))?/uy;
/** The same behind a word for a time: on 3 march, in may 2020. */
const TOLD_FIRST = /(mar(?:ch)?|may) (\d{1,2})(?![\d:]|\p{L})/uy;
const TOLD_LAST = /(\d{1,2}) (mar(?:ch)?|may)(?!\p{L})/uy;
const TOLD_YEAR = /(mar(?:ch)?|may) ([12]\d{3})(?!\d)/y;
const TELLS_TIME = /\b(?:on|in|by|until|till|since|from|before|after|during|early|mid|late) $/iu;
/** The beginning of a date that has its month first. */
const MONTH_BEGINS = /[A-Z]|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.? \d/y;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** Text after two digits and 年 that shows a duration rather than a year. */
const TELLS_LENGTH =
  /^(?:年(?:前|後|后|來|来|嚟|以|之|內|内|間|间|歷史|历史|經驗|经验|級|级|時間|时间|期|幾|几|多|半|嘅?時間|租|班)|年[度]?$)/u;

/** Matches a date in digits or with the name of a month, years and decades. */
export function matchDate(source: TextCursor): Token | null {
  if (isTouching(source)) return null;
  return chineseDate(source) ?? numericDate(source) ?? englishDate(source) ?? yearOf(source);
}

/** The beginning of all of the following. */
const DAY_WITH_SIGN = /\d{1,2}[./·‧・•]/y;

/** An event that is named after its day: 7.1遊行, 6.4晚會. */
const NAMED_DAY =
  /(1[0-2]|[1-9])\.(3[01]|[12]\d|[1-9])(?= ?(?:大?[遊游]行|事件|晚[會会]|燭光|烛光|集[會会]|聚[會会]|衝突|冲突|[襲袭][擊击]|恐[襲袭]|地震|[國国]慶|国庆|(?:國際|国际)?(?:婦女|妇女|勞動|劳动|兒童|儿童)[節节]|[運运]動|运动|(?<=7\.1 ?)回[歸归](?![紀纪]念|日|假)))/uy;

/** A day with a point in the middle of the line names an event: 5·12地震, “9·18”事變. */
const POINTED_DAY =
  /(1[0-2]|[1-9])[·‧・•](3[01]|[12]\d|[1-9])(?=[”"」』’]? ?(?![米厘公尺呎吋磅斤倍元蚊萬万億亿度折個个小歲岁成級级秒分毫升年月吨噸克千百里层層代楼樓班章寸兩两]|[节節][课課]|日(?![本軍军])|天(?![津安])|[周週](?!年)|平[方米]|海里|立方|台(?![灣湾北風风]))\p{Script=Han})/uy;

/** The days of which the month is written first: 7/1遊行, 6/4晚會. */
const KNOWN_DAY =
  /(?=7\/1|6\/4|10\/1|9\/11)(7|6|10|9)\/(11?|4)(?= ?(?:大?[遊游]行|晚會|燭光|國慶|国庆|事件|恐[襲袭]|[襲袭][擊击]))/uy;

/** The attacks of 9/11, which are also named by their day alone. */
const ATTACK_DAY =
  /(?<=(?:^|[，。！？；,.!?;\n「『《])\s*)(9)\/(11)(?=\s*(?:$|[，。！？；,.!?;」』》]))|(9)\/(11)(?= ?(?:恐怖|[紀纪]念|[周週]年|遇[難难]|死[難难]|罹[難难]|受害|生[還还]者|真相|[陰阴][謀谋]|[調调]查|委[員员][會会]|攻[擊击]))/uy;

/** Names before 節; with any word, 調節 and 季節 would end a date. */
const FEASTS =
  '(?:父[親亲]|母[親亲]|情人|[婦妇]女|[兒儿]童|青年|[勞劳][動动]|教[師师]|老[師师]|[護护]士|敬老|中秋|端午|清明|重[陽阳]|元宵|盂[蘭兰]|乞巧|七夕|[復复]活|感恩|[萬万][聖圣]|平安|[聖圣][誕诞]|愚人|植[樹树]|建[軍军]|[購购]物|光棍|[潑泼]水)';
/** The day of a feast or of a holiday with a point: 8.8父親節, 12.25聖誕. */
const FEAST_DAY = new RegExp(
  `(1[0-2]|[1-9])\\.(3[01]|[12]\\d|[1-9])(?= ?(?:(?:[國国][際际])?${FEASTS}[節节]|[聖圣][誕诞]|元旦|除夕|冬至|中秋|端午|清明|重[陽阳]|佛[誕诞]|回[歸归](?=[紀纪]念|日|假)|放假|假期|[長长]假|[開开][學学]|[開开][課课]|生日|[黃黄]金[周週]|大[減减][價价]|[減减][價价]|[優优]惠))`,
  'uy',
);

/** Matches the day of an event, which is read digit by digit, and that of a feast. */
export function matchNamedDay(source: TextCursor): Token | null {
  if (source.language === 'english' || matchAt(DAY_WITH_SIGN, source.text, source.at) === null) return null;
  if (isTouching(source)) return null;
  const match =
    matchAt(NAMED_DAY, source.text, source.at) ??
    matchAt(POINTED_DAY, source.text, source.at) ??
    matchAt(KNOWN_DAY, source.text, source.at) ??
    matchAt(ATTACK_DAY, source.text, source.at);
  if (match === null) {
    const [feast = '', feastMonth = '', feastDay = ''] = matchAt(FEAST_DAY, source.text, source.at) ?? [];
    return feast === '' ? null : dated(source, feast.length, [null, feastMonth, feastDay], NUMERIC);
  }
  const [whole] = match;
  const [month = '', day = ''] = match.slice(1).filter((group) => group !== undefined);
  // The national day is 十一.
  if (month === '10' && day.length === 1)
    return tokenAt(source, whole.length, { kind: 'number', value: plainNumeral(`1${day}`) });
  return tokenAt(source, whole.length, { kind: 'year', digits: month + day, suffix: '' });
}

type DateParts = [year: string | null, month: string | null, day: string | null];

function dated(source: TextCursor, length: number, parts: DateParts, rest: Shape) {
  const [year, monthText, dayText] = parts;
  const month = monthText === null ? null : Number(monthText);
  const day = dayText === null ? null : Number(dayText);
  if (month !== null && !(month >= 1 && month <= 12)) return null;
  if (day !== null && !(day >= 1 && day <= 31)) return null;
  return tokenAt(source, length, { kind: 'date', year, month, day, ...rest });
}

type Shape = { shape: 'numeric' | 'chinese' | 'english'; dayWord: '日' | '號' | '号' | '' };
const NUMERIC: Shape = { shape: 'numeric', dayWord: '' };

function chineseDate(source: TextCursor): Token | null {
  const match = matchAt(CHINESE_DATE, source.text, source.at);
  if (match === null) return null;
  const [whole, year = null, month = '', day = null, dayWord = ''] = match;
  const word = dayWord === '日' || dayWord === '號' || dayWord === '号' ? dayWord : '';
  return dated(source, whole.length, [year, month, day], { shape: 'chinese', dayWord: word });
}

function numericDate(source: TextCursor): Token | null {
  const { text, at } = source;
  const compact = matchAt(COMPACT, text, at);
  const isDay = compact !== null && !NAMED_BEFORE.test(textBefore(source));
  const yearFirst = matchAt(YEAR_FIRST, text, at) ?? (isDay ? compact : null);
  if (yearFirst !== null) {
    const isCompact = yearFirst.length === 4;
    const [whole, year = '', second = '', third = '', fourth = ''] = yearFirst;
    const [month, day] = isCompact ? [second, third] : [third, fourth];
    const found = dated(source, whole.length, [year, month, day], NUMERIC);
    if (found !== null) return found;
  }
  const yearLast = matchAt(YEAR_LAST, text, at);
  // A code may look like a date: 取件碼8-3-2046.
  const isInList = /\d-$/.test(textBefore(source)) || /^-\d/.test(text.slice(at + (yearLast?.[0].length ?? 0)));
  const isCode = yearLast?.[2] === '-' && (isInList || isCodeNext(source));
  if (yearLast !== null && !isCode) {
    const [whole, first = '', separator, second = '', year = ''] = yearLast;
    // 1.2.10 is more often a version or a heading than a day.
    if (year.length === 4 || separator !== '.') {
      // The day comes first, as in Hong Kong, unless that is impossible.
      const [day, month] = Number(second) > 12 ? [second, first] : [first, second];
      return dated(source, whole.length, [year, month, day], NUMERIC);
    }
  }
  return dayAndMonth(source);
}

/** Text after a fraction: the unit or the whole that it is a part of. */
const FRACTION_AFTER = /^ ?(?:of\b|inch|in\b|cups?\b|marks?\b|correct|right|["”])/u;
const FRACTION_BEFORE = /(?:got|scored?|marks?|grade|only|about|nearly) $/iu;
/** Month and full year: 12/2026. */
const MONTH_AND_FULL_YEAR = /(0?[1-9]|1[0-2])\/((?:19|20)\d{2})(?![\d/]| ?(?:[機机][會会]|概率|嘅|秒))/y;
/** The day on which something expires has the month and two digits of the year. */
const MONTH_AND_SHORT_YEAR = /(0?[1-9]|1[0-2])\/(\d{2})(?![\d/])/y;
const EXPIRY_BEFORE = /(?:\bexp(?:iry|ires?)?|valid thru|有效期|食用日期|食用期限|到期日|保質期)[至到：:.]? ?$/iu;

/** Matches 25/12, but 1/2 and 24/7 only in suitable context; month first in Mandarin. */
function dayAndMonth(source: TextCursor): Token | null {
  const monthAndYear = matchAt(MONTH_AND_FULL_YEAR, source.text, source.at) ?? expiryDate(source);
  if (monthAndYear !== null) {
    const [whole, month = '', year = ''] = monthAndYear;
    return dated(source, whole.length, [year.padStart(4, '20'), month, null], NUMERIC);
  }
  const match = matchAt(DAY_AND_MONTH, source.text, source.at);
  if (match === null) return null;
  const [whole, day = '', month = '', dayWord] = match;
  if (whole === '24/7') return null;
  const after = source.text.slice(source.at + whole.length, source.at + whole.length + 8);
  // In English 11/21 has the month first, because there is no month 21. 11/16 inch is a fraction.
  const before = textBefore(source);
  const isAmerican = source.language === 'english' && Number(month) > 12 && Number(day) <= 12;
  if (isAmerican && !FRACTION_AFTER.test(after) && !FRACTION_BEFORE.test(before))
    return dated(source, whole.length, [null, day, month], NUMERIC);
  const isProperFraction = Number(day) <= Number(month) && !day.startsWith('0') && !month.startsWith('0');
  const isDay =
    isToldDay(before, after) || (source.language === 'cantonese' && isLikelyDay(Number(month), before, after));
  if (isProperFraction && !isDay && dayWord === undefined) return null;
  const isMonthFirst = (source.language === 'mandarin' || Number(month) > 12) && Number(day) <= 12;
  // The word after 5/12號 is a part of the day.
  const shape: Shape = dayWord === '號' || dayWord === '号' ? { ...NUMERIC, dayWord } : NUMERIC;
  return dated(source, whole.length, isMonthFirst ? [null, day, month] : [null, month, day], shape);
}

/** A year of two digits is later than the month can be a day: exp 12/26. */
function expiryDate(source: TextCursor): RegExpExecArray | null {
  const match = EXPIRY_BEFORE.test(textBefore(source)) ? matchAt(MONTH_AND_SHORT_YEAR, source.text, source.at) : null;
  return match !== null && Number(match[2]) > 12 ? match : null;
}

const numberOf = (month: string) => String(MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1);

function englishDate(source: TextCursor): Token | null {
  const { text, at } = source;
  const shape: Shape = { shape: 'english', dayWord: '' };
  const doubtful = doubtfulDate(source);
  if (doubtful !== null) return dated(source, doubtful.length, doubtful.parts, shape);
  const monthFirst = matchAt(MONTH_FIRST, text, at);
  if (monthFirst !== null) {
    const [whole, name = '', day = '', year = null] = monthFirst;
    const found = dated(source, whole.length, [year, numberOf(name), day], shape);
    if (found !== null) return found;
  }
  const dayFirst = matchAt(DAY_FIRST, text, at);
  if (dayFirst !== null) {
    const [whole, day = '', name = '', year = null] = dayFirst;
    return dated(source, whole.length, [year, numberOf(name), day], shape);
  }
  const monthAndYear = matchAt(MONTH_AND_YEAR, text, at);
  if (monthAndYear === null) return null;
  const [whole, name = '', year = ''] = monthAndYear;
  return dated(source, whole.length, [year, numberOf(name), null], shape);
}

/** The parts of a date with march or may without a capital, where it is no other word. */
function doubtfulDate(source: TextCursor): { length: number; parts: DateParts } | null {
  const { text, at } = source;
  if (!/[\dm]/.test(text.charAt(at))) return null;
  const isTold = TELLS_TIME.test(textBefore(source));
  const first = matchAt(DOUBTFUL_FIRST, text, at) ?? (isTold ? matchAt(TOLD_FIRST, text, at) : null);
  if (first !== null) {
    const [{ length }, name = '', day = '', year, otherYear] = first;
    return { length, parts: [year ?? otherYear ?? null, numberOf(name), day] };
  }
  const last = matchAt(DOUBTFUL_LAST, text, at) ?? (isTold ? matchAt(TOLD_LAST, text, at) : null);
  if (last !== null) {
    const [{ length }, day = '', name = '', year = null] = last;
    return { length, parts: [year, numberOf(name), day] };
  }
  const [whole, name = '', year = ''] = isTold ? (matchAt(TOLD_YEAR, text, at) ?? []) : [];
  return whole === undefined ? null : { length: whole.length, parts: [year, numberOf(name), null] };
}

/** Whether a date can begin here with the name of its month. */
export const canBeMonth = ({ text, at }: TextCursor): boolean => matchAt(MONTH_BEGINS, text, at) !== null;

function yearOf(source: TextCursor): Token | null {
  const { text, at } = source;
  const decade = matchAt(DECADE, text, at);
  if (decade !== null)
    return tokenAt(source, decade[0].length, { kind: 'year', digits: decade[1] ?? '', suffix: '年代' });
  const plural = matchAt(ENGLISH_DECADE, text, at);
  const isOfLength =
    SECONDS.test(plural?.[0] ?? '') && (source.language !== 'english' || /\d ?m(?:in)?s? ?$/u.test(textBefore(source)));
  if (plural !== null && !isOfLength)
    return tokenAt(source, plural[0].length, { kind: 'year', digits: plural[1] ?? '', suffix: 's' });
  const born = matchAt(BORN, text, at);
  if (born !== null) return tokenAt(source, born[0].length, { kind: 'year', digits: born[1] ?? '', suffix: '' });
  const year = matchAt(YEAR, text, at);
  if (year === null || /[第每近約约]$/u.test(textBefore(source))) return null;
  const [whole, digits = ''] = year;
  const after = text.slice(at + digits.length, at + digits.length + 4);
  // Years of an era are read digit by digit: 公元前221年.
  const isOfEra = /[公西]元前?\s?$/u.test(textBefore(source));
  const isOfFour = isOfEra || (/^(?:1[1-9]|20)\d\d$/.test(digits) && !/^年(?:前|來|来|嚟|歷史|历史)/u.test(after));
  // The text 97年 is a year, 20年 and 12年 are durations; a duration of 95 years needs a word that
  // shows it.
  const isOfTwo = /^(?:0\d|[7-9][1-9])$/.test(digits) && !TELLS_LENGTH.test(after);
  return isOfFour || isOfTwo ? tokenAt(source, whole.length, { kind: 'year', digits, suffix: '年' }) : null;
}
