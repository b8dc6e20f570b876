/**
 * Aligns two sequences (Levenshtein) and returns the matched pairs in order; tokens match when
 * `key` makes them equal. Insertions, deletions and substitutions are in no pair.
 */
export function alignTokens(
  expected: readonly string[],
  recognized: readonly string[],
  key: (token: string) => string,
): [expected: string, recognized: string][] {
  const isMatch = (i: number, j: number) => key(expected[i - 1]!) === key(recognized[j - 1]!);
  const cost: number[][] = [Array.from({ length: recognized.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= expected.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= recognized.length; j += 1) {
      const replaced = cost[i - 1]![j - 1]! + (isMatch(i, j) ? 0 : 1);
      row.push(Math.min(replaced, cost[i - 1]![j]! + 1, row[j - 1]! + 1));
    }
    cost.push(row);
  }
  const pairs: [string, string][] = [];
  for (let i = expected.length, j = recognized.length; i > 0 && j > 0;) {
    const here = cost[i]![j]!;
    if (isMatch(i, j) && here === cost[i - 1]![j - 1]!) {
      pairs.push([expected[i - 1]!, recognized[j - 1]!]);
      i -= 1;
      j -= 1;
    } else if (here === cost[i - 1]![j - 1]! + 1) {
      i -= 1;
      j -= 1;
    } else if (here === cost[i - 1]![j]! + 1) i -= 1;
    else j -= 1;
  }
  return pairs.toReversed();
}
