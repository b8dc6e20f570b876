import type { Token } from '#text/normalization/tokens.ts';
import { ordinalInWords, integerInWords } from './english-numbers.ts';

/**
 * Reads a fraction: a half, three quarters, two and a half, five eighths; denominators from a
 * hundred on are "over".
 */
export function verbalizeFraction({ whole, numerator, denominator }: Extract<Token, { kind: 'fraction' }>): string {
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
