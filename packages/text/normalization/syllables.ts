import type { Token } from './tokens.ts';

const VOWELS = /[aeiouyàáâäæèéêëìíîïòóôöøœùúûüāēīōū]+/giu;

/** Above this a run of letters is no word of any language, and said letter by letter, or nearly so. */
const LONGEST_WORD = 20;
const LETTERS_PER_SYLLABLE = 4;

/**
 * About how many syllables an item has when it is said, without a dictionary: a Chinese character one, a Latin word its groups of
 * vowels, digits one each. 0: nothing of it is said.
 */
export function countSyllables(token: Token): number {
  switch (token.kind) {
    case 'han':
      // The sign of repetition is nothing by itself.
      return token.text.match(/(?!々)\p{Script=Han}/gu)?.length ?? 0;
    case 'latin':
      return Math.max(
        1,
        token.text.replace(/e\b/giu, '').match(VOWELS)?.length ?? 1,
        token.text.length > LONGEST_WORD ? Math.ceil(token.text.length / LETTERS_PER_SYLLABLE) : 0,
      );
    case 'letters':
      return token.letters.length;
    case 'mark':
    case 'symbol':
    case 'silent':
      return 0;
    default:
      return Math.max(1, token.text.match(/[\p{L}\p{N}%]/gu)?.length ?? 1);
  }
}
