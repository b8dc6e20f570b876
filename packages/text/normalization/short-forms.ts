import type { TokenContext } from './tokens.ts';

const DATE_AND_BRACKET = /(?:\d\/\d{1,2}|[日號号]) ?[（(]$/u;

/** Whether a character in brackets after a date is the day of the week: 12/8 (二). */
export function isWeekday(text: string, { before, after }: TokenContext): boolean {
  return /^[一二三四五六日]$/u.test(text) && DATE_AND_BRACKET.test(before) && /^[)）]/u.test(after);
}

/** A note, or the language C#, before its sign. */
export const NOTE_BEFORE = /(?<![\p{Script=Latin}\d])[A-G]$/u;

/** Text before the sign of a grade: a single letter, as in A- and B-. */
export const MINUS_GRADE_BEFORE = /(?<![\p{Script=Latin}\d-])[A-F]$/u;
/** The best grade of English examinations, A*, before its sign; A*B is a product. */
export const isStarOfGrade = (before: string, after: string): boolean =>
  /(?<![\p{Script=Latin}\d])A\**$/u.test(before) &&
  !/^\**\s?[\p{Script=Latin}\d(]/u.test(after.replace(/^ \p{Ll}/u, '。'));
/** Whether an asterisk is the star of a grade or a hotel in English: 5**, A*. */
export const isEnglishStar = (before: string, after: string): boolean =>
  (/(?<!\d)5\**$/.test(before) && !/^\**\s?\d/.test(after)) || isStarOfGrade(before, after);

/** The number or the letters of a floor before its F, but the ground floor: 12/F, UG/F. */
export const FLOOR_BEFORE = /(?:\d|(?<!\p{Script=Latin})[UL]G)\/$/u;
/** The letter of the ground floor before its F: G/F. */
export const GROUND_BEFORE = /(?<!\p{Script=Latin})G\/$/u;

/** After the sign of a grade, neither a word nor a number follows directly. */
export const MINUS_GRADE_AFTER = /^(?:$|[，。！？、；,.!?;)）]| (?:in|for|on|at)\b|[嘅呀啊喎啦都就同的])/u;

/** A short number behind its sign: #3 is 三號; the sign of #10482 and of 第#3集 is silent. */
const NUMBERED_BEFORE = /(?<!(?:[號号碼码第]|排名|[Nn]o\.?|(?<![\p{Script=Latin}\d])[A-G])[：:]? ?)#\s?$/u;
const MAX_SHORT = 2;

/** Whether the sign before a number is read behind it: #3. */
export const hasNumberSign = (digits: string, { before, after }: TokenContext): boolean =>
  digits.length <= MAX_SHORT && NUMBERED_BEFORE.test(before) && !/^ ?[號号]/u.test(after);

/** An act that a key starts, or the end of its clause; 按#香港美食 has a topic. */
const BY_KEY =
  /^(?:$|\s(?!\s?\d)|[，。！？；、,.!?;)）」』]|[結结]束|[確确][認认定]|完成|[繼继][續续]|重[聽听]|跳[過过]|[離离][開开]|取消|[開开]始|退出|提交|即|就|再|之[後后]|然[後后]|返[回主上去到]|[字掣]|[號号](?![碼码]))/u;

/** Text around the key of a telephone: 按#, #字鍵. */
export const isKey = (before: string, after: string): boolean =>
  /^ ?(?:字?[鍵键]|[號号][鍵键])/u.test(after) || (/[按撳㩒]\s?$/u.test(before) && BY_KEY.test(after));

/** A number, or an amount with its currency, behind a sign that says about: ~5, ~HK$600. */
export const AMOUNT_AFTER = /^\s*\d|^[A-Z]{0,3}\p{Sc}\d/u;

/** Whether a code is a size or a product: 2x4. */
export const isSize = (text: string): boolean => /^[1-9]\d{0,3}[xX][1-9]\d{0,3}$/u.test(text);

/** Whether a number counts what one shops: Shop 100 brands, while Shop 100 is a place. */
export function countsThings(before: string, after: string): boolean {
  return /(?:Shop|Unit|Suite|Booth|Locker) ?$/u.test(before) && /^ \p{Ll}/u.test(after);
}

const TRADES = new Set('B2B B2C B2E B2G C2B C2C C2M D2C O2O P2P G2B G2C G2G M2M V2G V2V V2X'.split(' '));

/** Kinds of trade and connection: B2B, O2O. Null: others, such as buses, floors and flats. */
export function fromTo(code: string): string | null {
  return TRADES.has(code) ? `${code.charAt(0)} to ${code.charAt(2)}` : null;
}

