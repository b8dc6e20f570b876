/**
 * A small SentencePiece model (BPE with byte fallback) as a protobuf: the letters and some pairs, a
 * character map that turns full-width letters into plain ones, and one piece that is never cut.
 */
const PAIRS = ['th', 'he', 'ell', 'el', 'lo', '\u2581h', '\u2581hell', 'fo', 'od', 'co', 'ur', '，\u2581', 'food'];
const CONTROL = ['<s>', '</s>', '<pad>'];
const WHOLE = ['<sep>'];
const LETTERS = [..."\u2581abcdefghijklmnopqrstuvwxyz，。！？'0123456789"];
/** Characters and what replaces them. */
const REPLACED: readonly (readonly [string, string])[] = [
  ['Ａ', 'A'],
  ['ｆ', 'f'],
  ['ｆｉ', 'fi'],
  ['ﬁ', 'fi'],
  ['\u3000', ' '],
  ['\u00a0', ' '],
  ['…', '...'],
];

const TYPE = { normal: 1, unknown: 2, control: 3, userDefined: 4, byte: 6 } as const;
const BPE = 2;

/** The pieces in order; the place of one is its token. */
const PIECES: readonly { text: string; type: number; score: number }[] = [
  { text: '<unk>', type: TYPE.unknown, score: 0 },
  ...CONTROL.map((text) => ({ text, type: TYPE.control, score: 0 })),
  ...WHOLE.map((text) => ({ text, type: TYPE.userDefined, score: 0 })),
  ...Array.from({ length: 256 }, (_, byte) => ({
    text: `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`,
    type: TYPE.byte,
    score: 0,
  })),
  ...PAIRS.map((text, rank) => ({ text, type: TYPE.normal, score: -rank })),
  ...LETTERS.map((text, rank) => ({ text, type: TYPE.normal, score: -PAIRS.length - rank })),
];

/** The number of its pieces, after which added tokens begin. */
export const PIECE_COUNT = PIECES.length;

/** The bytes of `tokenizer.model`. */
export function tokenizerFile(): Buffer {
  const pieces = PIECES.map(({ text, type, score }) =>
    bytes(1, Buffer.concat([bytes(1, Buffer.from(text)), float(2, score), number(3, type)])),
  );
  // trainer_spec: model_type, vocab_size and byte_fallback.
  const trainer = Buffer.concat([number(3, BPE), number(4, PIECE_COUNT), number(35, 1)]);
  // normalizer_spec: the map, a blank before the text, no blanks in a row.
  const normalizer = Buffer.concat([bytes(2, characterMap()), number(3, 1), number(4, 1), number(5, 1)]);
  return Buffer.concat([...pieces, bytes(2, trainer), bytes(3, normalizer)]);
}

type TrieNode = { next: Map<number, TrieNode>; value: number | null };

/** The length of a double-array trie, the trie, and the replacing texts. */
function characterMap(): Buffer {
  const root: TrieNode = { next: new Map(), value: null };
  let texts = '';
  for (const [from, to] of REPLACED) {
    let node = root;
    for (const byte of Buffer.from(from)) {
      const next = node.next.get(byte) ?? { next: new Map(), value: null };
      node.next.set(byte, next);
      node = next;
    }
    node.value = Buffer.byteLength(texts);
    texts += `${to}\0`;
  }
  const units = doubleArray(root);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(units.byteLength);
  return Buffer.concat([size, Buffer.from(units.buffer), Buffer.from(texts)]);
}

/**
 * Lays a trie out as darts-clone does: the child of a node by a byte is at the node's place, xor
 * its offset, xor the byte; the value of a node is its child by zero.
 */
function doubleArray(root: TrieNode): Uint32Array<ArrayBuffer> {
  const units = new Uint32Array(4_096);
  const isTaken = new Uint8Array(units.length);
  isTaken[0] = 1;
  const waiting: { node: TrieNode; at: number; label: number }[] = [{ node: root, at: 0, label: 0 }];
  for (let entry = waiting.shift(); entry !== undefined; entry = waiting.shift()) {
    const { node, at, label } = entry;
    const labels = [...node.next.keys(), ...(node.value === null ? [] : [0])];
    if (labels.length === 0) continue;
    let offset = 1;
    while (labels.some((byte) => isTaken[at ^ offset ^ byte] === 1)) offset += 1;
    units[at] = (label | (node.value === null ? 0 : 0x100) | (offset << 10)) >>> 0;
    for (const byte of labels) isTaken[at ^ offset ^ byte] = 1;
    if (node.value !== null) units[at ^ offset] = (node.value | 0x80_00_00_00) >>> 0;
    for (const [byte, child] of node.next) waiting.push({ node: child, at: at ^ offset ^ byte, label: byte });
  }
  return units;
}

function bytes(field: number, content: Buffer): Buffer {
  return Buffer.concat([varint(field * 8 + 2), varint(content.length), content]);
}

function number(field: number, value: number): Buffer {
  return Buffer.concat([varint(field * 8), varint(value)]);
}

function float(field: number, value: number): Buffer {
  const content = Buffer.alloc(4);
  content.writeFloatLE(value);
  return Buffer.concat([varint(field * 8 + 5), content]);
}

function varint(value: number): Buffer {
  const written: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    written.push(rest < 128 ? rest : (rest % 128) + 128);
    if (rest < 128) return Buffer.from(written);
  }
}
