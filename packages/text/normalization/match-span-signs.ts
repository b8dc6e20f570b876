import { CALENDAR_DASH, DATE_DASH } from './english/calendar-names.ts';
import type { Token } from './tokens.ts';
import { matchAt, type TextCursor } from './text-cursor.ts';

const COUNT = '(?:\\d+(?:[.,]\\d+)?|[一二三四五六七八九十百千兩两廿]{1,4})';
const PART_OF_DAY = '(?:上午|下午|早上|朝早|上晝|中午|晏晝|下晝|傍晚|晚上|夜晚|凌晨|翌日|第二日)';
/** Words before numbers that name one of a row: 星期一, 第三, 中一. */
const NAMED = '星期|禮拜|礼拜|週|周|初|第|中|小';
const ONE_OF_ROW = '[一二三四五六七八九十日末\\d]{1,3}';

/** The text before and after a sign that joins the ends of a span. */
const ENDS = [
  // The same unit twice: 5歲-8歲, 10分鐘-15分鐘, 三月-五月, 1樓-3樓.
  [`(?<![\\d.])${COUNT} ?(?<unit>\\p{Script=Han}{1,3})`, `第?${COUNT} ?\\k<unit>`],
  // Days of the week and grades: 星期一-星期五, 星期一-五, 初一-初三.
  [`(?<name>${NAMED})${ONE_OF_ROW}`, `\\k<name>${ONE_OF_ROW}(?!\\d)`],
  ['(?:星期|禮拜|礼拜|週|周)[一二三四五六]', '[二三四五六日](?!\\p{Script=Han}?[月號号日歲岁個个])'],
  // Days and parts of months: 3月8日-10日, 3月8日-4月2日, 4月底-5月初.
  ['\\d月(?:[底初中尾]|\\d{1,2}[日號号])?', '\\d{1,2}[月日號号]'],
  // Hours: 早上9時-下午5時, 上午9:00-下午5:00.
  [`${COUNT} ?(?:[時时點点][半正]?|分)`, `${PART_OF_DAY}? ?${COUNT} ?[時时點点:]`],
  ['\\d:\\d\\d', `${PART_OF_DAY} ?\\d{1,2}(?:[時时點点:])`],
] as const;
const SIGN = '(?<![-–—－~～])[-–—－~～](?![-–—－~～])';
const PATTERNS = ENDS.map(
  ([before, after]) => new RegExp(`(?<=${before} ?)${SIGN}(?= ?${after}(?!.{0,6}[=＝]))`, 'uy'),
);
const FIRST = /[-–—－~～]/u;

/**
 * Matches the sign between two ends that have their units: 5歲-8歲 is "from five to eight", and no
 * minus. Numbers with one unit for both are one token (see `matchRange`).
 */
export function matchSpanSign({ text, at, language }: TextCursor): Token | null {
  const sign = text.charAt(at);
  const dashes = language === 'english' ? [CALENDAR_DASH, DATE_DASH] : [CALENDAR_DASH];
  if (/[-–—]/.test(sign) && dashes.some((dash) => matchAt(dash, text, at) !== null))
    return { text: sign, kind: 'given', language: 'english', spokenForm: 'to', reading: [] };
  if (language === 'english' || !FIRST.test(sign)) return null;
  if (PATTERNS.every((pattern) => matchAt(pattern, text, at) === null)) return null;
  return { text: sign, kind: 'given', language, spokenForm: '至', reading: [] };
}
