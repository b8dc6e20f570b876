import { rule, type ReadingRule } from './reading-rule.ts';

/** Readings within numbers, which hold against every word: 十分之七 is not "very". */
export const NUMBER_RULES: readonly ReadingRule[] = [
  // Denominators; before a unit of time it is a minute.
  rule(/(?<=[一二三四五六七八九十百千萬億幾])分(?=之[零一二三四五六七八九十百千兩幾負正])/gu, 'fan6'),
  // A third, but 七點十五分四位 is a time.
  rule(/(?<=(?<![點時十][二三四五]?十?)[三四五六七八九])分(?=[一二三四](?![分秒鐘十點年月]))/gu, 'fan6'),
  // "And some" between a number and what is counted; the digit elsewhere.
  rule(/零/gu, 'ling4'),
  rule(new RegExp(`(?<=[十百千萬廿卅個斤年])零(?=[人個歲蚊年日月鐘分度隻條萬磅斤米間]|$)`, 'gu'), 'leng4'),
  rule(/(?<=十)零(?=廿)/gu, 'leng4'),
  rule(/(?<=個)零(?=[兩幾三])/gu, 'leng4'),
  rule(/(?<=孤)零|零(?=零丁)/gu, 'ling4'),
];
