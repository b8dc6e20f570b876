import type { FusionRow } from './fuse-recordings.ts';
import { asTable, percent, type TableFormat } from '../report.ts';
import type { ErrorRate } from '../score.ts';

/** Romanization errors on a set. */
export type RomanizationRow = { set: string; withTone: ErrorRate; withoutTone: ErrorRate };

const HEADER = [
  'set',
  'corrected with',
  'recordings',
  'characters wrong',
  '95 % interval',
  'of terms',
  '95 % interval',
  'change',
  'added time',
];

/** The tables of `eval fusion`. */
export function fusionReport(
  rows: readonly FusionRow[],
  romanized: readonly RomanizationRow[],
  format: TableFormat,
): string {
  const lines = rows.map((row, index) => [
    rows[index - 1]?.set === row.set ? '' : row.set,
    row.condition,
    String(row.recordings),
    percent(row.characters.rate),
    interval(row.characters),
    percent(row.termCharacters.rate),
    interval(row.termCharacters),
    row.termErrorsLeft === null ? '' : `${(100 * (row.termErrorsLeft - 1)).toFixed(0)} %`,
    row.addedTime === null ? '' : percent(row.addedTime),
  ]);
  const syllables = romanized.map(({ set, withTone, withoutTone }) => [
    set,
    percent(withTone.rate),
    interval(withTone),
    percent(withoutTone.rate),
    interval(withoutTone),
  ]);
  const notes = rows
    .filter(({ failed }) => failed > 0)
    .map(({ set, condition, failed, details }) => {
      const reason = details.find(({ failure }) => failure !== null)?.failure ?? '';
      return `${set}, ${condition}: failed on ${failed} recordings (counted as entirely wrong): ${reason}`;
    });
  const heading = ['set', 'syllables wrong', '95 % interval', 'without tone', '95 % interval'];
  return [asTable(HEADER, lines, format), '', asTable(heading, syllables, format), ...notes].join('\n');
}

function interval({ interval: between }: ErrorRate): string {
  return between === null ? '–' : `${(between.low * 100).toFixed(1)}–${(between.high * 100).toFixed(1)}`;
}
