/**
 * The number of letters to insert, delete, replace or swap with their neighbour (optimal string
 * alignment); infinite when it is above `limit`.
 */
export function editDistance(a: string, b: string, limit = Infinity): number {
  if (Math.abs(a.length - b.length) > limit) return Infinity;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 0; i < a.length; i += 1) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j += 1) {
      const replaced = (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1);
      const isSwap = i > 0 && a[i] === b[j - 1] && a[i - 1] === b[j];
      const swapped = isSwap ? (before[j - 1] ?? 0) + 1 : Infinity;
      next.push(Math.min(replaced, swapped, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    // Later rows are no better, except by a swap that begins in this one.
    if (Math.min(...row, ...next) > limit) return Infinity;
    [before, row] = [row, next];
  }
  const distance = row[b.length] ?? 0;
  return distance > limit ? Infinity : distance;
}
