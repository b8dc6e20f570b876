/**
 * One step from an original to a proposal: a pair, or a token that only one of them has. Numbers
 * are token indexes.
 */
export type Step = { original: number | null; proposed: number | null };

/** The cost of an insertion or removal; two cost more than any pair. */
const GAP_COST = 0.75;

/**
 * The cheapest path from one token sequence to another (Wagner and Fischer, 1974). `pairCost` is 0
 * for equal tokens, at most 1 for a possible replacement, and Infinity for an impossible one.
 * Pairs win ties, so sequences of equal length stay aligned.
 */
export function editPath(
  originalCount: number,
  proposedCount: number,
  pairCost: (original: number, proposed: number) => number,
): Step[] {
  const width = proposedCount + 1;
  const costs = new Float64Array((originalCount + 1) * width);
  const pairs = new Float64Array((originalCount + 1) * width);
  const at = (i: number, j: number) => costs[i * width + j] ?? 0;
  for (let j = 1; j < width; j += 1) costs[j] = j * GAP_COST;
  for (let i = 1; i <= originalCount; i += 1) {
    costs[i * width] = i * GAP_COST;
    for (let j = 1; j < width; j += 1) {
      const paired = at(i - 1, j - 1) + pairCost(i - 1, j - 1);
      pairs[i * width + j] = paired;
      costs[i * width + j] = Math.min(paired, at(i - 1, j) + GAP_COST, at(i, j - 1) + GAP_COST);
    }
  }
  const steps: Step[] = [];
  let i = originalCount;
  let j = proposedCount;
  while (i > 0 || j > 0) {
    if (i > 0 && j > 0 && at(i, j) === pairs[i * width + j]) {
      [i, j] = [i - 1, j - 1];
      steps.push({ original: i, proposed: j });
    } else if (i > 0 && (j === 0 || at(i, j) === at(i - 1, j) + GAP_COST)) {
      i -= 1;
      steps.push({ original: i, proposed: null });
    } else {
      j -= 1;
      steps.push({ original: null, proposed: j });
    }
  }
  return steps.toReversed();
}
