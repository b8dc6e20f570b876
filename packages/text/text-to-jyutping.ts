import ToJyutping, { customize } from 'to-jyutping';
import { normalizeSyllable } from './jyutping.ts';

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

type Converter = Pick<typeof ToJyutping, 'getJyutpingList' | 'getJyutpingCandidates'>;

function converterWith(overrides: ReadingOverrides): Converter {
  const entries = new Map<string, string>();
  for (const [text, syllables] of Object.entries(overrides)) entries.set(text, syllables.join(' '));
  return customize(entries);
}

/**
 * Creates a reader with readings that override the dictionary, for a user's names and terms.
 * Creation is expensive: keep it.
 */
export function createJyutpingReader(overrides: ReadingOverrides): (text: string) => CharacterReading[] {
  const converter = converterWith(overrides);
  return (text) => readWith(converter, text);
}

/**
 * Jyutping of every character (Unicode code point) of a text. Digits and Latin letters have none:
 * spell numbers out first.
 */
export function textToJyutping(text: string): CharacterReading[] {
  return readWith(ToJyutping, text);
}

function readWith(converter: Converter, text: string): CharacterReading[] {
  const inContext = converter.getJyutpingList(text);
  const candidates = converter.getJyutpingCandidates(text);
  return inContext.map(([char, syllable], index) => {
    const jyutping = syllable === null ? null : normalizeSyllable(syllable);
    const readings = new Set<string>();
    if (jyutping !== null) readings.add(jyutping);
    for (const candidate of candidates[index]?.[1] ?? []) {
      const normal = normalizeSyllable(candidate);
      if (normal !== null) readings.add(normal);
    }
    return { char, jyutping, readings: [...readings] };
  });
}
