import { asTable, type TableFormat } from '../report.ts';
import type { ErrorRate } from '../score.ts';
import { mean } from '@jyutsing/numeric/statistics';
import type { CloneRow } from './cloning.ts';
import type { IntelligibilityRow } from './intelligibility.ts';
import type { LikenessRow } from './judge-speech.ts';
import type { Prosody } from './prosody.ts';

/** One line of the table of goals; without `most` and `least` a value to compare others with. */
export type GoalRow = {
  what: string;
  value: number;
  interval: ErrorRate['interval'];
  unit: 'share' | 'score' | 'dB';
  most: number | null;
  least: number | null;
};

export const GOAL_CONDITIONS = ['clean', 'in a room'] as const;

const plain = (what: string, value: number, unit: GoalRow['unit']): GoalRow => ({
  what,
  value,
  unit,
  interval: null,
  most: null,
  least: null,
});

/** Likeness of people, the voice and the former voice, clean and in a room. */
export function likenessGoals(
  rows: readonly LikenessRow[],
  { people, model, former }: { people: string; model: string; former: string },
): GoalRow[] {
  return [...new Set(rows.map(({ judge }) => judge))].flatMap((judge) =>
    GOAL_CONDITIONS.flatMap((condition) => {
      const goal = (what: string, limits: Pick<GoalRow, 'most' | 'least'>): GoalRow[] => {
        const row = rows.find(
          (candidate) => candidate.judge === judge && candidate.what === what && candidate.condition === condition,
        );
        if (row === undefined || row.likeness.rate === null) return [];
        const { rate: value, interval } = row.likeness;
        return [
          { what: `likeness to people by ${judge}, ${condition}: ${what}`, value, interval, unit: 'score', ...limits },
        ];
      };
      return [
        ...goal(people, { most: null, least: 0.9 }),
        ...goal(model, { most: null, least: 0.85 }),
        ...goal(former, { most: 0.1, least: null }),
      ];
    }),
  );
}

/** Syllables that the acoustic model alone gets wrong; a bound has no goal. */
export function clarityGoals(who: string, rows: readonly IntelligibilityRow[], isBound: boolean): GoalRow[] {
  const limits: Readonly<Record<string, number>> = { 'syllables with tone': 0.15, 'syllables without tone': 0.09 };
  return rows
    .filter(({ by, what, rate }) => by === 'acoustic model alone' && what in limits && rate !== null)
    .map(({ what, rate, interval }) => ({
      what: `${what} misheard: ${who}`,
      value: rate!,
      interval,
      unit: 'share',
      most: isBound ? null : limits[what]!,
      least: null,
    }));
}

/**
 * The change of the spectrum over joins, at most a tenth more than that of people. The same with
 * the background of the people's recordings tells how much of the difference is the voice's.
 */
export function joinGoals(
  model: string,
  { own: ownProsody, inBackground, people }: Record<'own' | 'inBackground' | 'people', Prosody>,
): GoalRow[] {
  const limit = 1.1 * mean(people.joins, 0);
  return [
    plain('change of the spectrum over joins: people', mean(people.joins, 0), 'dB'),
    { ...plain(`change of the spectrum over joins: ${model}`, mean(ownProsody.joins, 0), 'dB'), most: limit },
    plain(`the same, with the background of the people's recordings: ${model}`, mean(inBackground.joins, 0), 'dB'),
  ];
}

export function cloneGoals(
  model: string,
  rows: readonly CloneRow[],
  understood: readonly IntelligibilityRow[],
): GoalRow[] {
  const first = rows.filter(({ rank }) => rank === 1).length / Math.max(1, rows.length);
  const wrong = understood.find(({ by, what }) => by === 'acoustic model alone' && what === 'syllables with tone');
  return [
    { ...plain(`${rows.length} clones ranked first: ${model}`, first, 'share'), least: 0.8 },
    {
      ...plain(
        `likeness by network, clean: clones by ${model}`,
        mean(
          rows.map((row) => row.likeness),
          0,
        ),
        'score',
      ),
      least: 0.85,
    },
    ...(wrong === undefined || wrong.rate === null
      ? []
      : [
          {
            ...plain(`syllables with tone misheard: clones by ${model}`, wrong.rate, 'share'),
            interval: wrong.interval,
            most: 0.1,
          },
        ]),
  ];
}

/** The material on which each kind of figure was tuned, so that it can be judged. */
const TUNED = [
  'Likeness: the judges learnt from other people and other synthesizers (training/likeness/README.md); nothing of the',
  'half that is reported was looked at while they were made. Smoothing, levels and fades of the Cantonese voice were',
  'chosen with the other half, the scores of which they raised.',
  'Clarity: cuts, durations and melody were tuned on the sentences after the first 60. The recognizer learnt from the',
  'speaker of the Cantonese recordings and from synthetic sounds, and hardly understands people whom it does not know:',
  'the ceiling is its own.',
  'Joins: the same choices were made on every second text of yue-sentences-dev. Clones: the strength of imitation was',
  'chosen on the people of --speakers development, for espeak-jyutping on those of the default.',
].join('\n');

export function goalsReport(rows: readonly GoalRow[], format: TableFormat): string {
  const lines = rows.map(({ what, value, interval, unit, most, least }) => {
    const show = (x: number) =>
      unit === 'share' ? `${(100 * x).toFixed(1)} %` : unit === 'dB' ? `${x.toFixed(1)} dB` : x.toFixed(2);
    const range = interval === null ? '–' : `${show(interval.low)} – ${show(interval.high)}`;
    const goal = most !== null ? `≤ ${show(most)}` : least !== null ? `≥ ${show(least)}` : 'to compare';
    const isMet = most !== null ? value <= most : least === null || value >= least;
    return [what, show(value), range, goal, goal === 'to compare' ? '' : isMet ? 'met' : 'MISSED'];
  });
  return `${asTable(['', 'value', '95 % interval', 'goal', ''], lines, format)}\n\n${TUNED}`;
}
