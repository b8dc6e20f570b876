import { errorRate, type ErrorRate } from '../score.ts';
import { mean } from '@jyutsing/numeric/statistics';
import { PAIR_KINDS, parse, type PairKind } from './minimal-pairs.ts';
import {
  bootstrapInterval,
  prepareVerification,
  wholeSample,
  type Interval,
  type Trial,
  type Verification,
} from './statistics.ts';
import type { SyllableSet, SyllableTrials } from './syllable-trials.ts';

/**
 * `all`: pairs are weighted equally. `balanced`: kinds are, because rimes have far more pairs than
 * tones.
 */
export type Pool = 'all' | 'balanced' | PairKind;
const POOLS: readonly Pool[] = ['all', 'balanced', ...PAIR_KINDS];

/** Separation of own texts and minimal pairs, independent of a pass mark. */
type EqualError = Verification & { pool: Pool; pairs: number; interval: Interval | null };

/**
 * Results at the service's pass mark. Rates are 0..1; `meanScore` is over the counted comparisons.
 */
export type AtMark = {
  of: 'own' | 'variants' | 'all' | PairKind;
  compared: number;
  meanScore: number;
  rate: ErrorRate;
};

/**
 * Recordings with the spoken tone, scored against the same syllable in the expected tone: number
 * and passes.
 */
type TonePair = { spoken: number; expected: number; compared: number; passed: number };

/** Two onsets or rimes that are confused. */
type Confusion = { kind: PairKind; spoken: string; expected: string; compared: number; passed: number };

export type SyllableFigures = {
  set: string;
  language: SyllableSet['language'];
  recordings: number;
  left: number;
  caveat: string | null;
  refused: number;
  mark: number;
  equalErrors: EqualError[];
  atMark: AtMark[];
  tonePairs: TonePair[];
  confusions: Confusion[];
};

/** Minimum comparisons of a pair of sounds. */
const MIN_COMPARED = 5;
const MAX_CONFUSIONS = 12;

/** Figures of one set; intervals are by recording, so they hold for its voices only. */
export function syllableFigures(set: SyllableSet, trials: readonly SyllableTrials[], mark: number): SyllableFigures {
  return {
    set: set.name,
    language: set.language,
    recordings: trials.length,
    left: set.left,
    caveat: set.caveat,
    refused: trials.filter(({ refused }) => refused !== null).length,
    mark,
    equalErrors: POOLS.flatMap((pool) => equalError(trials, pool) ?? []),
    atMark: atMark(trials, mark),
    tonePairs: countTonePairs(set.language, trials, mark),
    confusions: countConfusions(set.language, trials, mark),
  };
}

/** Comparisons with minimal pairs, without accepted variants. */
export function testedPairs({ pairs }: SyllableTrials): SyllableTrials['pairs'] {
  return pairs.filter(({ isVariant }) => !isVariant);
}

/** The equal error rate of a kind of pairs, by recording; null without own or other texts. */
export function equalError(trials: readonly SyllableTrials[], pool: Pool): EqualError | null {
  const counts = { tone: 0, onset: 0, rime: 0 };
  for (const { kind } of trials.flatMap(testedPairs)) counts[kind] += 1;
  const all: Trial[] = trials.flatMap((trial, group) => [
    { score: trial.own, isOwn: true, group, weight: 1 },
    ...testedPairs(trial)
      .filter(({ kind }) => pool === 'all' || pool === 'balanced' || kind === pool)
      .map(({ kind, score }) => {
        return { score, isOwn: false, group, weight: pool === 'balanced' ? 1 / counts[kind] : 1 };
      }),
  ]);
  const verify = prepareVerification(all);
  const figures = verify(wholeSample(trials.length));
  if (figures === null) return null;
  const interval = bootstrapInterval(trials.length, (draw) => verify(draw)?.equalErrorRate ?? null);
  return { ...figures, pool, pairs: all.length - trials.length, interval };
}

function pairScores(trial: SyllableTrials, kind?: PairKind): number[] {
  const pairs = testedPairs(trial).filter((pair) => kind === undefined || pair.kind === kind);
  return pairs.map(({ score }) => score);
}

function atMark(trials: readonly SyllableTrials[], mark: number): AtMark[] {
  const accepted = (of: AtMark['of'], scoresOf: (trial: SyllableTrials) => number[]): AtMark[] => {
    const scores = trials.map(scoresOf);
    const counts = scores.map((ofTrial) => {
      const passed = ofTrial.filter((score) => score >= mark).length;
      return { errors: of === 'own' ? ofTrial.length - passed : passed, length: ofTrial.length, speaker: null };
    });
    const flat = scores.flat();
    return flat.length === 0 ? [] : [{ of, compared: flat.length, meanScore: mean(flat), rate: errorRate(counts) }];
  };
  return [
    ...accepted('own', ({ own: ownScore }) => [ownScore]),
    ...accepted('all', (trial) => pairScores(trial)),
    ...PAIR_KINDS.flatMap((kind) => accepted(kind, (trial) => pairScores(trial, kind))),
    ...accepted('variants', ({ pairs }) => pairs.filter(({ isVariant }) => isVariant).map(({ score }) => score)),
  ];
}

function countTonePairs(
  language: SyllableSet['language'],
  trials: readonly SyllableTrials[],
  mark: number,
): TonePair[] {
  const cells = new Map<string, TonePair>();
  const toneOf = (syllable: string) => parse(language, syllable)?.tone ?? 0;
  const add = (spoken: number, expected: number, score: number) => {
    const cell = cells.get(`${spoken} ${expected}`) ?? { spoken, expected, compared: 0, passed: 0 };
    cell.compared += 1;
    if (score >= mark) cell.passed += 1;
    cells.set(`${spoken} ${expected}`, cell);
  };
  for (const trial of trials) {
    const spoken = toneOf(trial.spoken);
    add(spoken, spoken, trial.own);
    for (const { kind, syllable, score } of testedPairs(trial))
      if (kind === 'tone') add(spoken, toneOf(syllable), score);
  }
  return [...cells.values()].sort((a, b) => a.spoken - b.spoken || a.expected - b.expected);
}

/** Onsets and rimes that are confused most often. */
function countConfusions(
  language: SyllableSet['language'],
  trials: readonly SyllableTrials[],
  mark: number,
): Confusion[] {
  const found = new Map<string, Confusion>();
  for (const trial of trials) {
    for (const { kind, syllable, score } of testedPairs(trial)) {
      if (kind === 'tone') continue;
      const [spoken, expected] = [trial.spoken, syllable].map((text) => parse(language, text)?.[kind] || 'zero');
      const key = `${kind} ${spoken} ${expected}`;
      const confusion = found.get(key) ?? { kind, spoken: spoken!, expected: expected!, compared: 0, passed: 0 };
      confusion.compared += 1;
      if (score >= mark) confusion.passed += 1;
      found.set(key, confusion);
    }
  }
  return [...found.values()]
    .filter(({ compared, passed }) => compared >= MIN_COMPARED && passed > 0)
    .sort((a, b) => b.passed / b.compared - a.passed / a.compared || b.compared - a.compared)
    .slice(0, MAX_CONFUSIONS);
}
