/** The node at which every word begins. */
export const ROOT = 0;
/** The node of a word that the tree has not. */
export const NONE = -1;

/** Slots for each node at least, so that searches are short. */
const MIN_SLOTS_EACH = 1.5;

/**
 * A tree of words by their characters, in a hash table of parent and character: 8 bytes for a node
 * and 6 to 12 for its slots, where a `Map` for every node takes a hundred.
 */
export type WordTree = {
  /** The node after a character (a code point), or `NONE`. */
  find(parent: number, code: number): number;
  /**
   * The node after a character, made if there is none. Nodes are numbered from 1 as they are made.
   */
  add(parent: number, code: number): number;
};

/** Makes an empty tree for at most `maxNodes` nodes. */
export function createWordTree(maxNodes: number): WordTree {
  const slotBits = Math.ceil(Math.log2(maxNodes * MIN_SLOTS_EACH));
  const slotCount = 2 ** slotBits;
  const shift = 32 - slotBits;
  const slots = new Int32Array(slotCount).fill(NONE);
  const characters = new Int32Array(maxNodes);
  const parents = new Int32Array(maxNodes);
  let count = 1;

  const slotOf = (parent: number, code: number): number => {
    let slot = (Math.imul(parent, 0x9e37_79b1) ^ Math.imul(code, 0x85eb_ca6b)) >>> shift;
    for (let node = slots[slot]!; node !== NONE; node = slots[slot]!) {
      if (parents[node] === parent && characters[node] === code) break;
      slot = (slot + 1) % slotCount;
    }
    return slot;
  };

  return {
    find: (parent, code) => slots[slotOf(parent, code)]!,
    add: (parent, code) => {
      const slot = slotOf(parent, code);
      if (slots[slot] !== NONE) return slots[slot]!;
      if (count === maxNodes) throw new RangeError(`A tree of words has more than ${maxNodes} nodes.`);
      slots[slot] = count;
      parents[count] = parent;
      characters[count] = code;
      return count++;
    },
  };
}
