import { chooseReadings } from './choose-readings.ts';

/** One character of a text with its readings. */
export interface CharacterReading {
  char: string;
  /** The reading in this context; null for digits, Latin letters and punctuation. */
  jyutping: string | null;
  /** All readings that the dictionary accepts here, the one in this context first; may be empty. */
  readings: string[];
}

/**
 * Jyutping of every character (Unicode code point) of a text. Digits and Latin letters have none:
 * spell numbers out first.
 */
export function textToJyutping(text: string): CharacterReading[] {
  const characters = Array.from(text);
  return chooseReadings(text).map(({ reading, candidates }, index) => ({
    char: characters[index]!,
    jyutping: reading,
    readings: [...new Set(reading === null ? candidates : [reading, ...candidates])],
  }));
}
