/** The suffix "somewhat" of a doubled adjective, and its reading; after a person it is a plural. */
const SOMEWHAT = '哋';
const READING = 'dei2';
/** The tones that rise; the high ones stay. */
const LOW_TONE = /[3-6]$/;

/** Whether a character is the second of two that are the same before 哋: 紅紅哋. */
export function isSecondBeforeDei(characters: readonly string[], at: number): boolean {
  return characters[at + 1] === SOMEWHAT && characters[at] === characters[at - 1];
}

/**
 * Raises the second syllable of doubled adjectives before 哋: hung4 hung2 dei2 (S. Matthews and
 * V. Yip, Cantonese: A Comprehensive Grammar, on reduplication).
 */
export function raiseDoubled(characters: readonly string[], readings: readonly (string | null)[]): (string | null)[] {
  return readings.map((reading, at) =>
    readings[at + 1] === READING && isSecondBeforeDei(characters, at)
      ? (reading?.replace(LOW_TONE, '2') ?? null)
      : reading,
  );
}
