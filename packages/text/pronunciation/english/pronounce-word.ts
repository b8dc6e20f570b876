import { openDictionary, type Dictionary } from './dictionary.ts';
import { loadLetterRules, sayLetters, type LetterRules } from './letter-to-sound.ts';
import { LISTED_FORMS } from './weak-forms.ts';

/**
 * The pronunciations of an English word, as ARPAbet phones with stress; at least one unless it has
 * no letter.
 */
export type PronounceWord = (word: string) => readonly (readonly string[])[];

type Pronouncer = {
  pronounce: PronounceWord;
  /** Whether a lower-case word is in a dictionary. */
  isKnown: (word: string) => boolean;
};

const HISSING = /^(?:S|Z|SH|ZH|CH|JH)$/;
const VOICELESS = /^(?:P|T|K|F|TH)$/;
const MIN_PART_LENGTH = 3;
/** Characters; the rest of a longer word is not read. */
const MAX_WORD_LENGTH = 40;
/** A word of fewer letters without a vowel is read letter by letter (tbh). */
const MAX_SPELLED_LENGTH = 12;
const DIGITS = 'zero one two three four five six seven eight nine'.split(' ');

/** Suffixes and the phones that they add; the longest first. */
const ENDINGS: readonly (readonly [string, (stem: readonly string[]) => string[]])[] = [
  ["n't", (stem) => [...stem, 'AH0', 'N', 'T']],
  ["'ll", (stem) => [...stem, 'AH0', 'L']],
  ["'ve", (stem) => [...stem, 'AH0', 'V']],
  ["'re", (stem) => [...stem, 'ER0']],
  ["'d", (stem) => withPast(stem)],
  ["'m", (stem) => [...stem, 'M']],
  ["'s", (stem) => withPlural(stem)],
  ["s'", (stem) => withPlural(stem)],
  ['ness', (stem) => [...stem, 'N', 'AH0', 'S']],
  ['less', (stem) => [...stem, 'L', 'AH0', 'S']],
  ['ment', (stem) => [...stem, 'M', 'AH0', 'N', 'T']],
  ['able', (stem) => [...stem, 'AH0', 'B', 'AH0', 'L']],
  ['ing', (stem) => [...stem, 'IH0', 'NG']],
  ['ers', (stem) => [...stem, 'ER0', 'Z']],
  ['er', (stem) => [...stem, 'ER0']],
  ['est', (stem) => [...stem, 'AH0', 'S', 'T']],
  ['ly', (stem) => [...stem, 'L', 'IY0']],
  ['ed', (stem) => withPast(stem)],
  ['es', (stem) => withPlural(stem)],
  ['s', (stem) => withPlural(stem)],
];

/** Loads the dictionary, the rules for unknown words, and the additional word lists. */
export async function openPronouncer(): Promise<Pronouncer> {
  return createPronouncer(await openDictionary());
}

/** Loads the same for another dictionary. */
export function createPronouncer(dictionary: Dictionary): Pronouncer {
  const rules = loadLetterRules();
  const lookUp: PronounceWord = (word) => LISTED_FORMS.get(word) ?? dictionary(word);
  const pronounce: PronounceWord = (word) => {
    const plain = plainLetters(word);
    for (const look of [plain, plain.replace(/^'+|'+$/g, '')]) {
      const found = lookUp(look);
      if (found.length > 0) return found;
    }
    return derived(plain, lookUp) ?? compound(plain, lookUp) ?? byLetters(plain, lookUp, rules);
  };
  return { pronounce, isKnown: (word) => lookUp(word).length > 0 };
}

/** Letters that are more than a plain letter with an accent, in the spelling of English. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  æ: 'ae', œ: 'oe', ø: 'o', ß: 'ss', ð: 'd', þ: 'th', ł: 'l', đ: 'd', ı: 'i', ħ: 'h', ŋ: 'ng', ŧ: 't', ƒ: 'f',
  ə: 'e', ɛ: 'e', ɜ: 'e', ɔ: 'o', ɒ: 'o', ɑ: 'a', ɐ: 'a', ʌ: 'u', ʊ: 'u', ɪ: 'i', ɡ: 'g', ʃ: 'sh', ʒ: 'zh',
}; // prettier-ignore

/** Lower case, without accents and other signs; digits stay. */
function plainLetters(word: string): string {
  return Array.from(
    word
      .slice(0, 2 * MAX_WORD_LENGTH)
      .toLowerCase()
      .replaceAll('’', "'")
      .normalize('NFKD'),
  )
    .map((char) => PLAIN_LETTERS[char] ?? char)
    .join('')
    .replace(/[^a-z0-9']/g, '')
    .slice(0, MAX_WORD_LENGTH);
}

/** A known word with a suffix: selfies, Kowloon's, vlogging. */
function derived(word: string, lookUp: PronounceWord): string[][] | null {
  for (const [ending, add] of ENDINGS) {
    if (!word.endsWith(ending)) continue;
    const stem = word.slice(0, -ending.length);
    if (stem.length < 2) continue;
    const doubled = /([bdgklmnprt])\1$/.test(stem) ? [stem.slice(0, -1)] : [];
    const stems = ending === "s'" ? [`${stem}s`, stem] : [stem, ...doubled, `${stem}e`, stem.replace(/i$/, 'y')];
    for (const candidate of stems) {
      const found = lookUp(candidate);
      if (found.length > 0)
        return found.map((phones) => (ending === "s'" && candidate !== stem ? [...phones] : add(phones)));
    }
  }
  return null;
}

/** Two known words in one: hotpot, Facetime. The longest first one wins. */
function compound(word: string, lookUp: PronounceWord): string[][] | null {
  for (let cut = word.length - MIN_PART_LENGTH; cut >= MIN_PART_LENGTH; cut -= 1) {
    const [first] = lookUp(word.slice(0, cut));
    const [second] = first === undefined ? [] : lookUp(word.slice(cut));
    if (first !== undefined && second !== undefined) return [[...first, ...second]];
  }
  return null;
}

/** Words without a vowel are spelled out; others are read by letter-to-sound rules. */
function byLetters(word: string, lookUp: PronounceWord, rules: LetterRules): string[][] {
  const letters = word.replaceAll("'", '');
  const isSpelt = /\d/.test(letters) || (!/[aeiouy]/.test(letters) && letters.length <= MAX_SPELLED_LENGTH);
  if (!isSpelt) return sayLetters(letters, rules);
  const names = Array.from(letters).flatMap((sign) => {
    const digit = /\d/.test(sign) ? DIGITS[Number(sign)] : undefined;
    return digit === undefined ? letterName(sign, lookUp) : (lookUp(digit)[0] ?? []);
  });
  return names.length === 0 ? [] : [names];
}

/** The letter a has another name than the word a. */
const letterName = (letter: string, lookUp: PronounceWord) => (letter === 'a' ? ['EY1'] : (lookUp(letter)[0] ?? []));

/** The phones of a word with the ending -s of plurals and third persons. */
export function withPlural(stem: readonly string[]): string[] {
  const last = stem.at(-1) ?? '';
  if (HISSING.test(last)) return [...stem, 'IH0', 'Z'];
  return [...stem, VOICELESS.test(last) ? 'S' : 'Z'];
}

function withPast(stem: readonly string[]): string[] {
  const last = stem.at(-1) ?? '';
  if (last === 'T' || last === 'D') return [...stem, 'IH0', 'D'];
  return [...stem, /^(?:P|K|F|TH|S|SH|CH)$/.test(last) ? 'T' : 'D'];
}
