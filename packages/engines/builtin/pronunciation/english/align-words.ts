import type { Emissions } from './emissions.ts';
import { COSTS, type WordGraph } from './word-graph.ts';

/** First frame and the frame after the last. */
export type Frames = { startFrame: number; endFrame: number };

/**
 * One spoken instance of a word: its pronunciation and the frames of each phone, null for omitted
 * ones; at least one is present.
 */
export type SpokenWord = Frames & { word: number; variant: number; phones: (Frames | null)[] };

type WordAlignment = {
  /** Spoken words in order of time; a repeated word occurs more than once. */
  spoken: SpokenWord[];
  /** Frames of sounds between or within words that the text does not have. */
  inserted: Frames[];
  /** Natural logarithm of the path's weight, including omissions and insertions. */
  score: number;
};

/** Least probability of a phone at which a frame in a gap or a blank counts as a foreign sound. */
const SOUND_P = 0.5;
const FROM_START = -1;
const FROM_GAP_BEFORE = -2;

/**
 * Finds the most probable path through the graph (Viterbi), with one state per frame. `phonesOf`
 * returns the number of phones of a pronunciation.
 */
export function alignWords(
  emissions: Emissions,
  graph: WordGraph,
  phonesOf: (word: number, variant: number) => number,
): WordAlignment {
  const { frameCount } = emissions;
  if (frameCount === 0) return { spoken: [], inserted: [], score: -Infinity };
  const { back, scores } = search(emissions, graph);
  let state = 0;
  let score = -Infinity;
  for (let candidate = 0; candidate < graph.stateCount; candidate++) {
    const total = (scores[candidate] ?? -Infinity) - (graph.endCost[candidate] ?? Infinity);
    if (total > score) [state, score] = [candidate, total];
  }
  if (score === -Infinity) return { spoken: [], inserted: [], score };
  const path = new Int32Array(frameCount);
  for (let frame = frameCount - 1; frame >= 0; frame--) {
    let from = back[frame * graph.stateCount + state] ?? FROM_START;
    while (from === FROM_GAP_BEFORE) {
      state = graph.gaps[graph.gaps.indexOf(state) - 1] ?? 0;
      from = back[frame * graph.stateCount + state] ?? FROM_START;
    }
    path[frame] = state;
    if (from !== FROM_START) state = graph.arcFrom[from] ?? 0;
  }
  return { spoken: spokenWords(path, graph, phonesOf), inserted: insertedSounds(path, emissions, graph), score };
}

function search(emissions: Emissions, graph: WordGraph): { back: Int32Array; scores: Float64Array } {
  const { frameCount } = emissions;
  const { stateCount, arcStart, arcFrom, arcCost, gaps, skipCost, startCost } = graph;
  const back = new Int32Array(frameCount * stateCount).fill(FROM_START);
  let scores = new Float64Array(stateCount);
  let next = new Float64Array(stateCount);
  for (let frame = 0; frame < frameCount; frame++) {
    for (let state = 0; state < stateCount; state++) {
      let best = frame === 0 ? -(startCost[state] ?? Infinity) : -Infinity;
      let from = FROM_START;
      if (frame > 0) {
        const end = arcStart[state + 1] ?? 0;
        for (let arc = arcStart[state] ?? 0; arc < end; arc++) {
          const value = (scores[arcFrom[arc] ?? 0] ?? -Infinity) - (arcCost[arc] ?? 0);
          if (value > best) {
            best = value;
            from = arc;
          }
        }
      }
      next[state] = best === -Infinity ? best : best + emissionOf(emissions, graph, frame, state);
      back[frame * stateCount + state] = from;
    }
    // A word that is left out takes no frame.
    for (let index = 1; index < gaps.length; index++) {
      const state = gaps[index] ?? 0;
      const value = (next[gaps[index - 1] ?? 0] ?? -Infinity) - (skipCost[index - 1] ?? 0);
      if (value <= (next[state] ?? -Infinity)) continue;
      next[state] = value;
      back[frame * stateCount + state] = FROM_GAP_BEFORE;
    }
    [scores, next] = [next, scores];
  }
  return { back, scores };
}

function emissionOf({ logp, width, bestPhone }: Emissions, graph: WordGraph, frame: number, state: number): number {
  const row = frame * width;
  const column = graph.column[state] ?? 0;
  const likeliestLogp = logp[row + (bestPhone[frame] ?? 0)] ?? 0;
  return column > 0
    ? Math.max(logp[row + column] ?? 0, likeliestLogp - COSTS.substitution)
    : Math.max(logp[row] ?? 0, likeliestLogp - (graph.insertionCost[state] ?? 0));
}

function spokenWords(
  path: Int32Array,
  graph: WordGraph,
  phonesOf: (word: number, variant: number) => number,
): SpokenWord[] {
  const spoken: SpokenWord[] = [];
  let open: SpokenWord | null = null;
  path.forEach((state, frame) => {
    const word = graph.word[state] ?? -1;
    if (word < 0) {
      open = null;
      return;
    }
    const variant = graph.variant[state] ?? 0;
    if (open === null || open.word !== word) {
      const phones = Array.from({ length: phonesOf(word, variant) }, () => null);
      open = { word, variant, phones, startFrame: frame, endFrame: frame + 1 };
      spoken.push(open);
    }
    open.endFrame = frame + 1;
    if ((graph.column[state] ?? 0) === 0) return;
    const position = graph.position[state] ?? 0;
    const phone = open.phones[position] ?? { startFrame: frame, endFrame: frame };
    phone.endFrame = frame + 1;
    open.phones[position] = phone;
  });
  return spoken;
}

function insertedSounds(path: Int32Array, { p, width, bestPhone }: Emissions, graph: WordGraph): Frames[] {
  const insertions: Frames[] = [];
  path.forEach((state, frame) => {
    const phone = bestPhone[frame] ?? 0;
    const isForeign = (graph.insertionCost[state] ?? 0) < COSTS.insertion;
    if ((graph.column[state] ?? 0) > 0 || isForeign || (p[frame * width + phone] ?? 0) < SOUND_P) return;
    const last = insertions.at(-1);
    if (last !== undefined && last.endFrame === frame && bestPhone[frame - 1] === phone) last.endFrame = frame + 1;
    else insertions.push({ startFrame: frame, endFrame: frame + 1 });
  });
  return insertions;
}
