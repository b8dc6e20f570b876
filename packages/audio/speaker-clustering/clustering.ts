/**
 * A group of vectors: its weight and its weighted mean, which is shorter
 * the less they agree.
 */
export type Group = { weight: number; mean: Float32Array; members: number[] };

/**
 * Number of vectors compared pairwise at once; more are grouped block by block first, so that hours
 * of audio take minutes.
 */
const BLOCK = 4_000;

/**
 * Groups unit vectors by average linkage: joins the two groups with the highest mean cosine between
 * their members until no pair exceeds `minCosine`. Members are indexes of `vectors`. The mean
 * cosine between two groups is the product of their means, so no distance matrix is needed and
 * memory is linear; pairs are found by nearest-neighbor chains (Murtagh 1983), which give the same
 * groups as always joining the closest two.
 */
export function averageLinkage(
  vectors: readonly Float32Array[],
  weights: readonly number[],
  minCosine: number,
): Group[] {
  let groups = vectors.map((vector, index): Group => ({ weight: weights[index] ?? 1, mean: vector, members: [index] }));
  while (groups.length > BLOCK) {
    const before = groups.length;
    const blocks = Array.from({ length: Math.ceil(before / BLOCK) }, (_, index) =>
      groups.slice(index * BLOCK, (index + 1) * BLOCK),
    );
    groups = blocks.flatMap((block) => linkGroups(block, minCosine));
    // Groups that stay apart within their blocks must still be compared with those of other blocks.
    if (groups.length > before * 0.9) break;
  }
  return linkGroups(groups, minCosine);
}

/**
 * Joins groups until no pair exceeds `minCosine`. Groups made with a higher `minCosine` give the
 * same result as the vectors themselves, but faster.
 */
export function linkGroups(groups: readonly Group[], minCosine: number): Group[] {
  /**
   * An entry is null for a group merged into another. Indexes stay, because the chain refers to
   * them.
   */
  const active: (Group | null)[] = [...groups];
  const done: Group[] = [];
  const chain: number[] = [];
  let next = 0;
  for (;;) {
    while (next < active.length && active[next] === null) next += 1;
    if (chain.length === 0) {
      if (next >= active.length) return done;
      chain.push(next);
    }
    const end = chain.at(-1)!;
    const before = chain.at(-2) ?? null;
    const nearest = nearestTo(active, end, before);
    if (nearest === null) return [...done, ...active.filter((group) => group !== null)];
    if (nearest.index !== before) {
      chain.push(nearest.index);
      continue;
    }
    // The two are mutual nearest neighbors. Joining others never brings a third closer, so a pair
    // that is too far apart stays so.
    const [first, second] = [active[end]!, active[before]!];
    chain.length -= 2;
    active[end] = null;
    active[before] = nearest.cosine >= minCosine ? joined(first, second) : null;
    if (active[before] === null) done.push(first, second);
    else next = Math.min(next, before);
  }
}

/**
 * Joins groups until `count` are left, always the two whose union adds the least variance (Ward
 * 1963): unlike average linkage, this leaves no group of a single odd vector.
 */
export function joinInto(groups: readonly Group[], count: number): Group[] {
  const remaining = [...groups];
  while (remaining.length > Math.max(1, count)) {
    let best = { cost: Infinity, first: 0, second: 1 };
    for (let first = 0; first < remaining.length; first += 1) {
      for (let second = first + 1; second < remaining.length; second += 1) {
        const cost = addedVariance(remaining[first]!, remaining[second]!);
        if (cost < best.cost) best = { cost, first, second };
      }
    }
    remaining[best.first] = joined(remaining[best.first]!, remaining[best.second]!);
    remaining.splice(best.second, 1);
  }
  return remaining;
}

function addedVariance(first: Group, second: Group): number {
  const difference = first.mean.map((value, index) => value - second.mean[index]!);
  return ((first.weight * second.weight) / (first.weight + second.weight)) * dot(difference, difference);
}

/**
 * Finds the nearest other group; null when there is none. On a tie the previous element of the
 * chain is preferred, or the chain would never end.
 */
function nearestTo(
  groups: readonly (Group | null)[],
  index: number,
  before: number | null,
): { index: number; cosine: number } | null {
  const mean = groups[index]!.mean;
  let best = before;
  let bestCosine = before === null ? -Infinity : dot(mean, groups[before]!.mean);
  for (let other = 0; other < groups.length; other += 1) {
    const group = groups[other];
    if (other === index || group === null || group === undefined) continue;
    const cosine = dot(mean, group.mean);
    if (cosine > bestCosine) {
      best = other;
      bestCosine = cosine;
    }
  }
  return best === null ? null : { index: best, cosine: bestCosine };
}

function joined(first: Group, second: Group): Group {
  const weight = first.weight + second.weight;
  const mean = first.mean.map((value, index) => (value * first.weight + second.mean[index]! * second.weight) / weight);
  return { weight, mean, members: first.members.concat(second.members) };
}

export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += a[i]! * b[i]!;
  return sum;
}

/** Normalizes a vector to length 1; a zero vector stays as it is. */
export function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dot(vector, vector));
  return length > 0 ? vector.map((value) => value / length) : vector;
}
