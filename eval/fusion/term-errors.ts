import type { Count } from '../score.ts';

/** Marks the tokens of a reference that were recognized correctly, by Levenshtein alignment. */
export function rightTokens(recognized: readonly string[], expected: readonly string[]): boolean[] {
  const width = recognized.length + 1;
  const costs = new Int32Array((expected.length + 1) * width);
  const at = (i: number, j: number): number => costs[i * width + j] ?? 0;
  const pair = (i: number, j: number): number => at(i - 1, j - 1) + (expected[i - 1] === recognized[j - 1] ? 0 : 1);
  for (let i = 0; i <= expected.length; i += 1) {
    for (let j = 0; j < width; j += 1) {
      if (i === 0 || j === 0) costs[i * width + j] = i + j;
      else costs[i * width + j] = Math.min(pair(i, j), at(i - 1, j) + 1, at(i, j - 1) + 1);
    }
  }
  const right = expected.map(() => false);
  let [i, j] = [expected.length, recognized.length];
  while (i > 0) {
    if (j > 0 && at(i, j) === pair(i, j)) {
      right[i - 1] = expected[i - 1] === recognized[j - 1];
      [i, j] = [i - 1, j - 1];
    } else if (j > 0 && at(i, j) === at(i, j - 1) + 1) j -= 1;
    else i -= 1;
  }
  return right;
}

/**
 * Counts wrong or missing reference tokens that belong to terms. Insertions do not count here, only
 * in the overall error rate.
 */
export function termErrors(
  recognized: readonly string[],
  expected: readonly string[],
  terms: readonly (readonly string[])[],
  speaker: string | null,
): Count {
  const right = rightTokens(recognized, expected);
  const isInTerm = expected.map(() => false);
  for (const term of terms) {
    for (let from = 0; from + term.length <= expected.length; from += 1) {
      if (term.every((token, offset) => expected[from + offset] === token))
        isInTerm.fill(true, from, from + term.length);
    }
  }
  const length = isInTerm.filter(Boolean).length;
  return { errors: isInTerm.filter((inTerm, index) => inTerm && right[index] !== true).length, length, speaker };
}
