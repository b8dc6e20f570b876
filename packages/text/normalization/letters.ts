/** Characters that are invisible within a word: soft hyphens, joiners, spaces without width. */
export const INVISIBLE = '\\u{AD}\\u{200B}-\\u{200D}\\u{2060}\\u{FEFF}';
/** With the sign that a letter is to be shown as a picture: 🅿️. */
const WITHIN_WORD = new RegExp(`[${INVISIBLE}\\u{FE00}-\\u{FE0F}]`, 'gu');

const PLAIN = /^[\x21-\x7E]*$/;

/** A written word in plain letters: ﬁnance is finance. */
export function visibleLetters(written: string): string {
  // Most words are plain, and both steps would copy them.
  if (PLAIN.test(written)) return written;
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
