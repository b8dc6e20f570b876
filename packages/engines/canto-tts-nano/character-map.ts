/**
 * The characters that SentencePiece replaces before it cuts a text: `precompiled_charsmap`, a
 * double-array trie (darts-clone) of UTF-8 sequences, and the texts that replace them, each ended
 * by a zero byte.
 */
export type CharacterMap = {
  /** The longest sequence at a place, and its replacement; a character that stays is its own. */
  replace(text: string, at: number): { from: string; to: string };
};

/** Bits of a unit of a double array (darts-clone, `darts.h`). */
const LABEL_BITS = 0x80_00_00_ff;
const VALUE_BITS = 0x7f_ff_ff_ff;
const hasLeaf = (unit: number) => ((unit >>> 8) & 1) === 1;
const offsetOf = (unit: number) => (unit >>> 10) << ((unit & 0x200) >>> 6);

/** Opens the bytes of a map. Throws a RangeError where they are cut off. */
export function openCharacterMap(bytes: Buffer): CharacterMap {
  const trieBytes = bytes.readUInt32LE(0);
  if (trieBytes % 4 !== 0 || 4 + trieBytes > bytes.length) throw new RangeError('the character map is cut off');
  const units = Uint32Array.from({ length: trieBytes / 4 }, (_, index) => bytes.readUInt32LE(4 + 4 * index));
  const texts = bytes.subarray(4 + trieBytes);

  /** The longest prefix of some bytes that the trie has, and the place of its replacement. */
  const longestPrefix = (input: Buffer): { length: number; value: number } | null => {
    let found: { length: number; value: number } | null = null;
    let node = offsetOf(units[0] ?? 0);
    for (const [index, byte] of input.entries()) {
      node ^= byte;
      const unit = units[node] ?? 0;
      if ((unit & LABEL_BITS) >>> 0 !== byte) break;
      node ^= offsetOf(unit);
      if (hasLeaf(unit)) found = { length: index + 1, value: (units[node] ?? 0) & VALUE_BITS };
    }
    return found;
  };

  return {
    replace(text, at) {
      // No sequence of the map is longer than this many UTF-16 units.
      const ahead = text.slice(at, at + MAX_SEQUENCE);
      const input = Buffer.from(ahead);
      const found = longestPrefix(input);
      if (found === null) {
        const character = String.fromCodePoint(text.codePointAt(at)!);
        return { from: character, to: character };
      }
      const end = texts.indexOf(0, found.value);
      return {
        from: input.toString('utf8', 0, found.length),
        to: texts.toString('utf8', found.value, end < 0 ? texts.length : end),
      };
    },
  };
}

const MAX_SEQUENCE = 32;
