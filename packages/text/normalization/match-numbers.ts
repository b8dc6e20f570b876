import { decimalNumeral, plainNumeral, type Numeral, type Token, type Unit } from './tokens.ts';
import { multipleAt } from './match-multiples.ts';
import { isPlain, numeralAt } from './numerals.ts';
import { matchMoneyAfter } from './match-money.ts';
import { isTouching, tokenAt, matchAt, textBefore, type TextCursor } from './text-cursor.ts';
import { unitAt } from './units.ts';

const PERCENT = / ?([%‰])/uy;
const TEMPERATURE = / ?(?:°|º|˚)? ?([CF])(?![\p{Script=Latin}\d])|(?: ?([℃℉]))/uy;
const DEGREE_SIGN = / ?[°º˚℃℉]/uy;
const ORDINAL = /(\d{1,3}(?:,\d{3})+|\d+)(?:st|nd|rd|th|ST|ND|RD|TH)(?![\p{Script=Latin}\d])/uy;
const VERSION = /([vV]\.?)?(\d{1,4}(?:\.\d{1,5}){2,6}[a-z]?)(?![\d.]*\d)/y;
/** V8 is an engine, V1.2 a version. */
const SHORT_VERSION = /(v\.? ?|V\.? ?(?=\d+\.\d))(\d{1,4}(?:\.\d{1,5}){0,6}[a-z]?)(?![\p{Script=Latin}\d])/uy;
const FRACTION = /(?:(\d{1,4}) )?(\d{1,4})\/(\d{1,4})(?![\d/])/y;
/** A mark with decimals out of the full one, in Chinese: 評分4.8/5. */
const MARK = /(\d{1,3}\.\d{1,2})\/(5|10|100)(?![\d./%]|\p{Script=Latin})/uy;
const VULGAR = /(\d{1,4})?(?:([½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒↉])|⅟(\d{1,4}))/uy;
const SCORE = /(\d{1,3}):(\d{1,3})(?![\d:])/y;
/** A ratio of three and more members, or with decimals. */
const RATIO = /(?=[\d.]+:[\d.]+:|[\d:]*\d\.\d)\d{1,4}(?:\.\d{1,6})?(?::\d{1,4}(?:\.\d{1,6})?){1,5}(?![\d:%]|\.\d)/y;
/** A scale, whose second member no time, score or verse has: 1:5000, 1:25,000. */
const SCALE = /1:(?:\d{1,3}(?:,\d{3})+|\d{3,8})(?![\d:,.]*\d)/y;
const TOLD_RATIO = /\d{1,4}:\d{1,4}(?![\d:.]*\d| ?[ap]m)/iy;
/** Words before a ratio, which may look like a time: 比例1:20:30. */
const RATIO_BEFORE =
  /(?:比例尺?|比率|比重|配比|[匯汇]率|\b(?:ratio|scale)(?: of)?)(?:大約|約|约|係|系|是|為|为|：|:| is)? ?$/iu;
/** Words that a ratio describes: a 60:40 split, 60:40分帳. */
const RATIO_AFTER =
  /^ (?:ratios?|splits?|blend|dilution)(?!\p{L})|^ ?(?:分[帳账]|拆[帳账]|分成|拆[數数]|[嘅的]?比例|比率)/u;
