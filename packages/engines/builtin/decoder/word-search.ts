import { createBeams, improves, pruned, put, type Beam } from './beam.ts';
import { BOUNDARY_WORD, type LanguageModel } from './language-model.ts';
import type { SyllableArc, SyllableLattice } from './syllable-lattice.ts';
import type { DecoderWeights } from './weights.ts';

/** A word of the best sentence, with the arc of each of its syllables. */
export type FoundWord = {
  word: number;
  arcs: SyllableArc[];
  /** All candidates for the same range, including the one of this word. */
  rivals: readonly WordCandidate[];
};

/** A sequence of syllables that some words are pronounced as. */
export type WordCandidate = {
  to: number;
  trieNode: number;
  acoustic: number;
  arcs: SyllableArc[];
};

type Hypothesis = {
  score: number;
  previousWord: number;
  word: number;
  candidate: WordCandidate | null;
  back: Hypothesis | null;
};

/**
 * The arcs of a part of a word (`LanguageModel.parts`): one of a character, all of a word of
 * letters.
 */
export function arcsOfPart({ arcs }: FoundWord, part: number, partCount: number): readonly SyllableArc[] {
  return partCount === arcs.length ? arcs.slice(part, part + 1) : arcs;
}

/**
 * Finds the best sentence through a lattice by beam search: each history is extended by every word
 * that fits the following slots, scored by a trigram model. Histories that end in the same two
 * words are merged.
 */
export function searchWords(lattice: SyllableLattice, model: LanguageModel, weights: DecoderWeights): FoundWord[] {
  return findWords(lattice, model, weights) ?? [];
}

/** Searches like `searchWords`; null when no sequence of words spans the lattice. */
export function findWords(lattice: SyllableLattice, model: LanguageModel, weights: DecoderWeights): FoundWord[] | null {
  const nodeCount = lattice.arcsFrom.length;
  const beams = createBeams<Hypothesis>(nodeCount);
  const start: Hypothesis = { score: 0, previousWord: BOUNDARY_WORD, word: BOUNDARY_WORD, candidate: null, back: null };
  if (beams[0] !== undefined) put(beams[0], start);
  const bestArc = bestArcs(lattice);
  const candidatesFrom: WordCandidate[][] = [];
  for (let node = 0; node < nodeCount - 1; node++) {
    const histories = pruned(beams[node], weights);
    if (histories.length === 0) continue;
    extendOverSilence(lattice.arcsFrom[node] ?? [], histories, beams, weights);
    const candidates = collectCandidates(lattice, model, node, bestArc, weights);
    candidatesFrom[node] = candidates;
    for (const history of histories) extendByWords(history, candidates, beams, model, weights);
  }
  const last = bestEnding(pruned(beams[nodeCount - 1], weights), model, weights);
  return last === null ? null : traceBack(last, candidatesFrom);
}

/** Moves every history across a silent slot without a word. */
function extendOverSilence(
  arcs: SyllableArc[],
  histories: Hypothesis[],
  beams: Beam<Hypothesis>[],
  weights: DecoderWeights,
): void {
  for (const arc of arcs) {
    if (arc.syllable >= 0) continue;
    const gain = arc.logp * weights.acousticScale + weights.deletionPenalty;
    const beam = beams[arc.to];
    if (beam === undefined) continue;
    for (const history of histories) {
      const score = history.score + gain;
      if (improves(beam, score, history.previousWord, history.word, weights)) put(beam, { ...history, score });
    }
  }
}

function extendByWords(
  history: Hypothesis,
  candidates: WordCandidate[],
  beams: Beam<Hypothesis>[],
  model: LanguageModel,
  weights: DecoderWeights,
): void {
  const context = model.context(history.previousWord, history.word);
  const { trie } = model;
  for (const candidate of candidates) {
    const first = trie.firstPronunciation(candidate.trieNode);
    const end = Math.min(trie.endPronunciation(candidate.trieNode), first + weights.homophoneLimit);
    const beam = beams[candidate.to];
    if (beam === undefined) continue;
    const base =
      history.score +
      candidate.acoustic * weights.acousticScale +
      candidate.arcs.length * weights.syllableBonus +
      weights.wordBonus;
    for (let pronunciation = first; pronunciation < end; pronunciation++) {
      const word = trie.word(pronunciation);
      const score =
        base +
        model.logp(context, word) * weights.languageModelScale +
        model.readingLogp(pronunciation) * weights.readingScale;
      if (improves(beam, score, history.word, word, weights)) {
        put(beam, { score, previousWord: history.word, word, candidate, back: history });
      }
    }
  }
}

/** Returns the best arc score out of each node: the bound for incomplete candidates. */
function bestArcs(lattice: SyllableLattice): Float64Array {
  const best = new Float64Array(lattice.arcsFrom.length);
  lattice.arcsFrom.forEach((arcs, node) => {
    best[node] = arcs.reduce((top, arc) => Math.max(top, arc.logp), -Infinity);
  });
  return best;
}

/** Finds every sequence of syllables from a node that is the pronunciation of a word. */
function collectCandidates(
  lattice: SyllableLattice,
  model: LanguageModel,
  start: number,
  bestArc: Float64Array,
  weights: DecoderWeights,
): WordCandidate[] {
  const candidates: WordCandidate[] = [];
  const { trie } = model;
  const path: SyllableArc[] = [];
  const visit = (node: number, trieNode: number, acoustic: number, loss: number): void => {
    for (const arc of lattice.arcsFrom[node] ?? []) {
      const nextLoss = loss + (bestArc[node] ?? 0) - arc.logp;
      if (nextLoss * weights.acousticScale > weights.candidateMargin) continue;
      if (arc.syllable < 0) {
        // Allow silence within a word; before its first syllable the search itself steps over it.
        if (path.length > 0) {
          visit(arc.to, trieNode, acoustic + arc.logp + weights.deletionPenalty / weights.acousticScale, nextLoss);
        }
        continue;
      }
      const child = trie.child(trieNode, arc.syllable);
      if (child < 0) continue;
      path.push(arc);
      const total = acoustic + arc.logp;
      if (trie.endPronunciation(child) > trie.firstPronunciation(child)) {
        candidates.push({ to: arc.to, trieNode: child, acoustic: total, arcs: [...path] });
      }
      if (trie.hasChildren(child)) visit(arc.to, child, total, nextLoss);
      path.pop();
    }
  };
  visit(start, 0, 0, 0);
  return candidates;
}

function bestEnding(histories: Hypothesis[], model: LanguageModel, weights: DecoderWeights): Hypothesis | null {
  let best: Hypothesis | null = null;
  let bestScore = -Infinity;
  for (const history of histories) {
    const context = model.context(history.previousWord, history.word);
    const score = history.score + model.logp(context, BOUNDARY_WORD) * weights.languageModelScale;
    if (score > bestScore) {
      best = history;
      bestScore = score;
    }
  }
  return best;
}

function traceBack(last: Hypothesis, candidatesFrom: readonly (readonly WordCandidate[])[]): FoundWord[] {
  const words: FoundWord[] = [];
  for (let step: Hypothesis | null = last; step !== null; step = step.back) {
    const { word, candidate } = step;
    if (candidate === null) break;
    const rivals = (candidatesFrom[candidate.arcs[0]?.from ?? 0] ?? []).filter(({ to }) => to === candidate.to);
    words.push({ word, arcs: candidate.arcs, rivals });
  }
  return words.toReversed();
}
