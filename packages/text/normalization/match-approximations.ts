import type { Token } from './tokens.ts';
import { matchAt, type TextCursor } from './text-cursor.ts';

const DIGITS = '一二三四五六七八九';
/** A digit before 、, which is no later part of a list, of a number or of an ordinal. */
const FIRST = /(?<![\d.,、第零〇一二兩两三四五六七八九十百千萬万點点])([1-9一二兩两三四五六七八九])$/u;
/** The next digit, before a power of ten or something counted. */
const NEXT =
  /、([1-9一二兩两三四五六七八九])(?= ?(?:[十百千萬万億亿成個个位隻只條条張张件杯次人日天歲岁蚊元塊块點点間间層层倍分碟枝支粒包盒本部架晚]|年(?![級级])|月|星期|禮拜|礼拜|小時|小时|公里|公斤))/uy;

/**
 * Matches the mark between two digits in sequence that count approximately: 5、6個 and 三、四十人 are
 * spoken without a pause.
 */
export function matchApproximation({ text, at, language }: TextCursor): Token | null {
  if (language === 'english' || text.charAt(at) !== '、') return null;
  const first = FIRST.exec(text.slice(Math.max(0, at - 2), at))?.[1];
  const next = matchAt(NEXT, text, at)?.[1];
  if (first === undefined || next === undefined) return null;
  return valueOf(next) === valueOf(first) + 1 ? { text: '、', kind: 'silent' } : null;
}

function valueOf(digit: string): number {
  return /\d/.test(digit) ? Number(digit) : DIGITS.indexOf(digit.replace(/[兩两]/u, '二')) + 1;
}
