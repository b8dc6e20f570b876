import { isReign } from './reigns.ts';
import { matchAt, textBefore, tokenAt, type TextCursor } from './text-cursor.ts';
import type { Token } from './tokens.ts';

const ROMAN = /(?:X[LC]|L?X{0,3})(?:IX|IV|V?I{0,3})(?![\p{Script=Latin}\d'])/uy;
const ROMAN_IN_BRACKETS = /(?:ix|iv|v?i{0,3})(?=[)）])/uy;
const ROMAN_VALUES: Readonly<Record<string, number>> = { I: 1, V: 5, X: 10, L: 50, C: 100 };
/** Characters before IV at the end, without a verb of giving infusions. */
const TITLE_OF_SERIES = /(?<![打吊插]\p{Script=Han}{0,2})(?<=\p{Script=Han}{2})$/u;
/** A kind of thing that Roman numerals number: II型糖尿病. */
const NUMBERED_AFTER = /^(?:型|期(?!間|间|望)|級|级|度|類|类)/u;

/** Matches a Roman numeral behind what it numbers: Chapter IV, 第II期. */
export function matchRoman(source: TextCursor): Token | null {
  const before = textBefore(source);
  // A list (i), (ii), not f(v).
  const isInBrackets = /(?<!\p{Script=Latin})[(（]$/u.test(before);
  const match = isInBrackets
    ? (matchAt(ROMAN_IN_BRACKETS, source.text, source.at) ?? matchAt(ROMAN, source.text, source.at))
    : matchAt(ROMAN, source.text, source.at);
  const small = match?.[0] ?? '';
  if (small === '') return null;
  const written = small.toUpperCase();
  const after = source.text.slice(source.at + written.length, source.at + written.length + 4);
  const isNumbered =
    /(?:第|Chapter |Part |Section |Act |Scene |Article |Volume |Class |Book |Phase |Type |Stage )$/u.test(before);
  const isOfName = written.length >= 2 && written !== 'XX' && written !== 'XXX' && /\p{Lu}\p{Ll}+ $/u.test(before);
  const isLongEnough = written.length >= 3 || written === 'II';
  const isOfChineseName = isLongEnough && !/^[XLC]+$/.test(written) && /\p{Script=Han}$/u.test(before);
  // 教父IV ends a name of at least two characters; 打IV is an infusion.
  const isAtEnd =
    written.length === 2 &&
    !/^[XLC]+$/.test(written) &&
    TITLE_OF_SERIES.test(before) &&
    /^(?:$|[，。！？、；）」』》,.!?;)\s])/u.test(after);
  const isKind = (isLongEnough || written === 'IV' || written === 'I') && NUMBERED_AFTER.test(after);
  const isRegnal = source.language !== 'english' && isReign({ before, after });
  const isItem = isInBrackets && small !== written;
  if (!isNumbered && !isOfName && !isOfChineseName && !isAtEnd && !isKind && !isRegnal && !isItem) return null;
  let value = 0;
  for (let index = 0; index < written.length; index += 1) {
    const here = ROMAN_VALUES[written.charAt(index)] ?? 0;
    value += here < (ROMAN_VALUES[written.charAt(index + 1)] ?? 0) ? -here : here;
  }
  return tokenAt(source, written.length, { kind: 'roman', value });
}
