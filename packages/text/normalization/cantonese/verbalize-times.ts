import type { Token } from '#text/normalization/tokens.ts';
import { digitByDigit, integerInWords } from './numerals.ts';

type DateToken = Extract<Token, { kind: 'date' }>;
type TimeToken = Extract<Token, { kind: 'time' }>;
type DurationToken = Extract<Token, { kind: 'duration' }>;
type YearToken = Extract<Token, { kind: 'year' }>;

const number = (value: number) => integerInWords(String(value));

/** Reads a year digit by digit, except for thousands: 二千年. */
function yearInWords(digits: string): string {
  if (/^[12]000$/.test(digits)) return digits === '2000' ? '二千' : '一千';
  return digitByDigit(digits);
}

export function verbalizeYear({ digits, suffix }: YearToken): string {
  if (suffix === '') return yearInWords(digits);
  if (suffix === '年') return `${yearInWords(digits)}年`;
  // 八十年代, 一九八零年代.
  return `${digits.length === 2 ? integerInWords(digits) : yearInWords(digits)}年代`;
}

/** 二零二六年十一月二十一號: 號 is the spoken form unless the text has 日. */
export function verbalizeDate({ year, month, day, dayWord }: DateToken): string {
  const parts = [
    year === null ? '' : `${yearInWords(year)}年`,
    month === null ? '' : `${number(month)}月`,
    day === null ? '' : `${number(day)}${dayWord === '日' ? '日' : '號'}`,
  ];
  return parts.join('');
}

const DAYTIME_BEFORE =
  /(?:朝早|朝頭早|今朝|聽朝|尋朝|上午|上晝|下午|下晝|晏晝|中午|正午|傍晚|黃昏|夜晚|今晚|聽晚|尋晚|琴晚|當晚|晚上|晚|夜|凌晨|半夜|清晨|早上|晨)(?:嘅|約|大約)?$/u;

/**
 * Reads a time of day: 三點半, 八點零五分, 夜晚八點. `before` is the previous text, which may contain the part
 * of the day already.
 */
export function verbalizeTime(time: TimeToken, before: string): string {
  const { hour, minute, second, isHalf, half, shape } = time;
  const daytime = half === null || DAYTIME_BEFORE.test(before.trimEnd()) ? '' : daytimeOf(hour, half);
  const hourWord = shape === 'chinese' && /[時时]/u.test(time.text) ? '時' : '點';
  const hourText = `${daytime}${hour === 2 ? '兩' : number(hour)}${hourWord}`;
  if (isHalf) return `${hourText}半`;
  if (second !== null && second > 0) return `${hourText}${minuteInWords(minute ?? 0)}分${minuteInWords(second)}秒`;
  if (minute === null || (minute === 0 && shape === 'clock')) return hourText;
  if (minute === 30 && shape === 'clock' && hour >= 1 && hour <= 12) return `${hourText}半`;
  const isSpelt = shape === 'clock' || /[點点時时]0/u.test(time.text);
  return `${hourText}${isSpelt ? minuteInWords(minute) : number(minute)}分`;
}

/** Reads how long something takes: 一小時三十分, 兩小時四十五分二十秒. */
export function durationInWords({ hours, minutes, seconds }: DurationToken): string {
  const parts = [
    hours === 0 ? '' : `${hours === 2 ? '兩' : number(hours)}小時`,
    minutes === 0 ? '' : `${minutes === 2 ? '兩' : number(minutes)}分${hours + seconds === 0 ? '鐘' : ''}`,
    seconds === 0 ? '' : `${seconds === 2 ? '兩' : number(seconds)}秒`,
  ];
  return parts.join('');
}

function minuteInWords(minute: number): string {
  return minute > 0 && minute < 10 ? `零${number(minute)}` : number(minute);
}

function daytimeOf(hour: number, half: 'am' | 'pm'): string {
  if (half === 'am') return hour === 12 || hour < 6 ? '凌晨' : '朝早';
  if (hour === 12) return '中午';
  // Some writers combine pm with the hours of 24.
  return hour % 12 < 6 ? '下晝' : '夜晚';
}
