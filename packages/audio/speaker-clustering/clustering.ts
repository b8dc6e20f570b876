/** Vectors that were put together: how much they weigh, and their weighted mean, which is shorter the less they agree. */
export type Group = { weight: number; mean: Float32Array; members: number[] };

/** So many vectors are compared each with each; more are grouped block by block first, so that hours take minutes and not days. */
const BLOCK = 4_000;

/**
 * Groups vectors of length 1 by average linkage: the two groups with the highest mean cosine between their members are joined, until
 * no two have one above `leastCosine`. Members are numbers of the given vectors.
 *
 * The mean cosine of all pairs between two groups is the product of their means, so no matrix of distances is needed and memory grows
 * with the number of vectors only; pairs are found by chains of nearest neighbours (Murtagh 1983), which gives the same groups as
 * always joining the closest two.
 */
export function averageLinkage(
  vectors: readonly Float32Array[],
  weights: readonly number[],
  leastCosine: number,
): Group[] {
  let groups = vectors.map((vector, index): Group => ({ weight: weights[index] ?? 1, mean: vector, members: [index] }));
  while (groups.length > BLOCK) {
    const before = groups.length;
    const blocks = Array.from({ length: Math.ceil(before / BLOCK) }, (_, index) =>
      groups.slice(index * BLOCK, (index + 1) * BLOCK),
    );
    groups = blocks.flatMap((block) => linkBlock(block, leastCosine));
    // Groups that stay apart within their blocks are compared with those of other blocks all the same.
    if (groups.length > before * 0.9) break;
  }
  return linkBlock(groups, leastCosine);
}

function linkBlock(groups: readonly Group[], leastCosine: number): Group[] {
  /** Null where a group went into another. Places stay, because the chain names them. */
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
    // Two that are each other's nearest. Joining others never brings a third one nearer to them, so what is too far now stays so.
    const [one, other] = [active[end]!, active[before]!];
    chain.length -= 2;
    active[end] = null;
    active[before] = nearest.cosine >= leastCosine ? joined(one, other) : null;
    if (active[before] === null) done.push(one, other);
    else next = Math.min(next, before);
  }
}

/** Of two that are equally near the one before in the chain, or the chain would never end. Null: there is no other. */
function nearestTo(
  groups: readonly (Group | null)[],
  index: number,
  before: number | null,
): { index: number; cosine: number } | null {
  const own = groups[index]!.mean;
  let best = before;
  let bestCosine = before === null ? -Infinity : dot(own, groups[before]!.mean);
  for (let other = 0; other < groups.length; other += 1) {
    const group = groups[other];
    if (other === index || group === null || group === undefined) continue;
    const cosine = dot(own, group.mean);
    if (cosine > bestCosine) {
      best = other;
      bestCosine = cosine;
    }
  }
  return best === null ? null : { index: best, cosine: bestCosine };
}

function joined(one: Group, other: Group): Group {
  const weight = one.weight + other.weight;
  const mean = one.mean.map((value, index) => (value * one.weight + other.mean[index]! * other.weight) / weight);
  return { weight, mean, members: one.members.concat(other.members) };
}

export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += a[i]! * b[i]!;
  return sum;
}

/** A vector brought to length 1; one without length stays as it is. */
export function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dot(vector, vector));
  return length > 0 ? vector.map((value) => value / length) : vector;
}
