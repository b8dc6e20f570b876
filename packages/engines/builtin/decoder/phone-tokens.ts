/** A word completed by a path, with the path before it. */
export type WordRecord = {
  word: number;
  /** Node of the lexicon at which the word ends; identifies its phones. */
  node: number;
  startFrame: number;
  /** Frame in which its last phone begins. */
  lastFrame: number;
  /** Score of the whole path up to here. */
  score: number;
  back: WordRecord | null;
};

/**
 * Tokens of one frame: the best paths to each pair of lexicon node and language model state,
 * separately for paths whose last frame is the node's phone (`symbol`) and the blank (`blank`),
 * because CTC separates two equal phones by a blank. At the root `column` is the phone that ended
 * the last word.
 */
export type TokenTable = {
  count: number;
  best: number;
  node: Int32Array;
  state: Int32Array;
  column: Uint8Array;
  symbolScore: Float64Array;
  symbolStart: Int32Array;
  symbolRecord: (WordRecord | null)[];
  blankScore: Float64Array;
  blankStart: Int32Array;
  blankRecord: (WordRecord | null)[];
  slots: Int32Array;
};

/** Largest number of tokens of a frame before pruning; later tokens are dropped. */
const CAPACITY = 1 << 13;
const SLOTS = CAPACITY * 2;

/** An empty table. */
export function createTokenTable(): TokenTable {
  return {
    count: 0,
    best: -Infinity,
    node: new Int32Array(CAPACITY),
    state: new Int32Array(CAPACITY),
    column: new Uint8Array(CAPACITY),
    symbolScore: new Float64Array(CAPACITY),
    symbolStart: new Int32Array(CAPACITY),
    symbolRecord: [],
    blankScore: new Float64Array(CAPACITY),
    blankStart: new Int32Array(CAPACITY),
    blankRecord: [],
    slots: new Int32Array(SLOTS).fill(-1),
  };
}

/** Empties a table for the next frame. */
export function clearTokens(table: TokenTable): void {
  table.count = 0;
  table.best = -Infinity;
  table.slots.fill(-1);
}

/** Returns the token of a node and state, creating it if needed; −1 when the table is full. */
export function tokenOf(table: TokenTable, node: number, state: number): number {
  let slot = (Math.imul(node, 0x9e3779b1) ^ Math.imul(state, 0x85ebca6b)) >>> 0;
  slot = (slot ^ (slot >>> 15)) & (SLOTS - 1);
  for (;;) {
    const token = table.slots[slot] ?? -1;
    if (token < 0) break;
    if (table.node[token] === node && table.state[token] === state) return token;
    slot = (slot + 1) & (SLOTS - 1);
  }
  if (table.count === CAPACITY) return -1;
  const token = table.count++;
  table.slots[slot] = token;
  table.node[token] = node;
  table.state[token] = state;
  table.column[token] = 0;
  table.symbolScore[token] = -Infinity;
  table.blankScore[token] = -Infinity;
  return token;
}

/**
 * Offers a path to a token that ends in a phone, whose column the caller records (`setPhone`);
 * returns whether it is now the best of its kind. A negative token takes none.
 */
export function offerSymbol(
  table: TokenTable,
  token: number,
  score: number,
  startFrame: number,
  record: WordRecord | null,
): boolean {
  if (token < 0 || (table.symbolScore[token] ?? 0) >= score) return false;
  table.symbolScore[token] = score;
  table.symbolStart[token] = startFrame;
  table.symbolRecord[token] = record;
  if (score > table.best) table.best = score;
  return true;
}

/**
 * Offers a path to a token that ends in the blank, whose last phone the caller records
 * (`fillPhone`); returns whether it is now the best of its kind. A negative token takes none.
 */
export function offerBlank(
  table: TokenTable,
  token: number,
  score: number,
  startFrame: number,
  record: WordRecord | null,
): boolean {
  if (token < 0 || (table.blankScore[token] ?? 0) >= score) return false;
  table.blankScore[token] = score;
  table.blankStart[token] = startFrame;
  table.blankRecord[token] = record;
  if (score > table.best) table.best = score;
  return true;
}

/** Records the phone of the best path of a token that ends in a phone. */
export function setPhone(table: TokenTable, token: number, column: number): void {
  table.column[token] = column;
}

/** Records the phone before a blank, unless the token has a phone already. */
export function fillPhone(table: TokenTable, token: number, column: number): void {
  if (table.column[token] === 0) table.column[token] = column;
}

const HISTOGRAM_BINS = 512;
const bins = new Int32Array(HISTOGRAM_BINS);

/**
 * Returns the score that about `width` tokens at most reach, limited to `margin` below the best.
 */
export function pruningScore(table: TokenTable, width: number, margin: number): number {
  bins.fill(0);
  const perBin = margin / HISTOGRAM_BINS;
  for (let token = 0; token < table.count; token++) {
    const loss = table.best - Math.max(table.symbolScore[token] ?? 0, table.blankScore[token] ?? 0);
    const bin = Math.floor(loss / perBin);
    if (bin < HISTOGRAM_BINS) bins[bin] = (bins[bin] ?? 0) + 1;
  }
  let keptCount = 0;
  for (let bin = 0; bin < HISTOGRAM_BINS; bin++) {
    keptCount += bins[bin] ?? 0;
    if (keptCount > width) return table.best - bin * perBin;
  }
  return table.best - margin;
}
