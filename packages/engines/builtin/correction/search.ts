import { setImmediate } from 'node:timers/promises';
import { createBeams, improves, pruned, put, type Beam } from '#engines/builtin/decoder/beam.ts';
import { BOUNDARY_WORD } from '#engines/builtin/decoder/language-model.ts';
import type { Column } from './columns.ts';
import { collectTerms } from './term-candidates.ts';
import type { KnownTerm, TermNode } from './term-index.ts';
import type { Vocabulary } from './vocabulary.ts';
import type { CorrectionWeights } from './weights.ts';
import { arcsOf, collectWords, type Candidate } from './word-candidates.ts';

/** Number of columns between yields to the event loop. */
const YIELD_EVERY = 32;

type History = { score: number; previousWord: number; word: number; text: string; back: History | null };

/**
 * Finds the best text of a run by beam search: each history is extended by the words and terms that
 * fit the following columns, scored by the language model's trigrams. Histories that end in the
 * same two words are merged. An aborted signal throws its reason.
 */
export async function searchRun(
  columns: readonly Column[],
  terms: TermNode,
  vocabulary: Vocabulary,
  weights: CorrectionWeights,
  signal: AbortSignal,
): Promise<string> {
  const beams = createBeams<History>(columns.length + 1);
  add(beams[0], { score: 0, previousWord: BOUNDARY_WORD, word: BOUNDARY_WORD, text: '', back: null }, weights);
  const arcs = arcsOf(columns, vocabulary, weights);
  for (const [at, column] of columns.entries()) {
    if (at % YIELD_EVERY === YIELD_EVERY - 1) {
      await setImmediate();
      signal.throwIfAborted();
    }
    const histories = pruned(beams[at], weights);
    if (histories.length === 0) continue;
    // A syllable without a character stays unwritten, unless a term covers it.
    if (column.character === null) for (const history of histories) add(beams[at + 1], history, weights);
    const candidates = [
      ...collectWords(columns, arcs, at, vocabulary, weights),
      ...collectTerms(columns, terms, at, weights),
    ];
    for (const history of histories) extend(history, candidates, beams, vocabulary, weights);
  }
  const best = bestText(pruned(beams[columns.length], weights), vocabulary, weights);
  // Invalid numbers from an engine lead to no path; the text is kept then.
  return best ?? columns.map(({ character }) => character ?? '').join('');
}

function extend(
  history: History,
  candidates: readonly Candidate[],
  beams: readonly Beam<History>[],
  { model, unknown }: Vocabulary,
  weights: CorrectionWeights,
): void {
  const context = model.context(history.previousWord, history.word);
  for (const { to, text, word, term, score: candidateScore } of candidates) {
    const logp = word === unknown ? weights.unknownWord : model.logp(context, word);
    const wordLogp = term === null ? logp : termLogp(term, logp, weights);
    const score = history.score + candidateScore + weights.languageModelScale * wordLogp;
    const words = term?.words ?? [];
    const last = words.length > 1 ? (words.at(-1) ?? word) : word;
    const previousWord = words.length > 1 ? (words.at(-2) ?? word) : history.word;
    add(beams[to], { score, previousWord, word: last, text, back: history }, weights);
  }
}

/**
 * Scores a term by its words here or as a term in general, whichever is better; long terms rarely
 * match by chance.
 */
function termLogp(term: KnownTerm, firstLogp: number, weights: CorrectionWeights): number {
  const length = term.characters.length - 1;
  const asWords = firstLogp + term.restLogp + weights.knownTermSyllable * length;
  return Math.max(asWords, weights.term + weights.termSyllable * length) + Math.log(term.weight);
}

function add(beam: Beam<History> | undefined, history: History, weights: CorrectionWeights): void {
  const { score, previousWord, word } = history;
  if (beam !== undefined && improves(beam, score, previousWord, word, weights)) put(beam, history);
}

function bestText(histories: readonly History[], { model }: Vocabulary, weights: CorrectionWeights): string | null {
  let best: History | null = null;
  let bestScore = -Infinity;
  for (const history of histories) {
    const ending = model.logp(model.context(history.previousWord, history.word), BOUNDARY_WORD);
    const score = history.score + weights.languageModelScale * ending;
    if (score > bestScore) [best, bestScore] = [history, score];
  }
  if (best === null) return null;
  const texts: string[] = [];
  for (let step: History | null = best; step !== null; step = step.back) texts.push(step.text);
  return texts.toReversed().join('');
}
