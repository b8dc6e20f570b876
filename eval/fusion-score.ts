import type { Count } from './score.ts';

/** Which tokens of a reference are right in what was heard, by the cheapest alignment (Levenshtein). */
export function rightTokens(heard: readonly string[], expected: readonly string[]): boolean[] {
  const width = heard.length + 1;
  const costs = new Int32Array((expected.length + 1) * width);
  const at = (i: number, j: number): number => costs[i * width + j] ?? 0;
  const pair = (i: number, j: number): number => at(i - 1, j - 1) + (expected[i - 1] === heard[j - 1] ? 0 : 1);
  for (let i = 0; i <= expected.length; i += 1) {
    for (let j = 0; j < width; j += 1) {
      if (i === 0 || j === 0) costs[i * width + j] = i + j;
      else costs[i * width + j] = Math.min(pair(i, j), at(i - 1, j) + 1, at(i, j - 1) + 1);
    }
  }
  const right = expected.map(() => false);
  let [i, j] = [expected.length, heard.length];
  while (i > 0) {
    if (j > 0 && at(i, j) === pair(i, j)) {
      right[i - 1] = expected[i - 1] === heard[j - 1];
      [i, j] = [i - 1, j - 1];
    } else if (j > 0 && at(i, j) === at(i, j - 1) + 1) j -= 1;
    else i -= 1;
  }
  return right;
}

/**
 * Errors on the tokens of terms: how many of those that stand in the reference as part of a term are wrong or missing. What is
 * inserted counts for nothing here; it does in the error rate of the whole.
 */
export function termErrors(
  heard: readonly string[],
  expected: readonly string[],
  terms: readonly (readonly string[])[],
  speaker: string | null,
): Count {
  const right = rightTokens(heard, expected);
  const isOfTerm = expected.map(() => false);
  for (const term of terms) {
    for (let from = 0; from + term.length <= expected.length; from += 1) {
      if (term.every((token, offset) => expected[from + offset] === token))
        isOfTerm.fill(true, from, from + term.length);
    }
  }
  const length = isOfTerm.filter(Boolean).length;
  return { errors: isOfTerm.filter((inTerm, index) => inTerm && right[index] !== true).length, length, speaker };
}
