/**
 * A character with its reading, or a number or sign with all its syllables; null: not read in
 * Cantonese.
 */
export type ReadPart = { character: string; jyutping: string | null };

const JYUTPING = /^[a-z]{1,6}[1-6](?:\s+[a-z]{1,6}[1-6])*$/;

export function isJyutping(typed: string): boolean {
  return JYUTPING.test(typed.trim());
}

export const countSyllables = (jyutping: string): number => jyutping.trim().split(/\s+/).length;

/** The reading of all parts, as a request takes it. */
export function readingOf(parts: readonly ReadPart[]): string {
  return parts.flatMap(({ jyutping }) => jyutping ?? []).join(' ');
}

/** The parts with a reading in place of theirs; null when it has another number of syllables. */
export function withReading(parts: readonly ReadPart[], reading: string): ReadPart[] | null {
  const syllables = reading.trim().split(/\s+/);
  if (syllables.length !== countSyllables(readingOf(parts))) return null;
  return parts.map(({ character, jyutping }) => ({
    character,
    jyutping: jyutping === null ? null : syllables.splice(0, countSyllables(jyutping)).join(' '),
  }));
}
