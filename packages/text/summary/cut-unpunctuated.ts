import { boundaryModel, boundaryOddsAt, type BoundaryOdds } from './boundary-model.ts';
import { textOf, tokensOf, type Mark, type Token } from './caption-tokens.ts';
import type { Lexicon } from './lexicon.ts';

/** Weight of unusual lengths, relative to the evidence of the words. */
const LENGTH_WEIGHT = 0.5;
/**
 * Prior of the estimation: this number of tokens with each mark, of which a share ends a sentence.
 */
const PRIOR_TOKENS = 2;
const PRIOR_END_SHARE: Readonly<Record<Mark, number>> = { none: 0.05, line: 0.2, space: 0.25, comma: 0.3 };
const MARKS = Object.keys(PRIOR_END_SHARE) as Mark[];
const ROUNDS = 6;
/** From this bonus on, line breaks follow the speech, and those inside a piece become pauses. */
const MIN_PAUSE_BONUS = 1.2;
/** Log-odds below which a line break is not a pause. */
const MIN_PAUSE_ODDS = -3;

/**
 * A text that may be a sentence, and the log-odds that a sentence ends after it; Infinity for a
 * certain end.
 */
export type Piece = { text: string; endOdds: number };

/**
 * Cuts a text without punctuation into pieces of sentence length; joined, they are the text. Finds
 * the best cuts (dynamic programming) by the words on both sides (logistic regression), pauses and
 * lengths. The weight of line breaks, commas and spaces is estimated from the text: manual captions
 * break at pauses, automatic ones anywhere.
 */
export function cutUnpunctuated(text: string, lexicon: Lexicon): Piece[] {
  const tokens = tokensOf(text, lexicon);
  const odds = boundaryOdds(tokens, lexicon);
  const bonuses = markBonuses(tokens, odds);
  const allOdds = odds.map(({ clause, sentence }, index) =>
    oddsOfBoth(clause + bonuses[tokens[index]!.mark], sentence),
  );
  const ends = bestEnds(allOdds, tokens, lexicon);
  const pauseOdds = bonuses.line > MIN_PAUSE_BONUS ? MIN_PAUSE_ODDS : Infinity;
  let start = 0;
  return ends.map((end) => {
    const isPause = (index: number) => odds[start + index]!.clause > pauseOdds && start + index < end - 1;
    const piece = textOf(tokens.slice(start, end), lexicon, isPause);
    start = end;
    return { text: piece, endOdds: end === tokens.length ? Infinity : allOdds[end - 1]! };
  });
}

function boundaryOdds(tokens: readonly Token[], lexicon: Lexicon): BoundaryOdds[] {
  const model = lexicon.boundaryModel ?? boundaryModel(lexicon.boundaries.model);
  const words = tokens.map(({ word }) => word);
  return words.map((_, index) =>
    boundaryOddsAt(model, words, index, lexicon.boundaries.reading, lexicalScores(words, index, lexicon)),
  );
}

/** Scores of the position after a token, by the word lists of the lexicon. */
export function lexicalScores(
  words: readonly string[],
  index: number,
  lexicon: Lexicon,
): { closes: number; opens: number } {
  if (lexicon.spaced) return { closes: lexicon.closes(words[index]!), opens: lexicon.opens(words[index + 1] ?? '') };
  return {
    closes: lexicon.closes(words.slice(Math.max(0, index - 4), index + 1).join('')),
    opens: lexicon.opens(words.slice(index + 1, index + 6).join('')),
  };
}

/** Log-odds of two events; the second is conditional on the first. */
function oddsOfBoth(first: number, second: number): number {
  const chance = 1 / (1 + Math.exp(-first)) / (1 + Math.exp(-second));
  return Math.log(chance / (1 - chance));
}

/**
 * The log-odds that each mark adds to a clause end: how much more often it occurs at clause ends
 * than elsewhere (expectation maximization, because the ends are unknown).
 */
function markBonuses(tokens: readonly Token[], odds: readonly BoundaryOdds[]): Record<Mark, number> {
  const bonuses: Record<Mark, number> = { none: 0, line: 0, space: 0, comma: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    const ending = { ...PRIOR_END_SHARE };
    const other = { ...PRIOR_END_SHARE };
    for (const mark of MARKS) {
      ending[mark] = PRIOR_TOKENS * PRIOR_END_SHARE[mark];
      other[mark] = PRIOR_TOKENS * (1 - PRIOR_END_SHARE[mark]);
    }
    for (const [index, { mark }] of tokens.entries()) {
      const chance = 1 / (1 + Math.exp(-odds[index]!.clause - bonuses[mark]));
      ending[mark] += chance;
      other[mark] += 1 - chance;
    }
    const endings = MARKS.reduce((sum, mark) => sum + ending[mark], 0);
    const nonEndings = MARKS.reduce((sum, mark) => sum + other[mark], 0);
    for (const mark of MARKS) bonuses[mark] = Math.log(ending[mark] / endings / (other[mark] / nonEndings));
  }
  return bonuses;
}

/** Cut positions that maximize the gains minus the cost of unusual lengths. */
function bestEnds(gains: readonly number[], tokens: readonly Token[], lexicon: Lexicon): number[] {
  const { mean, spread } = (lexicon.boundaryModel ?? boundaryModel(lexicon.boundaries.model)).logLength;
  const { max } = lexicon.sentenceLength;
  const costs = Float64Array.from(
    { length: max + 1 },
    (_, size) => LENGTH_WEIGHT * ((Math.log(Math.max(0.5, size)) - mean) / spread) ** 2,
  );
  const best = new Float64Array(tokens.length + 1).fill(-Infinity);
  const from = new Int32Array(tokens.length + 1);
  best[0] = 0;
  for (let end = 1; end <= tokens.length; end += 1) {
    let size = 0;
    for (let start = end - 1; start >= 0; start -= 1) {
      size += tokens[start]!.size;
      // A token longer than any sentence forms a piece of its own.
      if (size > max && start < end - 1) break;
      const total = best[start]! + gains[end - 1]! - costs[Math.min(size, max)]!;
      if (total > best[end]!) {
        best[end] = total;
        from[end] = start;
      }
    }
  }
  const ends: number[] = [];
  for (let end = tokens.length; end > 0; end = from[end]!) ends.push(end);
  return ends.toReversed();
}
