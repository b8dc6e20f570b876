import type { Word } from '@jyutsing/contracts/transcript';

/** The mean of the known confidences, 0 to 1; null when there are none. */
export function meanConfidence(words: readonly Pick<Word, 'confidence'>[]): number | null {
  const known = words.flatMap(({ confidence }) => confidence ?? []);
  return known.length === 0 ? null : known.reduce((sum, each) => sum + each, 0) / known.length;
}
