import type { Token } from '#text/normalization/tokens.ts';
import { digitByDigit, integerInWords } from './chinese-numbers.ts';

/** Reads a year with its suffix: 一九九八; a decade of two digits is a number (八十年代). */
export function verbalizeYear({ digits, suffix }: Extract<Token, { kind: 'year' }>): string {
  const after = suffix === 's' ? '年代' : suffix;
  return (after === '年代' && digits.length === 2 ? integerInWords(digits) : digitByDigit(digits)) + after;
}

/** Reads a date: 二零二六年十一月二十一日; with 号 only if the text has it. */
export function verbalizeDate({ year, month, day, dayWord }: Extract<Token, { kind: 'date' }>): string {
  const spokenForm =
    (year === null ? '' : `${digitByDigit(year)}年`) + (month === null ? '' : `${integerInWords(String(month))}月`);
  return day === null ? spokenForm : `${spokenForm}${integerInWords(String(day))}${dayWord === '' ? '日' : dayWord}`;
}

const PART_OF_DAY = /(?:上午|下午|早上|晚上|中午|凌晨|傍晚|夜里|半夜|清晨|深夜|夜晚|早晨)\s*$/u;

/**
 * Reads a time of day: 三点半, 三点十五分, 两点, 八点零五分, and 十四点三十分 from thirteen on. am and pm come before
 * it, unless the text names the part of the day already.
 */
export function verbalizeTime(token: Extract<Token, { kind: 'time' }>, before: string): string {
  const { hour, minute, second, isHalf, half, shape, text } = token;
  const prefix = half === null || PART_OF_DAY.test(before) ? '' : partOfDay(hour, half);
  const isShi = shape === 'chinese' && /[时時]/u.test(text);
  const point = isShi ? (text.includes('時') ? '時' : '时') : text.includes('點') ? '點' : '点';
  const hours = prefix + (hour === 2 && !isShi ? '两' : integerInWords(String(hour))) + point;
  if (isHalf) return `${hours}半`;
  if (minute === null) return hours;
  if (shape === 'clock' && second === null) {
    if (minute === 0) return hours;
    if (minute === 30 && hour >= 1 && hour <= 12) return `${hours}半`;
  }
  const isBare = shape === 'chinese' && !text.includes('分');
  // 1点1分 keeps its form.
  const isShort = shape === 'chinese' && !/[点點时時]0/u.test(text);
  const spokenForm = (value: number) => (isShort ? integerInWords(String(value)) : twoDigits(value));
  const minutes = hours + spokenForm(minute) + (isBare ? '' : '分');
  return second === null ? minutes : `${minutes}${spokenForm(second)}秒`;
}

function twoDigits(value: number): string {
  return value === 0 ? '零' : (value < 10 ? '零' : '') + integerInWords(String(value));
}

function partOfDay(hour: number, half: 'am' | 'pm'): string {
  if (half === 'am') return hour === 12 || hour < 6 ? '凌晨' : '上午';
  if (hour === 12) return '中午';
  // Some writers combine pm with the hours of 24.
  return hour % 12 < 6 ? '下午' : '晚上';
}

const count = (value: number) => (value === 2 ? '两' : integerInWords(String(value)));

/** Reads how long something takes: 一小时三十分, 两小时四十五分二十秒. */
export function durationInWords({ hours, minutes, seconds }: Extract<Token, { kind: 'duration' }>): string {
  const parts = [
    hours === 0 ? '' : `${count(hours)}小时`,
    minutes === 0 ? '' : `${count(minutes)}分${hours + seconds === 0 ? '钟' : ''}`,
    seconds === 0 ? '' : `${count(seconds)}秒`,
  ];
  return parts.join('');
}
