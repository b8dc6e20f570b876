import type { Token, TokenContext } from '#text/normalization/tokens.ts';
import { ordinalInWords, integerInWords } from './english-numbers.ts';

/** Full marks, and words beside a mark or a count of people: 5/5 stars, 9/10 people. */
const FULL_MARK = /^(?:5|10|100)$/;
const MARK_AFTER =
  /^ (?:stars?|ratings?|reviews?|people|users|customers|adults|dentists|doctors|voters|would)(?!\p{L})/u;
const MARK_BEFORE = /\b(?:rated|rating|scored?|marks?)(?: (?:it|is|was|of|a|an))?:? $/iu;

/**
 * Reads a fraction: a half, three quarters, two and a half, five eighths; denominators from a
 * hundred on are "over". A measure of music has two numbers: 6/8 time.
 */
export function verbalizeFraction(
  { whole, numerator, denominator }: Extract<Token, { kind: 'fraction' }>,
  { before, after }: TokenContext,
): string {
  const isMark = FULL_MARK.test(denominator) && (MARK_AFTER.test(after) || MARK_BEFORE.test(before));
  if (whole === null && isMark) return `${integerInWords(numerator)} out of ${integerInWords(denominator)}`;
  if (whole === null && numerator !== '1' && /^(?:2|4|8|16)$/.test(denominator) && /^ time(?!\p{L})/u.test(after))
    return `${integerInWords(numerator)} ${integerInWords(denominator)}`;
  const part = fractionPart(numerator, denominator, whole !== null);
  // Equal parts are a proportion: 50/50.
  if (whole === null && numerator === denominator) return `${integerInWords(numerator)} ${integerInWords(denominator)}`;
  return whole === null ? part : `${integerInWords(whole)} and ${part}`;
}

function fractionPart(numerator: string, denominator: string, isAfterWhole: boolean): string {
  const isSingle = numerator === '1';
  const count = isSingle
    ? isAfterWhole && denominator !== '2' && denominator !== '4'
      ? 'one'
      : 'a'
    : integerInWords(numerator);
  if (denominator === '2') return `${count} ${isSingle ? 'half' : 'halves'}`;
  if (denominator === '4') return `${count} ${isSingle ? 'quarter' : 'quarters'}`;
  if (denominator.length > 2) return `${integerInWords(numerator)} over ${integerInWords(denominator)}`;
  if (denominator === '1') return `${integerInWords(numerator)} over one`;
  const article = isSingle && denominator === '8' ? 'an' : isSingle && /^1[18]$/.test(denominator) ? 'an' : count;
  return `${article} ${ordinalInWords(denominator)}${isSingle ? '' : 's'}`;
}
