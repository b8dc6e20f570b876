import { asTable, type TableFormat } from '../report.ts';
import type { Figure, Measured } from './figures.ts';
import type { PeoplePart } from './parts.ts';
import { REFERENCES, TUNED_ON, type FigureId, type Reference } from './references.ts';

const TITLES: Readonly<Record<PeoplePart, string>> = {
  language: 'Language of the speech (`lang=auto`): share right',
  recognition: 'Built-in recognizer: share wrong',
  speakers: 'Who speaks: built-in diarizer',
  scoring: 'Pronunciation scores',
};

const HEADER = ['figure', 'of', 'now', '95 % interval', 'before', 'goal', ''];

/** Tables of a part: figures now and before, with goals, and what was tuned on what. */
export function peopleReport(part: PeoplePart, { figures, skipped, failures }: Measured, format: TableFormat): string {
  const inOrder = (Object.keys(REFERENCES) as FigureId[]).flatMap(
    (id) => figures.find((figure) => figure.id === id) ?? [],
  );
  return [
    format === 'markdown' ? `### ${TITLES[part]}` : TITLES[part],
    asTable(HEADER, inOrder.map(figureLine), format),
    TUNED_ON[part].map((line) => `- ${line}`).join('\n'),
    ...skipped.map((what) => `not measured: ${what}`),
    ...failures.map((what) => `failed: ${what}`),
  ].join('\n\n');
}

function figureLine({ id, of, value, interval }: Figure): string[] {
  const { what, unit, before, goal }: Reference = REFERENCES[id];
  const shown = { share: percent, score: whole, correlation: hundredths }[unit];
  const between = interval === null ? '–' : `${shown(interval.low)}–${shown(interval.high)}`;
  const now = value === null ? '–' : `${shown(value)}${unit === 'share' ? ' %' : ''}`;
  return [what, of, now, between, before ?? '–', ...goalCells(goal, value)];
}

function goalCells(goal: Reference['goal'], value: number | null): [string, string] {
  if (goal === null || value === null) return ['', ''];
  const [isMet, shown] =
    'atLeast' in goal
      ? [value >= goal.atLeast, `≥ ${whole(100 * goal.atLeast)} %`]
      : [value <= goal.atMost, `≤ ${whole(100 * goal.atMost)} %`];
  return [shown, isMet ? 'met' : 'MISSED'];
}

const percent = (value: number): string => (100 * value).toFixed(1);
const whole = (value: number): string => value.toFixed(0);
const hundredths = (value: number): string => value.toFixed(2);
