/** A history of a trigram search: how good it is, and the two words that decide what may follow. */
export type TrigramHistory = { score: number; previousWord: number; word: number };

/** Histories that have reached one moment, the best of those that end in the same two words. */
export type Beam<History extends TrigramHistory> = { best: number; byLastWords: Map<number, History> };

/** Natural logarithms: what is worse than the best by more than the margin is given up; and how many histories go on at most. */
export type BeamLimits = { beamMargin: number; beamWidth: number };

export function createBeams<History extends TrigramHistory>(count: number): Beam<History>[] {
  return Array.from({ length: count }, () => ({ best: -Infinity, byLastWords: new Map() }));
}

/** Word numbers stay below 2^20: the key is exact. */
const keyOf = (previousWord: number, word: number): number => previousWord * 0x100000 + word;

/** Whether a history of this score and these last words is worth being made and put in; not a number never is. */
export function improves<History extends TrigramHistory>(
  beam: Beam<History>,
  score: number,
  previousWord: number,
  word: number,
  { beamMargin }: BeamLimits,
): boolean {
  if (!(score >= beam.best - beamMargin)) return false;
  const other = beam.byLastWords.get(keyOf(previousWord, word));
  return other === undefined || other.score < score;
}

/** Puts in a history that `improves` the beam. */
export function put<History extends TrigramHistory>(beam: Beam<History>, history: History): void {
  beam.byLastWords.set(keyOf(history.previousWord, history.word), history);
  if (history.score > beam.best) beam.best = history.score;
}

/** Those that go on, best first. */
export function pruned<History extends TrigramHistory>(
  beam: Beam<History> | undefined,
  { beamMargin, beamWidth }: BeamLimits,
): History[] {
  if (beam === undefined) return [];
  const limit = beam.best - beamMargin;
  // Most were put in before the best was known, so they are thrown out before anything is sorted.
  const kept: History[] = [];
  for (const history of beam.byLastWords.values()) if (history.score >= limit) kept.push(history);
  return kept.sort((a, b) => b.score - a.score).slice(0, beamWidth);
}
