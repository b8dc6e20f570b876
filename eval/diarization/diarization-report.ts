import type { DiarizationRow } from './diarize-recordings.ts';
import { asTable, percent, type TableFormat } from '../report.ts';
import type { ErrorRate } from '../score.ts';

const HEADER = [
  'set',
  'diarizer',
  'recordings',
  'error',
  '95 % interval',
  'missed',
  'false alarm',
  'confused',
  'error, 0.25 s collar',
  'number right',
  '95 % interval',
  '× real time (CPU)',
];

/** The table of `eval diarization`. */
export function diarizationReport(rows: readonly DiarizationRow[], format: TableFormat): string {
  const lines = rows.map((row) => [
    row.set,
    row.diarizer,
    String(row.recordings),
    percent(row.error.rate),
    between(row.error, (rate) => rate),
    percent(row.missed),
    percent(row.falseAlarm),
    percent(row.confused),
    percent(row.errorWithCollar.rate),
    percent(row.wrongCount.rate === null ? null : 1 - row.wrongCount.rate),
    between(row.wrongCount, (rate) => 1 - rate),
    row.speed === null ? '–' : row.speed.toFixed(0),
  ]);
  const notes = rows
    .filter(({ failed }) => failed > 0)
    .map(({ set, diarizer, failed, details }) => {
      const reason = details.find(({ failure }) => failure !== null)?.failure ?? '';
      return `${diarizer} on ${set}: failed on ${failed} recordings (counted as entirely missed): ${reason}`;
    });
  return [asTable(HEADER, lines, format), ...notes].join('\n');
}

function between({ interval }: ErrorRate, shown: (rate: number) => number): string {
  if (interval === null) return '–';
  const [low, high] = [shown(interval.low), shown(interval.high)].sort((a, b) => a - b) as [number, number];
  return `${(low * 100).toFixed(1)}–${(high * 100).toFixed(1)}`;
}