/** The first unit in 2h30m and 5m30s, and the minutes after hours; alone, m is a metre. */
const FIRST_OF_DURATION = /([hm])(?= ?\d{1,2}(?:m(?:ins?)?(?: ?\d{1,2}s)?|s(?:ecs?)?)(?![\p{Script=Latin}\d]))/uy;
/** Minutes without a unit after hours: 2h30. */
const BARE_MINUTES = /[0-5]\d(?![\p{Script=Latin}\d:%°]|[.,]\d)/uy;
const MINUTES = /m(?:ins?)?(?![\p{Script=Latin}\d²³])/uy;
const HOURS_BEFORE = /\dh$/;
const SPACED_HOURS_BEFORE = /\dh ?$/;
/** An apostrophe is the unit of feet only before inches; alone it has other uses. */
const FEET = /'(?=(?:1[01]|\d)(?:"|”|''|(?![\d'\p{Script=Latin}.])))/uy;
const FEET_BEFORE = /(?<![\d\p{L}])\d'$/u;
const DEGREES_BEFORE_MINUTES = /°(?=\d{1,2}(?:\.\d+)?['′])/uy;
const PART_OF_DEGREE = /'(?!')|''|[′″"”]/uy;
const INCHES = /"|”|''/uy;
/** Limit of a quotation in UTF-16 units; one that begins further back is not seen. */
const MAX_QUOTATION = 100;
const MAC_LIKE = /[:/]$/;

/** Words for things that are counted in millions, beside 7.5m, which is no length. */
const MILLIONS_BEFORE =
  /\b(?:population|revenues?|turnover|sales|profits?|users|viewers|followers|subscribers|views|downloads|budget)\b:?(?: (?:is|was|of|to|about|over|nearly|around|reached|hit|rose|fell|grew))* $/iu;
const MILLIONS_AFTER =
  /\d[\d.,]*[mM] (?:people|users|views|viewers|followers|subscribers|downloads|customers|residents|copies|tonnes|barrels|jobs|visitors|passengers|voters|children|shares|units|homes)(?!\p{L})/uy;
const IN_MILLIONS = /\d[\d.,]*[mM](?![\p{L}\d²³/]| (?:wide|long|away|deep|high|tall)(?!\p{L}))/uy;
const MAX_WORDS = 40;

function isInMillions(source: TextCursor): boolean {
  if (source.language !== 'english' || matchAt(IN_MILLIONS, source.text, source.at) === null) return false;
  return (
    matchAt(MILLIONS_AFTER, source.text, source.at) !== null || MILLIONS_BEFORE.test(textBefore(source, MAX_WORDS))
  );
}

/** Names of money behind an amount without cents: 250.00港元. */
const MONEY_AFTER = /^ ?(?:[港美澳日英欧歐加坡][元幣币圓圆]|人民[币幣]|新?[台臺][币幣]|[块塊圓圆])/u;

/**
 * Matches a number with what follows it: percent, degrees, a unit, money; else the number itself.
 */
export function matchNumberOrQuantity(source: TextCursor): Token | null {
  const { text, at } = source;
  const money = matchMoneyAfter(source);
  if (money !== null) return money;
  const number = numeralAt(text, at, { isMoney: isInMillions(source) });
  if (number === null) return null;
  if (number.value.fraction === '00' && MONEY_AFTER.test(text.slice(at + number.length, at + number.length + 4)))
    return tokenAt(source, number.length, { kind: 'number', value: { ...number.value, fraction: null } });
  const { value, length } = number;
  const end = at + length;
  const percent = matchAt(PERCENT, text, end);
  if (percent !== null) {
    const per = percent[1] === '%' ? 100 : 1000;
    return tokenAt(source, length + percent[0].length, { kind: 'percent', value, per });
  }
  return temperature(source, number) ?? quantity(source, number) ?? tokenAt(source, length, { kind: 'number', value });
}

function temperature(source: TextCursor, { value, length }: { value: Numeral; length: number }): Token | null {
  const end = source.at + length;
  if (matchAt(DEGREE_SIGN, source.text, end) === null && !isOfHeat(source, value, end)) return null;
  const match = matchAt(TEMPERATURE, source.text, end);
  if (match === null) return null;
  const scale = match[1] === 'F' || match[2] === '℉' ? 'F' : 'C';
  return tokenAt(source, length + match[0].length, { kind: 'temperature', value, scale });
}

/** Words before a temperature that has no sign of degrees: bake at 200C. */
const HEAT_BEFORE =
  /\b(?:temperatures?|temp|oven|bak(?:e|ed|ing)|roast(?:ed)?|heat(?:ed)?|preheat(?:ed)?|cook|grill|fry|fever|highs?|lows?|cool(?:ed)?|warm(?:ed)?|boils?|freez(?:e|es|ing)|melts?)\b[^.!?]{0,24}$/iu;

function isOfHeat(source: TextCursor, value: Numeral, end: number): boolean {
  if (source.language !== 'english' || !/^[CF](?![\p{L}\d])/u.test(source.text.slice(end, end + 2))) return false;
  return value.digits.length <= 3 && HEAT_BEFORE.test(textBefore(source, MAX_WORDS));
}

function quantity(source: TextCursor, { value, length }: { value: Numeral; length: number }): Token | null {
  // A number with a leading zero is no amount but a name: runway 07L.
  if (/^0\d/.test(value.digits) && value.fraction === null && /[A-Z]/.test(source.text.charAt(source.at + length)))
    return null;
  const found =
    durationUnit(source, length) ??
    partOfDegree(source, length) ??
    feetOrInches(source, length) ??
    multipleAt(source, source.text.slice(source.at, source.at + length)) ??
    unitAt(source.text, source.at + length) ??
    hyphenatedUnit(source, length);
  if (found === null) return null;
  // The minutes of 2h05 are five.
  const digits = value.digits.replace(/^0(?=\d)/, '');
  const isMinutes = found.unit === 'min' && value.digits.length === 2;
  const amount = isMinutes ? { ...value, digits } : value;
  return tokenAt(source, length + found.length, { kind: 'quantity', value: amount, unit: found.unit });
}

/** Matches the minutes and the seconds of an angle: 22°18′30″. */
function partOfDegree(source: TextCursor, length: number): { unit: Unit; length: number } | null {
  if (matchAt(DEGREES_BEFORE_MINUTES, source.text, source.at + length) !== null) return { unit: '°', length: 1 };
  const before = textBefore(source);
  const sign = matchAt(PART_OF_DEGREE, source.text, source.at + length)?.[0];
  if (sign === undefined) return null;
  if (sign === "'" || sign === '′') return /°\s?$/u.test(before) ? { unit: '′', length: 1 } : null;
  return /°\s?\d[\d.]*['′]\s?$/u.test(before) ? { unit: '″', length: sign.length } : null;
}

/** Matches 55", 5'8" and 5'8. A mark that closes a quotation is no unit. */
function feetOrInches(source: TextCursor, length: number): { unit: Unit; length: number } | null {
  const end = source.at + length;
  const feet = matchAt(FEET, source.text, end);
  if (feet !== null) return { unit: 'ft', length: feet[0].length };
  const inches = matchAt(INCHES, source.text, end);
  if (inches !== null && !isQuoted(source.text, end)) return { unit: 'in', length: inches[0].length };
  return FEET_BEFORE.test(textBefore(source)) ? { unit: 'in', length: 0 } : null;
}

function isQuoted(text: string, at: number): boolean {
  const line = text.slice(Math.max(0, at - MAX_QUOTATION), at).replace(/^.*\n/su, '');
  return (line.match(/["“”]/gu) ?? []).length % 2 === 1;
}

/** Matches the unit of "a 30-min walk"; 2-in-1 has no unit. */
function hyphenatedUnit({ text, at, language }: TextCursor, length: number): { unit: Unit; length: number } | null {
  const hyphen = at + length;
  if (language !== 'english' || text.charAt(hyphen) !== '-') return null;
  const found = unitAt(text, hyphen + 1);
  if (found === null || found.length < 2 || text.startsWith('in', hyphen + 1)) return null;
  return text.charAt(hyphen + 1 + found.length) === '-' ? null : { unit: found.unit, length: found.length + 1 };
}

function durationUnit(source: TextCursor, length: number): { unit: Unit; length: number } | null {
  const end = source.at + length;
  const first = matchAt(FIRST_OF_DURATION, source.text, end);
  if (first !== null) return { unit: first[1] === 'h' ? 'h' : 'min', length: first[0].length };
  const isHours = source.text[end] === 'h' && matchAt(BARE_MINUTES, source.text, end + 1) !== null;
  if (isHours) return { unit: 'h', length: 1 };
  if (!SPACED_HOURS_BEFORE.test(textBefore(source))) return null;
  const isBare = matchAt(BARE_MINUTES, source.text, source.at)?.[0].length === length;
  if (isBare && HOURS_BEFORE.test(textBefore(source))) return { unit: 'min', length: 0 };
  const minutes = matchAt(MINUTES, source.text, end);
  return minutes === null ? null : { unit: 'min', length: minutes[0].length };
}

/** Matches 1st, 22nd. */
export function matchOrdinal(source: TextCursor): Token | null {
  const match = matchAt(ORDINAL, source.text, source.at);
  if (match === null) return null;
  const value = plainNumeral((match[1] ?? '0').replaceAll(',', ''));
  return tokenAt(source, match[0].length, { kind: 'ordinal', value });
}

/** Matches v1.2, 3.10.1, 192.168.0.1, and 8.3.12 also behind the letters of PHP8.3.12. */
export function matchVersion(source: TextCursor): Token | null {
  const version = matchAt(VERSION, source.text, source.at);
  const match = version ?? matchAt(SHORT_VERSION, source.text, source.at);
  if (match === null) return null;
  if (isTouching(source) && !(version !== null && /\p{Script=Latin}$/u.test(textBefore(source)))) return null;
  const [whole, letter, numbers = ''] = match;
  return tokenAt(source, whole.length, { kind: 'version', parts: numbers.split('.'), hasV: letter !== undefined });
}

/** Raised digits; a lone ² or ³ is a sign, and a lone ¹ marks a footnote. */
const POWER = /(?![¹²³](?![⁰¹²³⁴-⁹]))([⁺⁻]?)([⁰¹²³⁴-⁹]{1,9})/uy;
const RAISED_DIGITS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
/** The base of a power: a number that is no year, a variable, or something in brackets. */
const BASE_BEFORE = /(?<!\d)\d{1,3}$|(?<!\p{Script=Latin})\p{Script=Latin}{1,2}$|[)）]$/u;

/** Raised digits with nothing to raise. */
const RAISED = /([⁺⁻]?)([⁰¹²³⁴-⁹]{1,9})/uy;
/** A word, a number or a mark, of which raised digits without a sign are a note. */
const NOTED_BEFORE = /[\p{L}\p{N}\p{P}]$/u;

/**
 * Matches the exponent of 10⁻⁶ and x⁴. Other raised digits are a number, unless they mark a note.
 */
export function matchPower(source: TextCursor): Token | null {
  const before = textBefore(source);
  const power = BASE_BEFORE.test(before) ? matchAt(POWER, source.text, source.at) : null;
  const [written, sign, raised = ''] = power ?? matchAt(RAISED, source.text, source.at) ?? [];
  if (written === undefined || (power === null && sign === '' && NOTED_BEFORE.test(before))) return null;
  const digits = Array.from(raised, (digit) => RAISED_DIGITS.indexOf(digit)).join('');
  const value = { ...plainNumeral(digits), sign: sign === '⁻' ? '-' : sign === '⁺' ? '+' : '' } as const;
  if (power === null) return tokenAt(source, written.length, { kind: 'number', value });
  return tokenAt(source, written.length, { kind: 'power', value: sign === '⁻' ? value : { ...value, sign: '' } });
}

const VARIABLE_POWER = /ⁿ(?:([⁺⁻])([⁰¹²³⁴-⁹]{1,4}))?/uy;

/** Matches the exponent of 2ⁿ and xⁿ⁺¹. */
export function matchVariablePower(source: TextCursor): Token | null {
  if (source.text.charAt(source.at) !== 'ⁿ' || !BASE_BEFORE.test(textBefore(source))) return null;
  const [written = '', sign, raised = ''] = matchAt(VARIABLE_POWER, source.text, source.at) ?? [];
  const digits = Array.from(raised, (digit) => RAISED_DIGITS.indexOf(digit)).join('');
  const added = sign === undefined ? null : ({ ...plainNumeral(digits), sign: sign === '⁻' ? '-' : '+' } as const);
  return tokenAt(source, written.length, { kind: 'nth-power', added });
}

const VULGAR_VALUES: Readonly<Record<string, readonly [string, string]>> = {
  '½': ['1', '2'],
  '⅓': ['1', '3'],
  '⅔': ['2', '3'],
  '¼': ['1', '4'],
  '¾': ['3', '4'],
  '⅕': ['1', '5'],
  '⅖': ['2', '5'],
  '⅗': ['3', '5'],
  '⅘': ['4', '5'],
  '⅙': ['1', '6'],
  '⅚': ['5', '6'],
  '⅐': ['1', '7'],
  '⅑': ['1', '9'],
  '⅒': ['1', '10'],
  '↉': ['0', '3'],
  '⅛': ['1', '8'],
  '⅜': ['3', '8'],
  '⅝': ['5', '8'],
  '⅞': ['7', '8'],
};

/** Before the number of a case and its year: HCA 1234/2023. */
const NUMBERED_CASE = /(?:(?<!\p{Script=Latin})[A-Z]{2,6}|編號|编号|案[件號]?|No\.?)[：:]? ?$/u;

/** Whether 9/11 is the day of the attacks: after 9/11, the 9/11 attacks. */
function isAttack(source: TextCursor): boolean {
  const after = source.text.slice(source.at + 4, source.at + 24);
  return (
    source.language === 'english' &&
    !after.startsWith(' of ') &&
    (/^ (?:attack|terror|memorial|commission|hijack|museum|victim|survivor)/i.test(after) ||
      /(?:^|\b(?:since|after|before|post|pre|of|on)[- ])$/i.test(textBefore(source)))
  );
}

/** Matches 1/2, 2 1/2, ½, 2½, and the number of a case. */
export function matchFraction(source: TextCursor): Token | null {
  const vulgar = matchAt(VULGAR, source.text, source.at);
  if (vulgar !== null) {
    const [numerator = '', denominator = ''] = VULGAR_VALUES[vulgar[2] ?? ''] ?? ['1', vulgar[3]];
    const meaning = { kind: 'fraction', whole: vulgar[1] ?? null, numerator, denominator } as const;
    return tokenAt(source, vulgar[0].length, meaning);
  }
  const [mark, part = '', full = ''] =
    source.language === 'english' ? [] : (matchAt(MARK, source.text, source.at) ?? []);
  if (mark !== undefined && !isTouching(source))
    return tokenAt(source, mark.length, { kind: 'fraction', whole: null, numerator: part, denominator: full });
  const match = matchAt(FRACTION, source.text, source.at);
  if (match === null || isTouching(source) || MAC_LIKE.test(textBefore(source))) return null;
  const [text, whole = null, numerator = '', denominator = ''] = match;
  if (text === '24/7' || Number(denominator) === 0) return null;
  if (text === '9/11' && isAttack(source)) {
    const parts = ['9', '11'].map((digits) => ({ kind: 'digits' as const, text: digits }));
    return tokenAt(source, text.length, { kind: 'code', parts });
  }
  if (whole !== null && Number(numerator) >= Number(denominator)) return null;
  // 第7/8章 is two chapters.
  if (/(?:第|[樓楼][層层][：:]?) ?$/u.test(textBefore(source))) return null;
  if (NUMBERED_CASE.test(textBefore(source)) && /^(?:19|20)\d\d$/.test(denominator)) {
    const parts = [numerator, denominator].map((digits) => ({ kind: 'digits' as const, text: digits }));
    return tokenAt(source, text.length, { kind: 'code', parts });
  }
  // 120/80 is a blood pressure.
  if (Number(numerator) > Number(denominator) && Number(denominator) >= 10) return null;
  return tokenAt(source, text.length, { kind: 'fraction', whole, numerator, denominator });
}

/** Matches a ratio behind a word that tells one; elsewhere times are tried first. */
export function matchToldRatio(source: TextCursor): Token | null {
  const scale = source.text.startsWith('1:', source.at) ? matchAt(SCALE, source.text, source.at) : null;
  if (scale !== null && !isTouching(source)) return ratioOf(source, scale[0]);
  const two = matchAt(TOLD_RATIO, source.text, source.at);
  const after = two === null ? '' : source.text.slice(source.at + two[0].length, source.at + two[0].length + 12);
  if (!RATIO_AFTER.test(after) && !RATIO_BEFORE.test(textBefore(source, 16))) return null;
  return matchRatio(source) ?? (two === null ? null : ratioOf(source, two[0]));
}

/** Matches 3:2:1 and 1:1.08. */
export function matchRatio(source: TextCursor): Token | null {
  const [written] = matchAt(RATIO, source.text, source.at) ?? [];
  if (written === undefined || isTouching(source) || MAC_LIKE.test(textBefore(source))) return null;
  return ratioOf(source, written);
}

function ratioOf(source: TextCursor, written: string): Token {
  const members = written.split(':').map((member) => decimalNumeral(member.replaceAll(',', '')));
  return tokenAt(source, written.length, { kind: 'ratio', members });
}

/** Matches 3:2, 16:9; times of day are tried first. */
export function matchScore(source: TextCursor): Token | null {
  const match = matchAt(SCORE, source.text, source.at);
  if (match === null || isTouching(source) || MAC_LIKE.test(textBefore(source))) return null;
  return tokenAt(source, match[0].length, { kind: 'score', home: match[1] ?? '', away: match[2] ?? '' });
}

const YEAR_BEFORE =
  /(?:^|[^\p{L}])(?:in|since|from|until|till|by|of|before|after|during|circa|ca?\.|year|and|to) $|\b(?:early|mid|late|pre|post)[- ]$/iu;
const YEAR_IN_CHINESE =
  /^(?:\s*$|[\s，。！？、,.!?)）(（\]】]|世界|全球|國際|国际|亞洲|亚洲|香港|奧運|奥运|亞運|全運|年|冠狀|冠状|電影|电影|施政|財政|财政|預算|选举|選舉|區議|立法|[财財學学]年|[春夏秋冬]|賀歲|新年|新款|最新|大賽|回歸|歐國|沙士|大選|風災|海嘯|賽季|年報|畢業|出生|跨年)/u;

/** Turns a plain number of four digits into a year if the context suggests one: 1997, 2026. */
export function asYear(source: TextCursor, token: Token): Token {
  if (token.kind !== 'number' || !isPlain(token.value) || token.value.digits.length !== 4) return token;
  const year = Number(token.value.digits);
  const { text, at, language } = source;
  const after = text.slice(at + token.text.length, at + token.text.length + 4);
  const meaning = { kind: 'year', digits: token.value.digits, suffix: '' } as const;
  const isModern = year >= 1900 && year <= 2099 && year % 1000 !== 0;
  if (language !== 'english') return isModern && YEAR_IN_CHINESE.test(after) ? { text: token.text, ...meaning } : token;
  if (year >= 1100 && year <= 2099 && YEAR_BEFORE.test(textBefore(source))) {
    return /^ (?:people|of|more|other|years|days|men|women|students)/.test(text.slice(at + 4, at + 14))
      ? token
      : { text: token.text, ...meaning };
  }
  return isModern && !/^ ?[a-z%]/.test(after) ? { text: token.text, ...meaning } : token;
}
