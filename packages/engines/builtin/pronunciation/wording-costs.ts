import type { NumberWords, TargetSyllable, TargetWord } from '@jyutsing/contracts/pronunciation';

/** How a unit of a text is compared with recognized sounds. */
export type HeardAs<U> = {
  /** The accepted ways to say the unit, as syllables or phones, each with its accepted readings. */
  spellings: (unit: U) => readonly (readonly (readonly string[])[])[];
  /** From 0 to 1; another or a missing sound costs 1. */
  cost: (accepted: readonly string[], recognized: string) => number;
  /** Other numbers in the place of a number word, of which none may be nearer. */
  rivals: (unit: U) => readonly U[];
};

/** Costs of another tone or onset, and of another vowel or consonant of English. */
const OTHER_TONE = 0.4;
const OTHER_ONSET = 0.7;
/** The tone of a syllable is right more often than nothing of it. */
const OTHER_BUT_TONE = 0.9;
const OTHER_OF_KIND = 0.7;
const RIME = /[aeiou].*|m\d|ng\d/u;

export const SYLLABLES: HeardAs<TargetSyllable> = {
  spellings: ({ readings }) => [[readings]],
  cost: costOfReading,
  // Syllables are judged strictly enough.
  rivals: () => [],
};

/** `numbers` are the words of numbers. */
export const wordsAmong = (numbers: readonly NumberWords[]): HeardAs<TargetWord> => ({
  spellings: ({ pronunciations }) => pronunciations.map((phones) => phones.map((phone) => [phone])),
  cost: ([phone = ''], recognized) => {
    if (phone === recognized) return 0;
    return isVowel(phone) === isVowel(recognized) ? OTHER_OF_KIND : 1;
  },
  rivals: (unit) => rivalNumbers(unit.text, numbers),
});

/** The other words of numbers of the same kind; none for a word that is no number. */
export function rivalNumbers(text: string, numbers: readonly NumberWords[]): TargetWord[] {
  const word = text.toLowerCase();
  const kind = numbers.find((words) => Object.hasOwn(words, word)) ?? {};
  return Object.values(kind).filter((other) => other.text !== word);
}

function isVowel(phone: string): boolean {
  return 'AEIOU'.includes(phone.charAt(0));
}

function costOfReading(readings: readonly string[], syllable: string): number {
  if (readings.includes(syllable)) return 0;
  const spoken = partsOf(syllable);
  const parts = readings.map(partsOf);
  if (parts.some(({ toneless }) => toneless === spoken.toneless)) return OTHER_TONE;
  if (parts.some(({ rime }) => rime === spoken.rime)) return OTHER_ONSET;
  return parts.some(({ tone }) => tone === spoken.tone) ? OTHER_BUT_TONE : 1;
}

/** Pinyin writes i and u at the beginning of a syllable as y and w: yang has the rime of liang. */
const withVowel = (syllable: string) => syllable.replace(/^yi?(?=[a-z])/u, 'i').replace(/^wu?(?=[a-z])/u, 'u');

type Parts = { toneless: string; /** With the tone. */ rime: string; tone: string };
const partsBySyllable = new Map<string, Parts>();

/** There are some thousands of syllables at most, and each is compared very often. */
function partsOf(syllable: string): Parts {
  let parts = partsBySyllable.get(syllable);
  if (parts === undefined) {
    parts = {
      toneless: syllable.slice(0, -1),
      rime: RIME.exec(withVowel(syllable))?.[0] ?? '',
      tone: syllable.slice(-1),
    };
    partsBySyllable.set(syllable, parts);
  }
  return parts;
}
