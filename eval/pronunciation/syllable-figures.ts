import { errorRate, type ErrorRate } from '../score.ts';
import { PAIR_KINDS, parse, type PairKind } from './minimal-pairs.ts';
import {
  bootstrapInterval,
  mean,
  prepareVerification,
  wholeSample,
  type Interval,
  type Trial,
  type Verification,
} from './statistics.ts';
import type { SyllableSet, SyllableTrials } from './syllable-trials.ts';

/** `all`: every minimal pair counts alike. `balanced`: the three kinds count alike, because rimes have far more pairs than tones. */
export type Pool = 'all' | 'balanced' | PairKind;
export const POOLS: readonly Pool[] = ['all', 'balanced', ...PAIR_KINDS];

/** How well own texts and minimal pairs are told apart with any mark. */
export type EqualError = Verification & { pool: Pool; pairs: number; interval: Interval | null };

/** What happens at the mark of the interface. Rates are 0..1; `meanScore` is that of the comparisons counted. */
export type AtMark = {
  of: 'own' | 'variants' | 'all' | PairKind;
  compared: number;
  meanScore: number;
  rate: ErrorRate;
};

/** Of recordings with tone `said`, held against the same syllable in tone `asked`: how many there are and how many pass. */
export type TonePair = { said: number; asked: number; compared: number; passed: number };

/** Two onsets or rimes that are taken for each other. */
export type Confusion = { kind: PairKind; said: string; asked: string; compared: number; passed: number };

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

/** Fewer say nothing of a pair of sounds. */
const FEWEST_COMPARED = 5;
const MOST_CONFUSIONS = 12;

/** The figures of one set; intervals are by recording, so they hold for its voices alone. */
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

/** The comparisons with minimal pairs that are a test: accepted variants are none. */
export function testedPairs({ pairs }: SyllableTrials): SyllableTrials['pairs'] {
  return pairs.filter(({ isVariant }) => !isVariant);
}

function equalError(trials: readonly SyllableTrials[], pool: Pool): EqualError | null {
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
    const counts = scores.map((each) => {
      const passed = each.filter((score) => score >= mark).length;
      return { errors: of === 'own' ? each.length - passed : passed, length: each.length, speaker: null };
    });
    const flat = scores.flat();
    return flat.length === 0 ? [] : [{ of, compared: flat.length, meanScore: mean(flat), rate: errorRate(counts) }];
  };
  return [
    ...accepted('own', ({ own }) => [own]),
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
  const add = (said: number, asked: number, score: number) => {
    const cell = cells.get(`${said} ${asked}`) ?? { said, asked, compared: 0, passed: 0 };
    cell.compared += 1;
    if (score >= mark) cell.passed += 1;
    cells.set(`${said} ${asked}`, cell);
  };
  for (const trial of trials) {
    const said = toneOf(trial.said);
    add(said, said, trial.own);
    for (const { kind, syllable, score } of testedPairs(trial)) if (kind === 'tone') add(said, toneOf(syllable), score);
  }
  return [...cells.values()].sort((a, b) => a.said - b.said || a.asked - b.asked);
}

/** The onsets and rimes that pass for each other most often. */
function countConfusions(
  language: SyllableSet['language'],
  trials: readonly SyllableTrials[],
  mark: number,
): Confusion[] {
  const found = new Map<string, Confusion>();
  for (const trial of trials) {
    for (const { kind, syllable, score } of testedPairs(trial)) {
      if (kind === 'tone') continue;
      const [said, asked] = [trial.said, syllable].map((text) => parse(language, text)?.[kind] || 'zero');
      const key = `${kind} ${said} ${asked}`;
      const confusion = found.get(key) ?? { kind, said: said!, asked: asked!, compared: 0, passed: 0 };
      confusion.compared += 1;
      if (score >= mark) confusion.passed += 1;
      found.set(key, confusion);
    }
  }
  return [...found.values()]
    .filter(({ compared, passed }) => compared >= FEWEST_COMPARED && passed > 0)
    .sort((a, b) => b.passed / b.compared - a.passed / a.compared || b.compared - a.compared)
    .slice(0, MOST_CONFUSIONS);
}
