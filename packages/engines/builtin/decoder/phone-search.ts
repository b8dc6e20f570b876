import { BOUNDARY_WORD, type LanguageModel, type NgramContext } from './language-model.ts';
import type { PhoneLexicon } from './phone-lexicon.ts';
import {
  type TokenTable,
  type WordRecord,
  clearTokens,
  createTokenTable,
  fillPhone,
  offerBlank,
  offerSymbol,
  pruningScore,
  setPhone,
  tokenOf,
} from './phone-tokens.ts';
import type { Posteriors } from './types.ts';
import type { DecoderWeights } from './weights.ts';

/** The best path's words, and every other word that some path within the beam ended. */
export type PhoneSearchResult = {
  words: WordRecord[];
  /** Completed words by the frame in which their last phone begins. */
  endedAt: WordRecord[][];
};

/** Least log-probability in a frame at which a phone is tried there. */
const SYMBOL_FLOOR = -6.5;
/**
 * Distance in nats from the frame's best path that ends a word, beyond which other such paths are
 * dropped.
 */
const WORD_END_MARGIN = 7;

/** Pairs of last words; paths with the same node and state have the same future. */
type States = {
  of(previous: number, word: number): number;
  word(state: number): number;
  context(state: number): NgramContext;
};

/** The search in one frame. */
type Search = {
  lexicon: PhoneLexicon;
  model: LanguageModel;
  weights: DecoderWeights;
  states: States;
  endedAt: WordRecord[][];
  /** Tokens of the frame before, and those of this frame. */
  from: TokenTable;
  to: TokenTable;
  frame: number;
  /** Log-probabilities of the symbols in this frame. */
  row: Float32Array;
  /** Phones that are tried in this frame, most probable first. */
  columns: number[];
  /** Best score of a path that ended a word in this frame. */
  bestEnd: number;
};

/**
 * Frame-synchronous CTC beam search over the lexicon's prefix tree (token passing, Young et al.
 * 1989; CTC by Graves et al. 2006, best path instead of the sum): a token is a node of the tree
 * with the last two words as language model state. A word ends in the frame in which its last phone
 * begins; the rest of that phone is spent at the root. Look-ahead uses the best unigram below a
 * node.
 */
export function searchPhones(
  posteriors: Posteriors,
  width: number,
  lexicon: PhoneLexicon,
  model: LanguageModel,
  weights: DecoderWeights,
): PhoneSearchResult {
  const search: Search = {
    lexicon,
    model,
    weights,
    states: createStates(model),
    endedAt: [],
    from: createTokenTable(),
    to: createTokenTable(),
    frame: 0,
    row: new Float32Array(0),
    columns: [],
    bestEnd: -Infinity,
  };
  const { states, columns } = search;
  offerBlank(search.from, tokenOf(search.from, 0, states.of(BOUNDARY_WORD, BOUNDARY_WORD)), 0, 0, null);
  for (let frame = 0; frame < posteriors.frameCount; frame++) {
    const row = posteriors.symbolLogp.subarray(frame * width, (frame + 1) * width);
    columns.length = 0;
    for (let column = 1; column < width; column++) if ((row[column] ?? -Infinity) > SYMBOL_FLOOR) columns.push(column);
    // Sort the most probable column first, so that a token can stop at the first phone below its
    // threshold.
    columns.sort((a, b) => (row[b] ?? 0) - (row[a] ?? 0));
    clearTokens(search.to);
    search.endedAt.push([]);
    search.frame = frame;
    search.row = row;
    search.bestEnd = -Infinity;
    advance(search);
    // Skip a frame that allows no path (NaN, minus infinity).
    if (search.to.count > 0) [search.from, search.to] = [search.to, search.from];
  }
  return { words: wordsTo(bestEnding(search)), endedAt: search.endedAt };
}

/** Continues every token that may still win into the next frame. */
function advance(search: Search): void {
  const { from, weights } = search;
  const limit = pruningScore(from, weights.beamWidth, weights.beamMargin);
  // Start with the best token: its successors set the pruning threshold.
  let first = 0;
  for (let token = 1; token < from.count; token++) if (bestScore(from, token) > bestScore(from, first)) first = token;
  for (let index = -1; index < from.count; index++) {
    const token = index < 0 ? first : index;
    if (index === first || !(bestScore(from, token) >= limit)) continue;
    stay(search, token);
    enterPhones(search, token);
  }
}

const bestScore = (table: TokenTable, token: number): number =>
  Math.max(table.symbolScore[token] ?? -Infinity, table.blankScore[token] ?? -Infinity);

/** Keeps a token at its node: in the blank, or in its phone. */
function stay({ from, to, row, weights }: Search, token: number): void {
  const symbol = from.symbolScore[token] ?? -Infinity;
  const blank = from.blankScore[token] ?? -Infinity;
  const node = from.node[token] ?? 0;
  const state = from.state[token] ?? 0;
  const column = from.column[token] ?? 0;
  const silent = Math.max(symbol, blank) + (row[0] ?? -Infinity) * weights.acousticScale;
  if (silent > to.best - weights.beamMargin) {
    const start = (symbol > blank ? from.symbolStart[token] : from.blankStart[token]) ?? 0;
    const record = (symbol > blank ? from.symbolRecord[token] : from.blankRecord[token]) ?? null;
    const next = tokenOf(to, node, state);
    if (offerBlank(to, next, silent, start, record)) fillPhone(to, next, column);
  }
  const lasting = symbol + (row[column] ?? -Infinity) * weights.acousticScale;
  if (column > 0 && lasting > to.best - weights.beamMargin) {
    const next = tokenOf(to, node, state);
    const isBest = offerSymbol(to, next, lasting, from.symbolStart[token] ?? 0, from.symbolRecord[token] ?? null);
    if (isBest) setPhone(to, next, column);
  }
}

