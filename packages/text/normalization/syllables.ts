import { withoutFillers } from '#text/script/keep-positions.ts';
import { visibleLetters } from './letters.ts';
import { greekName } from './letters-by-name.ts';
import { PLAIN_SIGNS } from './signs-of-mathematics.ts';
import type { Token } from './tokens.ts';

const VOWELS = /[aeiouyàáâäæèéêëìíîïòóôöøœùúûüāēīōū]+/giu;

/** A longer run of letters is no word, and is read nearly letter by letter. */
const MAX_WORD_LENGTH = 20;
const LETTERS_PER_SYLLABLE = 4;
const SYLLABLES_OF_GREEK = 2;
/** Signs that are spoken by their name also where they stand alone. */
const NAMED_ALONE = new RegExp(`^[℃℉№${PLAIN_SIGNS}]$`, 'u');
const SYLLABLES_OF_NAME = 3;

/** Marks, characters of two UTF-16 units, and the iteration mark, which is no syllable. */
const NOT_ONE_SYLLABLE = /[\p{M}\p{Cs}\u{10000}-\u{10FFFF}々]/u;

/** Counts the syllables of Chinese characters, one for each. */
export function countCharacters(han: string): number {
  return NOT_ONE_SYLLABLE.test(han) ? (han.match(/(?!々)\P{M}/gu)?.length ?? 0) : han.length;
}

/**
 * Estimates the syllables of a token without a dictionary: one for a Chinese character, for each
 * group of vowels of a Latin word, and for each digit. 0: the token is silent.
 */
export function countSyllables(token: Token): number {
  switch (token.kind) {
    case 'han':
      return countCharacters(token.text);
    case 'latin': {
      const word = visibleLetters(token.text);
      return Math.max(
        1,
        word.replace(/e\b/giu, '').match(VOWELS)?.length ?? 1,
        word.length > MAX_WORD_LENGTH ? Math.ceil(word.length / LETTERS_PER_SYLLABLE) : 0,
      );
    }
    case 'letters':
      return token.letters.length;
    case 'given':
      if (token.reading.length > 0 && token.language !== 'english') return token.reading.length;
      return Math.max(1, token.spokenForm.match(/\p{Script=Han}|\p{Script=Latin}+/gu)?.length ?? 1);
    case 'symbol':
      if (NAMED_ALONE.test(token.text)) return SYLLABLES_OF_NAME;
      return greekName(withoutFillers(token.text).text) === undefined ? 0 : SYLLABLES_OF_GREEK;
    case 'mark':
    case 'silent':
      return 0;
    default:
      return Math.max(1, token.text.match(/[\p{L}\p{N}%]/gu)?.length ?? 1);
  }
}
