/** Characters that are invisible within a word: soft hyphens, joiners, spaces without width. */
export const INVISIBLE = '\\u{AD}\\u{200B}-\\u{200D}\\u{2060}\\u{FEFF}';
/**
 * A pattern of a Latin letter, also one of the alphabets for mathematics, or in a square (𝐇, 🄰).
 */
export const LETTER = '[\\p{Script=Latin}\\u{1D400}-\\u{1D6A5}\\u{1F130}-\\u{1F149}]';

const WITHIN_WORD = new RegExp(`[${INVISIBLE}]`, 'gu');

/** A written word in plain letters: ﬁnance and 𝐟𝐢𝐧𝐚𝐧𝐜𝐞 are finance. */
export function visibleLetters(written: string): string {
  return written.replaceAll(WITHIN_WORD, '').normalize('NFKC');
}

/**
 * Cuts a written word where the first `length` of its plain letters end. Null where one sign stands
 * for letters on both sides (ǲ).
 */
export function cutLetters(written: string, length: number): [string, string] | null {
  let start = '';
  for (const character of written) {
    if (visibleLetters(start).length >= length) break;
    start += character;
  }
  return visibleLetters(start).length === length ? [start, written.slice(start.length)] : null;
}