/** A dose, a rate or a consumption before what it is per: 5mg/ml, 72/min, 6.5L/100km. */
const MEASURED_BEFORE = /\d ?(?:mg|g|mcg|µg|ml|mL|L|kg|kWh|IU|kcal|c?m³)?$/u;
const PER_UNIT_AFTER = /^(?:ml|mL|L|kg|km|min|hr|hour|h|sec|day)(?![\p{Script=Latin}\d])/u;
/** A measure before the second that it is about: 40 MB/s, 3 km/s, 60 frames/s. */
const IN_SECOND_BEFORE =
  /\d ?(?:[KMGTkmgt]?(?:[Bb]|bits?)|L|mL|ml|m³|cm³|[kcmµ]m|k?g|rad|req|frames?|words?|pixels?|[A-Za-z]*ops)$/u;
const SECOND_AFTER = /^s(?![\p{Script=Latin}\d'’²^])/u;
const CONSUMED_BEFORE = /\d ?(?:L|kWh|g|kg)$/u;
const DISTANCE_AFTER = /^100 ?(?:km|g|ml|mL)(?![\p{Script=Latin}\d])/u;

/** Whether a slash says what an amount is per. */
export function isPerUnit(before: string, after: string): boolean {
  return (
    (after.startsWith('s') && SECOND_AFTER.test(after) && IN_SECOND_BEFORE.test(before)) ||
    (MEASURED_BEFORE.test(before) && PER_UNIT_AFTER.test(after)) ||
    (CONSUMED_BEFORE.test(before) && DISTANCE_AFTER.test(after))
  );
}

/** An amount and its noun before a slash, and the time that it is about: 7 days/week. */
const TIMES_BEFORE = /(?<![\d.,/])\d[\d.,]*(?:[ -]\p{Ll}+s| ?(?:[KMGT]B|kWh|kcal|k?m|m?g|kg|m?L|ml|hrs?|h))$/u;
const TIME_AFTER = /^(?:second|minute|hour|day|night|week|month|year|person|serving)(?!\p{L}|\/)/u;

/** Whether a slash says in what time something is done. */
export const isPerTime = (before: string, after: string): boolean =>
  TIMES_BEFORE.test(before) && TIME_AFTER.test(after);

/** Whether a hyphen stands between two codes of a kind: P1-P3, P1-3, 5A-5D, 3/F-5/F, 8k-12k. */
export function isBetweenCodes(before: string, after: string): boolean {
  if (/\d\/F ?$/u.test(before) && /^ ?\d{1,3}\/F/u.test(after)) return true;
  const [, thousands] = /(?<![\p{Script=Latin}\d.-])\d{1,3}(?:\.\d)?([kKwW]) ?$/u.exec(before) ?? [];
  if (thousands !== undefined)
    return new RegExp(`^ ?\\d{1,3}(?:\\.\\d)?${thousands}(?![\\p{Script=Latin}\\d-])`, 'u').test(after);
  const [, first] = /(?<![\p{Script=Latin}\d-])(?:[B-GI-Z]|Ch|Ex|Lv)(\d{1,2})$/u.exec(before) ?? [];
  const [, last] = first === undefined ? [] : (/^(\d{1,2})(?![\d-]|\p{Script=Latin})/u.exec(after) ?? []);
  if (first !== undefined && last !== undefined) return Number(first) < Number(last);
  // Classes of a year: 5A-5D, 5A-D.
  const [, year, from = ''] = /(?<![\p{Script=Latin}\d-])(\d{1,2})([A-Z])$/u.exec(before) ?? [];
  const [, otherYear, to = ''] = /^(\d{0,2})([A-Z])(?![\p{Script=Latin}\d-])/u.exec(after) ?? [];
  if (year !== undefined && (otherYear === year || /^[A-Z] ?班/u.test(after))) return from < to;
  const [, letters] = /(?<![\p{Script=Latin}\d-])([A-Z]{1,3}\.?)\d{1,3} ?$/u.exec(before) ?? [];
  return letters !== undefined && new RegExp(`^ ?${letters.replace('.', '\\.')}\\d{1,3}(?![\\d-])`, 'u').test(after);
}

/** Whether a slash stands between the address of a network and its length: 10.0.0.0/8. */
export function isBeforeNetworkLength(before: string, after: string): boolean {
  return /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}$/.test(before) && /^\d{1,2}(?![\d/.])/.test(after);
}
