import type { Token } from './tokens.ts';
import { NAMED_BEFORE } from './match-latin.ts';
import { isTouching, tokenAt, matchAt, textBefore, type TextCursor } from './text-cursor.ts';

/** A code by itself: 輸入+852. */
const CODE = /\+(85[23]|886)(?![\d.,:/%-]|[分蚊元個个人次])/uy;
const INTERNATIONAL = /\+(\d{1,3})[ -]?\(?(\d{1,4})\)?((?:[ -]?\d{2,8}){1,4})(?!\d)/y;
/** Eight digits, perhaps with the code of Hong Kong or Macau. */
const LOCAL_GROUPS = /^(85[23])?(\d{4})(\d{4})$/;
const EIGHT_DIGITS = /([2-9]\d{3})([ ·‧・•-]?)(\d{4})(?![\d.,%])(?! ?-? ?\d)/y;
const MAINLAND = /(1[3-9]\d)([ -]?)(\d{4})\2(\d{4})(?!\d)/y;
const WITH_AREA = /(0\d{2,3})-(\d{7,8})(?!\d)/y;
/** The codes of Hong Kong, Macau and the mainland, written without a plus. */
const LOCAL_CODE = /(85[23])[ -]([2-9]\d{3})[ -]?(\d{4})(?![\d.,%])/y;
const MAINLAND_CODE = /(86)[ -](1[3-9]\d)[ -]?(\d{4})[ -]?(\d{4})(?!\d)/y;
const THREE_GROUPS = /(\d{3,4})-(\d{3,4})-(\d{4})(?![\d-])/y;
/** A number of the United States with points: 555.123.4567. */
const POINTED_GROUPS = /(\d{3})\.(\d{3})\.(\d{4})(?!\.?\d)/y;
/** A number that begins with 0, in three groups: 0207 946 0991. */
const SPACED_GROUPS = /(0\d{2,4}) (\d{3,4}) (\d{3,4})(?! ?\d)/y;
/** A bank account: 012-345-6-789012-3. */
const ACCOUNT = /\d{2,12}(?:-\d{1,12}){2,5}(?![\d-])/y;
const MIN_ACCOUNT_DIGITS = 9;
const CARD = /(\d{4})([ -])(\d{4})\2(\d{4})\2(\d{4})(?!\d)/y;
/** The last digits of a number whose others are hidden: ***-***123, xxxx-xxxx-1234. */
const LAST_DIGITS = /(\d{2,6})(?![\d.,:/%]|-\d)/y;
const HIDDEN_BEFORE = /(?:(?<![\d.])\*{2,}(?! )|(?<![\p{Script=Latin}\d])[Xx]{3,}|•{2,})[ -]?$/u;
/** A code behind its name: 取件碼8-3-2046, 編號20261130-0012. */
const NAMED_GROUPS = /\d{1,6}(?:-\d{1,6}){2,4}(?![\d-])|\d{6,12}-\d{3,8}(?![\d-])/y;
const CODE_NAME = /(?:[碼码號号單单]|code|ID|PIN|OTP)[^\d]{0,4}$/iu;
/** Hotlines of seven digits: 183 2000, 1878 200. */
const SERVICE = /(18\d)[ -](\d{4})(?![\d-])|(18\d{2}) (\d{3})(?!\d)/y;
/** An area code in brackets before a number: (852) 2345 6789. */
const AREA = /(\d{2,4})(?=[)）][ -]?\d{3,4}[ .-]?\d{4}(?!\d))/y;
const SHORT = /(\d{3,6})(?![\d.,:/-]\d|\d|[%個个次蚊元條条封人樣样年點点分歲岁])/uy;
/** Two digits of a longer number or of a code, which are no number of their own: 尾數23. */
const DIGITS =
  /(\d{2})(?![\d:/%-]|[.,]\d|\s?[個个次蚊元條条封人樣样年點点分歲岁秒日天小時时週周月位部名米公斤尺倍成萬万億亿]|\s?\p{Script=Latin})/uy;
const DIGITS_OF =
  /(?:尾[數数號号]碼?|[電电]話尾|尾[二兩两2]?[位個个](?:號碼|号码|數字|数字|字|數|数)?|密[碼码]|(?<!\p{Script=Latin})(?:PIN|OTP|pin|otp)|[驗验][證证][碼码]|字頭|分[機机]|內線|内线|(?:ending|ends|end) (?:in|with)|last (?:two|2) digits|\bext(?:ension)?\.?)(?:係|是|為|为|:|：| is| are)? ?$/iu;
const CALLS =
  /(?:打|致電|致电|電話|电话|熱線|热线|hotline|call|dial|tel|fax|傳真|報警|报警|[火匪]警|急救|撳|字頭|\bext(?:ension)?)(?:去|返|咗|俾|畀|係|系|是|號碼|号码|:|：|\.)?\s?$/iu;
/** Services to call, after their number: 999報警, 1823投訴熱線. */
const CALLED =
  /^\s?(?![人個个蚊元間间名年字米呎尺萬万億亿條条部張张份次])(?:\p{Script=Han}{1,4}(?:熱線|热线)|報警|报警|報案|报案|求助|熱線|热线|客服|(?:官方)?[网網]站|官[网網]|(?:電話|电话)(?![用查號号訪访會会]))/u;
/** Services that are named by their number. */
const EMERGENCY = /^(?:1[12]0|119|122|999)$/u;
const EMERGENCY_AFTER = /^\s?(?:急救|救[護护]|火警)(?![員员人箱包車车站])/u;
/** Countable nouns after a number: 2000-3000人. */
const COUNTED = /^\s?[人個个蚊元間间名年字米呎尺萬万億亿]/u;

