export const DIGITS = '一二三四五六七八九';
export const NUMBERS = `零〇${DIGITS}十百千萬億廿卅`;
/** Amounts: digits, and words for an uncertain one. */
export const AMOUNTS = `${NUMBERS}兩幾半`;
