import { openJyutpingDictionary, type Overrides } from './jyutping-dictionary.ts';
import { normalizeSyllable } from '#text/syllables/jyutping.ts';

/** One character of a text with its readings. */
export interface CharacterReading {
  char: string;
  /** The reading in this context; null for digits, Latin letters and punctuation. */
  jyutping: string | null;
  /** All readings that the dictionary accepts here, the one in this context first; may be empty. */
  readings: string[];
}

/** Readings that override the dictionary: text → one syllable per character. */
export type ReadingOverrides = Readonly<Record<string, readonly string[]>>;

/**
 * Creates a reader with readings that override the dictionary, for a user's names and terms.
 */
export function createJyutpingReader(overrides: ReadingOverrides): (text: string) => CharacterReading[] {
  const readings = new Map(Object.entries(overrides).map(([text, syllables]) => [text, syllables.join(' ')]));
  const maxCharacters = [...readings.keys()].reduce((longest, text) => Math.max(longest, [...text].length), 0);
  return (text) => readWith(text, { maxCharacters, find: (word) => readings.get(word) });
}

/**
 * Jyutping of every character (Unicode code point) of a text. Digits and Latin letters have none:
 * spell numbers out first.
 */
export function textToJyutping(text: string): CharacterReading[] {
  return readWith(text);
}

function readWith(text: string, overrides?: Overrides): CharacterReading[] {
  return openJyutpingDictionary()
    .read(text, overrides)
    .map(({ char, reading, candidates }) => {
      const normal = candidates.flatMap((candidate) => normalizeSyllable(candidate) ?? []);
      // 卅 is read as two syllables, saa1 aa6, or as the first alone.
      const short = reading?.includes(' ') === true ? (normal[0] ?? null) : null;
      const jyutping = reading === null ? null : (normalizeSyllable(reading) ?? short);
      return { char, jyutping, readings: [...new Set(jyutping === null ? normal : [jyutping, ...normal])] };
    });
}