/** Matches telephone and card numbers, and short ones in the context of a call. */
export function matchPhone(source: TextCursor): Token | null {
  const { text, at } = source;
  if (HIDDEN_BEFORE.test(textBefore(source))) return grouped(source, matchAt(LAST_DIGITS, text, at), [1]);
  if (isTouching(source)) return null;
  return (
    international(source) ??
    code(source) ??
    eightDigits(source) ??
    grouped(source, matchAt(LOCAL_CODE, text, at), [1, 2, 3]) ??
    grouped(source, matchAt(MAINLAND_CODE, text, at), [1, 2, 3, 4]) ??
    grouped(source, matchAt(MAINLAND, text, at), [1, 3, 4]) ??
    grouped(source, matchAt(WITH_AREA, text, at), [1, 2]) ??
    grouped(source, matchAt(CARD, text, at), [1, 3, 4, 5]) ??
    grouped(source, matchAt(THREE_GROUPS, text, at), [1, 2, 3]) ??
    grouped(source, matchAt(POINTED_GROUPS, text, at), [1, 2, 3]) ??
    grouped(source, matchAt(SPACED_GROUPS, text, at), [1, 2, 3]) ??
    account(source) ??
    hotline(source) ??
    area(source) ??
    behindArea(source) ??
    short(source)
  );
}

function grouped(source: TextCursor, match: RegExpExecArray | null, groups: readonly number[]): Token | null {
  if (match === null) return null;
  const digits = groups.map((group) => match[group] ?? '');
  return tokenAt(source, match[0].length, { kind: 'phone', groups: digits, plus: false });
}

function international(source: TextCursor): Token | null {
  const match = matchAt(INTERNATIONAL, source.text, source.at);
  if (match === null) return null;
  const groups = match[0].match(/\d+/g) ?? [];
  const count = groups.join('').length;
  // A text such as +5 10 is a sum, not a telephone number.
  if (count < 8 || count > 15) return null;
  const parted = groups.flatMap((group) => LOCAL_GROUPS.exec(group)?.slice(1).filter(Boolean) ?? [group]);
  return tokenAt(source, match[0].length, { kind: 'phone', groups: parted, plus: true });
}

function code(source: TextCursor): Token | null {
  const match = matchAt(CODE, source.text, source.at);
  if (match === null) return null;
  return tokenAt(source, match[0].length, { kind: 'phone', groups: [match[1]!], plus: true });
}

function eightDigits(source: TextCursor): Token | null {
  const { text, at } = source;
  const match = matchAt(EIGHT_DIGITS, text, at);
  if (match === null) return null;
  const [whole, first = '', separator, second = ''] = match;
  const isCalled = CALLS.test(textBefore(source));
  if (!isCalled && COUNTED.test(text.slice(at + whole.length, at + whole.length + 2))) return null;
  const areYears = /^(?:19|20)/.test(first) && /^(?:19|20)/.test(second) && first < second;
  if (!isCalled && separator === '-' && areYears) return null;
  return tokenAt(source, whole.length, { kind: 'phone', groups: [first, second], plus: false });
}

function account(source: TextCursor): Token | null {
  const match = matchAt(ACCOUNT, source.text, source.at);
  const groups = match?.[0].split('-') ?? [];
  if (match === null || groups.join('').length < MIN_ACCOUNT_DIGITS) return namedGroups(source);
  return tokenAt(source, match[0].length, { kind: 'phone', groups, plus: false });
}

/** Whether the name of a code stands before a place, and no vehicle that one takes on a day. */
export function isCodeNext(source: TextCursor): boolean {
  const before = textBefore(source);
  return NAMED_BEFORE.test(before) && CODE_NAME.test(before);
}

function namedGroups(source: TextCursor): Token | null {
  const [digits] = matchAt(NAMED_GROUPS, source.text, source.at) ?? [];
  if (digits === undefined || !isCodeNext(source)) return null;
  return tokenAt(source, digits.length, { kind: 'phone', groups: digits.split('-'), plus: false });
}

function hotline(source: TextCursor): Token | null {
  const match = matchAt(SERVICE, source.text, source.at);
  return grouped(source, match, match?.[1] === undefined ? [3, 4] : [1, 2]);
}

function area(source: TextCursor): Token | null {
  return /[(（]\+?$/u.test(textBefore(source)) ? grouped(source, matchAt(AREA, source.text, source.at), [1]) : null;
}

/** The number behind an area code of three digits: (212) 555-0134. */
const BEHIND_AREA = /(\d{3})[ .-](\d{4})(?![\d-])/y;

function behindArea(source: TextCursor): Token | null {
  return /[(（]\d{3}[)）][ -]?$/u.test(textBefore(source))
    ? grouped(source, matchAt(BEHIND_AREA, source.text, source.at), [1, 2])
    : null;
}

function short(source: TextCursor): Token | null {
  const digits = matchAt(DIGITS, source.text, source.at);
  if (digits !== null && DIGITS_OF.test(textBefore(source, 24))) return grouped(source, digits, [1]);
  const match = matchAt(SHORT, source.text, source.at);
  if (match === null) return null;
  const after = source.text.slice(source.at + match[0].length, source.at + match[0].length + 4);
  const isCalled =
    (!match[0].endsWith('00') && CALLED.test(after)) || (EMERGENCY.test(match[0]) && EMERGENCY_AFTER.test(after));
  return isCalled || CALLS.test(textBefore(source)) ? grouped(source, match, [1]) : null;
}
