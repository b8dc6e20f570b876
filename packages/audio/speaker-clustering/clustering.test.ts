import { expect, it } from 'vitest';
import { averageLinkage, joinInto, linkGroups, dot, unit } from './clustering.ts';

/** Makes `count` vectors that take turns around `directions` axes. */
function around(directions: number, count: number, spread: number, size = 16): Float32Array[] {
  const random = seeded(5);
  const centers = Array.from({ length: directions }, () => unit(gaussian(size, random)));
  return Array.from({ length: count }, (_, index) => {
    const noise = gaussian(size, random);
    return unit(centers[index % directions]!.map((value, i) => value + spread * noise[i]!));
  });
}

const sorted = (groups: { members: number[] }[]) =>
  groups.map(({ members }) => members.toSorted((a, b) => a - b)).sort((a, b) => a[0]! - b[0]!);

it('vectors around three directions are three groups', () => {
  const vectors = around(3, 60, 0.1);
  const groups = sorted(averageLinkage(vectors, [], 0.5));
  expect(groups).toEqual([0, 1, 2].map((first) => Array.from({ length: 20 }, (_, i) => first + 3 * i)));
});

it('the groups are those of joining the closest two again and again', () => {
  const vectors = around(5, 40, 0.25);
  expect(sorted(averageLinkage(vectors, [], 0.4))).toEqual(sorted(referenceGroups(vectors, 0.4)));
  expect(sorted(averageLinkage(vectors, [], 0.1))).toEqual(sorted(referenceGroups(vectors, 0.1)));
});

it('groups joined further are those of the lower cosine', () => {
  const vectors = around(5, 40, 0.25);
  const further = linkGroups(averageLinkage(vectors, [], 0.6), 0.1);
  expect(sorted(further)).toEqual(sorted(averageLinkage(vectors, [], 0.1)));
});

it('no vectors and one vector stay as they are, and duplicates form one group', () => {
  expect(averageLinkage([], [], 0.5)).toEqual([]);
  const vector = unit(Float32Array.of(1, 2));
  expect(sorted(averageLinkage([vector], [], 0.5))).toEqual([[0]]);
  expect(sorted(averageLinkage([vector, vector, vector], [], 0.5))).toEqual([[0, 1, 2]]);
});

it('more vectors than a block give the same groups', () => {
  const groups = sorted(averageLinkage(around(4, 9_000, 0.1), [], 0.5));
  expect(groups.map((members) => members.length)).toEqual([2_250, 2_250, 2_250, 2_250]);
});

it('joining into two keeps two people apart and gives a single odd vector to one of them', () => {
  const groups = averageLinkage([...around(2, 40, 0.1), Float32Array.from({ length: 16 }, () => 0.25)], [], 0.99);
  expect(groups.length).toBeGreaterThan(2);
  const joined = sorted(joinInto(groups, 2));
  expect(joined.map((members) => members.length).toSorted((a, b) => a - b)).toEqual([20, 21]);
  expect(sorted(joinInto(groups, 1))).toHaveLength(1);
  expect(joinInto(groups, groups.length + 1)).toHaveLength(groups.length);
});

/** Groups vectors by the definition of average linkage, as a reference. */
function referenceGroups(vectors: readonly Float32Array[], minCosine: number): { members: number[] }[] {
  const groups = vectors.map((_, index) => ({ members: [index] }));
  for (;;) {
    let best = { cosine: -Infinity, first: 0, second: 0 };
    for (let first = 0; first < groups.length; first += 1) {
      for (let second = first + 1; second < groups.length; second += 1) {
        const pairs = groups[first]!.members.flatMap((a) =>
          groups[second]!.members.map((b) => dot(vectors[a]!, vectors[b]!)),
        );
        const cosine = pairs.reduce((sum, value) => sum + value, 0) / pairs.length;
        if (cosine > best.cosine) best = { cosine, first, second };
      }
    }
    if (best.cosine < minCosine) return groups;
    groups[best.first]!.members.push(...groups[best.second]!.members);
    groups.splice(best.second, 1);
  }
}

function gaussian(size: number, random: () => number): Float32Array {
  return Float32Array.from({ length: size }, () => Array.from({ length: 12 }, random).reduce((a, b) => a + b, -6));
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 8) / 16_777_216;
  };
}