/** Extends a token by every phone that the lexicon and the frame allow. */
function enterPhones(search: Search, token: number): void {
  const { from, to, frame, row, columns, weights, lexicon } = search;
  const node = from.node[token] ?? 0;
  const state = from.state[token] ?? 0;
  const isSymbolBetter = (from.symbolScore[token] ?? 0) > (from.blankScore[token] ?? 0);
  const best = bestScore(from, token) + weights.syllableBonus;
  const nodeLookAhead = lexicon.lookAhead(node);
  for (const column of columns) {
    const phoneLogp = (row[column] ?? -Infinity) * weights.acousticScale;
    // Look-ahead increases only when leaving the root, where it is at most 0.
    if (!(best + phoneLogp > to.best - weights.beamMargin)) break;
    const child = lexicon.child(node, column);
    if (child < 0) continue;
    // The same phone once more needs a blank between.
    const isFromSymbol = isSymbolBetter && column !== from.column[token];
    const before = isFromSymbol ? (from.symbolScore[token] ?? 0) : (from.blankScore[token] ?? 0);
    const score = before + weights.syllableBonus + phoneLogp + lexicon.lookAhead(child) - nodeLookAhead;
    if (!(score > to.best - weights.beamMargin)) continue;
    const record = (isFromSymbol ? from.symbolRecord[token] : from.blankRecord[token]) ?? null;
    const startFrame = node === 0 ? frame : ((isFromSymbol ? from.symbolStart[token] : from.blankStart[token]) ?? 0);
    const next = tokenOf(to, child, state);
    if (offerSymbol(to, next, score, startFrame, record)) {
      setPhone(to, next, column);
      endWords(search, next);
    }
  }
}

/**
 * Ends each word at the node of a token of this frame whose best path ends in a phone: the path
 * returns to the root at the cost of the language model.
 */
function endWords(search: Search, token: number): void {
  const { to, frame, lexicon, model, weights, states } = search;
  const node = to.node[token] ?? 0;
  const state = to.state[token] ?? 0;
  const column = to.column[token] ?? 0;
  const score = to.symbolScore[token] ?? -Infinity;
  const startFrame = to.symbolStart[token] ?? 0;
  const back = to.symbolRecord[token] ?? null;
  const { trie } = model;
  const first = trie.firstPronunciation(node);
  const end = Math.min(trie.endPronunciation(node), first + weights.homophoneLimit);
  const base = score - lexicon.lookAhead(node) + weights.wordBonus;
  const floor = Math.max(to.best - weights.beamMargin, search.bestEnd - WORD_END_MARGIN);
  if (first === end || !(base > floor)) return;
  const context = states.context(state);
  for (let entry = first; entry < end; entry++) {
    const word = trie.word(entry);
    const total =
      base + model.logp(context, word) * weights.languageModelScale + model.readingLogp(entry) * weights.readingScale;
    if (!(total > floor)) continue;
    if (total > search.bestEnd) search.bestEnd = total;
    const record: WordRecord = { word, node, startFrame, lastFrame: frame, score: total, back };
    const next = tokenOf(to, 0, states.of(states.word(state), word));
    if (offerSymbol(to, next, total, frame, record)) {
      setPhone(to, next, column);
      search.endedAt[frame]?.push(record);
    }
  }
}

function createStates(model: LanguageModel): States {
  const words: number[] = [];
  const contexts: NgramContext[] = [];
  const numbers = new Map<number, number>();
  return {
    of(previous, word) {
      // Word numbers stay below 2^20, so the key is exact.
      const key = previous * 0x100000 + word;
      let state = numbers.get(key);
      if (state === undefined) {
        state = words.length;
        numbers.set(key, state);
        words.push(word);
        contexts.push(model.context(previous, word));
      }
      return state;
    },
    word: (state) => words[state] ?? BOUNDARY_WORD,
    context: (state) => contexts[state] ?? model.context(BOUNDARY_WORD, BOUNDARY_WORD),
  };
}

/** Returns the last word of the best path, preferring paths with a completed word. */
function bestEnding({ from: table, model, weights, states }: Search): WordRecord | null {
  let best: WordRecord | null = null;
  let bestScore = -Infinity;
  let unfinished = true;
  for (let token = 0; token < table.count; token++) {
    const isSymbolBetter = (table.symbolScore[token] ?? 0) > (table.blankScore[token] ?? 0);
    let score = (isSymbolBetter ? table.symbolScore[token] : table.blankScore[token]) ?? -Infinity;
    const isRoot = table.node[token] === 0;
    if (isRoot) {
      score += model.logp(states.context(table.state[token] ?? 0), BOUNDARY_WORD) * weights.languageModelScale;
    }
    if ((isRoot && unfinished) || (isRoot === !unfinished && score > bestScore)) {
      best = (isSymbolBetter ? table.symbolRecord[token] : table.blankRecord[token]) ?? null;
      bestScore = score;
      unfinished = !isRoot;
    }
  }
  return best;
}

function wordsTo(last: WordRecord | null): WordRecord[] {
  const words: WordRecord[] = [];
  for (let record = last; record !== null; record = record.back) words.push(record);
  return words.toReversed();
}
