import { describe, expect, test } from 'vitest';
import { buildTrie, type PronunciationTrie } from './pronunciation-trie.ts';

/**
 * Makes a tree of pronunciations that are sorted by their units; the word of each is its position.
 */
function treeOf(pronunciations: readonly (readonly number[])[]): PronunciationTrie {
  return buildTrie(
    Uint16Array.from(pronunciations.flat()),
    Uint32Array.from(pronunciations.keys()),
    Uint8Array.from(pronunciations, ({ length }) => length),
  );
}
const follow = (tree: PronunciationTrie, units: readonly number[]) =>
  units.reduce((node, unit) => (node < 0 ? -1 : tree.child(node, unit)), 0);
const wordsAt = (tree: PronunciationTrie, node: number) =>
  Array.from({ length: tree.endPronunciation(node) - tree.firstPronunciation(node) }, (_, index) =>
    tree.word(tree.firstPronunciation(node) + index),
  );

const SORTED = [[1], [1, 2], [1, 2], [1, 2, 3], [1, 4], [2], [2, 1, 1], [5, 65_535]];

describe('a tree of pronunciations', () => {
  const tree = treeOf(SORTED);

  test('has a node for each different beginning', () => {
    const beginnings = new Set(SORTED.flatMap((units) => units.map((_, at) => units.slice(0, at + 1).join(' '))));
    expect(tree.nodeCount).toBe(1 + beginnings.size);
  });

  test.each([
    [[1], [0]],
    [
      [1, 2],
      [1, 2],
    ],
    [[1, 2, 3], [3]],
    [[1, 4], [4]],
    [[2], [5]],
    [[2, 1], []],
    [[2, 1, 1], [6]],
    [[5], []],
    [[5, 65_535], [7]],
  ])('has at %j the words %j', (units, words) => {
    expect(wordsAt(tree, follow(tree, units))).toEqual(words);
  });

  test.each([[[3]], [[1, 1]], [[1, 3]], [[2, 2]], [[1, 2, 3, 4]], [[65_535]]])('has no node at %j', (units) => {
    expect(follow(tree, units)).toBe(-1);
  });

  test('knows where words continue', () => {
    expect(tree.hasChildren(0)).toBe(true);
    expect(tree.hasChildren(follow(tree, [1]))).toBe(true);
    expect(tree.hasChildren(follow(tree, [1, 2, 3]))).toBe(false);
  });

  test('leads back to the root', () => {
    const path: number[] = [];
    for (let node = follow(tree, [2, 1, 1]); node > 0; node = tree.parent(node)) path.unshift(tree.unit(node));
    expect(path).toEqual([2, 1, 1]);
  });
});

test('a tree of nothing has a root only', () => {
  const tree = treeOf([]);
  expect([tree.nodeCount, tree.child(0, 0), tree.hasChildren(0), wordsAt(tree, 0)]).toEqual([1, -1, false, []]);
});

test('a word without a pronunciation is at the root', () => {
  expect(wordsAt(treeOf([[], [1]]), 0)).toEqual([0]);
});

test('all sequences of three units are found, and only those', () => {
  const all = Array.from({ length: 64 }, (_, number) => [number >> 4, (number >> 2) & 3, number & 3]);
  const even = all.filter((_, index) => index % 2 === 0);
  const tree = treeOf(even);
  all.forEach((units, index) => {
    const node = follow(tree, units);
    expect(node >= 0 ? wordsAt(tree, node) : []).toEqual(index % 2 === 0 ? [index / 2] : []);
  });
});
