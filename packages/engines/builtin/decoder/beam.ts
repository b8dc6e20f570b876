/**
 * A hypothesis of a trigram search: its score and its last two words, which determine what may
 * follow.
 */
type TrigramHistory = { score: number; previousWord: number; word: number };

/** Histories that have reached one moment, the best of those that end in the same two words. */
export type Beam<History extends TrigramHistory> = { best: number; byLastWords: Map<number, History> };

/**
 * Pruning limits in natural logarithms: the margin below the best, and the number of hypotheses
 * kept.
 */
type BeamLimits = { beamMargin: number; beamWidth: number };

export function createBeams<History extends TrigramHistory>(count: number): Beam<History>[] {
  return Array.from({ length: count }, () => ({ best: -Infinity, byLastWords: new Map() }));
}

/** Word numbers stay below 2^20, so the key is exact. */
const keyOf = (previousWord: number, word: number): number => previousWord * 0x100000 + word;

/**
 * Checks whether a hypothesis with this score and these last words would improve the beam; false
 * for NaN.
 */
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

/** Inserts a history that `improves` the beam. */
export function put<History extends TrigramHistory>(beam: Beam<History>, history: History): void {
  beam.byLastWords.set(keyOf(history.previousWord, history.word), history);
  if (history.score > beam.best) beam.best = history.score;
}

/** Returns the surviving hypotheses, best first. */
export function pruned<History extends TrigramHistory>(
  beam: Beam<History> | undefined,
  { beamMargin, beamWidth }: BeamLimits,
): History[] {
  if (beam === undefined) return [];
  const limit = beam.best - beamMargin;
  // Most were added before the best was known; drop them before sorting.
  const survivors: History[] = [];
  for (const history of beam.byLastWords.values()) if (history.score >= limit) survivors.push(history);
  return survivors.sort((a, b) => b.score - a.score).slice(0, beamWidth);
}
