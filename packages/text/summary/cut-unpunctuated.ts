import { boundaryModel, boundaryOddsAt, type BoundaryOdds } from './boundary-model.ts';
import { textOf, tokensOf, type Mark, type Token } from './caption-tokens.ts';
import type { Lexicon } from './lexicon.ts';

/** How much lengths that are unusual cost beside what the words say. */
const LENGTH_WEIGHT = 0.5;
/** Tokens with each mark that are taken as seen before a text is, and the share of them that end a sentence. */
const SEEN_BEFORE = 2;
const ENDING_BEFORE: Readonly<Record<Mark, number>> = { none: 0.05, line: 0.2, space: 0.25, comma: 0.3 };
const MARKS = Object.keys(ENDING_BEFORE) as Mark[];
const ROUNDS = 6;
/** Where ends of lines are worth so much, lines follow the speech, and their ends within a piece are pauses. */
const LEAST_PAUSE_BONUS = 1.2;
/** Log-odds below which the end of a line is no pause either. */
const LEAST_PAUSE_ODDS = -3;

/** A stretch of text that may be a sentence, and the log-odds that one ends with it: Infinity where that is known. */
export type Piece = { text: string; endOdds: number };

/**
 * Pieces of the length of sentences of a text without punctuation, which together are the text. The best of all ways to
 * cut it (dynamic programming): by the words on both sides of each cut (a logistic regression), by pauses, and by length.
 * How much ends of lines, commas and spaces count is seen from the text itself: captions by people break where speakers
 * pause, automatic ones anywhere.
 */
export function cutUnpunctuated(text: string, lexicon: Lexicon): Piece[] {
  const tokens = tokensOf(text, lexicon);
  const odds = boundaryOdds(tokens, lexicon);
  const bonuses = markBonuses(tokens, odds);
  const allOdds = odds.map(({ clause, sentence }, index) =>
    oddsOfBoth(clause + bonuses[tokens[index]!.mark], sentence),
  );
  const ends = bestEnds(allOdds, tokens, lexicon);
  const pauseOdds = bonuses.line > LEAST_PAUSE_BONUS ? LEAST_PAUSE_ODDS : Infinity;
  let start = 0;
  return ends.map((end) => {
    const isPause = (index: number) => odds[start + index]!.clause > pauseOdds && start + index < end - 1;
    const piece = textOf(tokens.slice(start, end), lexicon, isPause);
    start = end;
    return { text: piece, endOdds: end === tokens.length ? Infinity : allOdds[end - 1]! };
  });
}

/** The odds after each token. */
function boundaryOdds(tokens: readonly Token[], lexicon: Lexicon): BoundaryOdds[] {
  const model = lexicon.boundaryModel ?? boundaryModel(lexicon.boundaries.model);
  const words = tokens.map(({ word }) => word);
  return words.map((_, index) =>
    boundaryOddsAt(model, words, index, lexicon.boundaries.reading, lexicalScores(words, index, lexicon)),
  );
}

/** What the lexicon's own lists say of the place after a token. */
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

/** Log-odds that two things are so, the log-odds of the second being those where the first is. */
function oddsOfBoth(first: number, second: number): number {
  const chance = 1 / (1 + Math.exp(-first)) / (1 + Math.exp(-second));
  return Math.log(chance / (1 - chance));
}

/**
 * What each mark adds to the log-odds of a clause: how much more often it stands at ends of clauses than elsewhere
 * (expectation maximisation, the ends themselves being unknown).
 */
function markBonuses(tokens: readonly Token[], odds: readonly BoundaryOdds[]): Record<Mark, number> {
  const bonuses: Record<Mark, number> = { none: 0, line: 0, space: 0, comma: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    const ending = { ...ENDING_BEFORE };
    const other = { ...ENDING_BEFORE };
    for (const mark of MARKS) {
      ending[mark] = SEEN_BEFORE * ENDING_BEFORE[mark];
      other[mark] = SEEN_BEFORE * (1 - ENDING_BEFORE[mark]);
    }
    for (const [index, { mark }] of tokens.entries()) {
      const chance = 1 / (1 + Math.exp(-odds[index]!.clause - bonuses[mark]));
      ending[mark] += chance;
      other[mark] += 1 - chance;
    }
    const endings = MARKS.reduce((sum, mark) => sum + ending[mark], 0);
    const others = MARKS.reduce((sum, mark) => sum + other[mark], 0);
    for (const mark of MARKS) bonuses[mark] = Math.log(ending[mark] / endings / (other[mark] / others));
  }
  return bonuses;
}

/** Where to cut, as numbers of tokens before each cut, so that the sum of gains less what unusual lengths cost is highest. */
function bestEnds(gains: readonly number[], tokens: readonly Token[], lexicon: Lexicon): number[] {
  const { mean, spread } = (lexicon.boundaryModel ?? boundaryModel(lexicon.boundaries.model)).logLength;
  const { most } = lexicon.sentenceLength;
  const costs = Float64Array.from(
    { length: most + 1 },
    (_, size) => LENGTH_WEIGHT * ((Math.log(Math.max(0.5, size)) - mean) / spread) ** 2,
  );
  const best = new Float64Array(tokens.length + 1).fill(-Infinity);
  const from = new Int32Array(tokens.length + 1);
  best[0] = 0;
  for (let end = 1; end <= tokens.length; end += 1) {
    let size = 0;
    for (let start = end - 1; start >= 0; start -= 1) {
      size += tokens[start]!.size;
      // One token may be longer than any sentence; it stands alone then.
      if (size > most && start < end - 1) break;
      const total = best[start]! + gains[end - 1]! - costs[Math.min(size, most)]!;
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
