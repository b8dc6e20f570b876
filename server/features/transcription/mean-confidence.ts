import type { Word } from '@jyutsing/contracts/transcript';

/** The mean of the known confidences, 0 to 1; null when there are none. */
export function meanConfidence(words: readonly Pick<Word, 'confidence'>[]): number | null {
  let sum = 0;
  let count = 0;
  for (const { confidence } of words) {
    if (confidence === null) continue;
    sum += confidence;
    count += 1;
  }
  return count === 0 ? null : sum / count;
}
