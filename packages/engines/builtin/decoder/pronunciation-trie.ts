import type { NumberArray } from './model-file.ts';

/** All pronunciations as a tree of units (syllables or phones). Node 0 is the root. */
export type PronunciationTrie = {
  nodeCount: number;
  /** Returns the node reached from `node` by a unit number, or −1. */
  child(node: number, unit: number): number;
  /** Returns true if some word continues from this node. */
  hasChildren(node: number): boolean;
  /** Returns the parent of a node, always a lower number; 0 for children of the root. */
  parent(node: number): number;
  /** Returns the unit number that leads to a node. */
  unit(node: number): number;
  /**
   * Returns the first pronunciation that ends at a node; `endPronunciation` is one after the last.
   */
  firstPronunciation(node: number): number;
  endPronunciation(node: number): number;
  /** Returns the word of a pronunciation. */
  word(pronunciation: number): number;
};

/**
 * Builds the tree from pronunciations (`lengths` units of each, consecutive in `units`) sorted by
 * unit numbers with prefixes first, so that the children and the pronunciations of a node are
 * neighbors: flat arrays, no objects, a few tens of milliseconds.
 */
export function buildTrie(units: Uint16Array, words: Uint32Array, lengths: NumberArray): PronunciationTrie {
  const capacity = units.length + 1;
  const parent = new Int32Array(capacity);
  const label = new Uint16Array(capacity);
  const first = new Int32Array(capacity);
  const end = new Int32Array(capacity);
  let nodes = 1;
  let previousStart = 0;
  let previousLength = 0;
  const path: number[] = [0];
  let start = 0;
  for (let pronunciation = 0; pronunciation < words.length; pronunciation++) {
    const length = lengths[pronunciation] ?? 0;
    let shared = 0;
    while (shared < length && shared < previousLength && units[start + shared] === units[previousStart + shared]) {
      shared++;
    }
    for (let depth = shared; depth < length; depth++) {
      parent[nodes] = path[depth] ?? 0;
      label[nodes] = units[start + depth] ?? 0;
      path[depth + 1] = nodes;
      nodes++;
    }
    const node = path[length] ?? 0;
    if (end[node] === 0) first[node] = pronunciation;
    end[node] = pronunciation + 1;
    previousStart = start;
    previousLength = length;
    start += length;
  }
  const { childStart, childNode } = groupByParent(parent, nodes);
  return {
    nodeCount: nodes,
    child(node, unit) {
      let low = childStart[node] ?? 0;
      let high = (childStart[node + 1] ?? 0) - 1;
      while (low <= high) {
        const middle = (low + high) >> 1;
        const candidate = childNode[middle] ?? 0;
        const current = label[candidate] ?? 0;
        if (current === unit) return candidate;
        if (current < unit) low = middle + 1;
        else high = middle - 1;
      }
      return -1;
    },
    hasChildren: (node) => (childStart[node + 1] ?? 0) > (childStart[node] ?? 0),
    parent: (node) => parent[node] ?? 0,
    unit: (node) => label[node] ?? 0,
    firstPronunciation: (node) => first[node] ?? 0,
    endPronunciation: (node) => end[node] ?? 0,
    word: (pronunciation) => words[pronunciation] ?? 0,
  };
}

/** Nodes were numbered in the order of the sorted list, so children come out sorted by label. */
function groupByParent(parent: Int32Array, nodes: number): { childStart: Uint32Array; childNode: Uint32Array } {
  const childStart = new Uint32Array(nodes + 1);
  for (let node = 1; node < nodes; node++) {
    const slot = (parent[node] ?? 0) + 1;
    childStart[slot] = (childStart[slot] ?? 0) + 1;
  }
  for (let node = 0; node < nodes; node++) childStart[node + 1] = (childStart[node + 1] ?? 0) + (childStart[node] ?? 0);
  const fill = childStart.slice();
  const childNode = new Uint32Array(Math.max(0, nodes - 1));
  for (let node = 1; node < nodes; node++) {
    const above = parent[node] ?? 0;
    const slot = fill[above] ?? 0;
    childNode[slot] = node;
    fill[above] = slot + 1;
  }
  return { childStart, childNode };
}
