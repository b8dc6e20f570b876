import { LANGUAGES } from '@jyutsing/contracts/transcript';
import { formatTable } from '../cli/output.ts';
import { addConfusions, type LanguageRow } from './evaluate-language.ts';
import type { SttRow } from './evaluate-stt.ts';
import type { TimestampRow } from './evaluate-timestamps.ts';
import type { ErrorRate } from './score.ts';

export type TableFormat = 'text' | 'markdown';

/** Table of `eval stt`: one line per error kind, model and set. */
export function sttReport(rows: readonly SttRow[], format: TableFormat): string {
  const header = ['set', 'model', 'recordings', 'error in', 'error', '95 % interval', '× real time (CPU)', 'memory'];
  const lines = rows.flatMap((row) => {
    const start = [row.set, row.model, String(row.recordings)];
    if (row.failure !== null) return [[...start, '', 'failed', '', '', '']];
    return row.errors.map((error, index) => [
      ...(index === 0 ? start : ['', '', '']),
      error.what,
      percent(error.rate),
      interval(error),
      ...(index === 0 ? [speed(row.speed), mebibytes(row.memoryBytes)] : ['', '']),
    ]);
  });
  const notes = rows.flatMap((row) =>
    notesOn(`${row.model} on ${row.set}`, row.failure, row.failedRecordings, '(counted as entirely wrong)'),
  );
  return [asTable(header, lines, format), ...notes].join('\n');
}

/** Table of `eval language`, followed by the confusion matrix. */
export function languageReport(rows: readonly LanguageRow[], format: TableFormat): string {
  const header = ['set', 'clips', 'spoken', 'right', '95 % interval', '× real time (CPU)', 'memory'];
  const lines = rows.flatMap((row) => {
    if (row.failure !== null) return [[row.set, '', '', 'failed', '', '', '']];
    return row.errors.map((error, index) => [
      ...(index === 0 ? [row.set, String(row.clips)] : ['', '']),
      error.what,
      percent(complement(error).rate),
      interval(complement(error)),
      ...(index === 0 ? [speed(row.speed), mebibytes(row.memoryBytes)] : ['', '']),
    ]);
  });
  const confusions = addConfusions(rows);
  const identified = [...LANGUAGES, 'none'] as const;
  const confusionTable = asTable(
    ['spoken ↓ identified as →', ...identified],
    LANGUAGES.map((spoken) => [spoken, ...identified.map((found) => String(confusions[spoken][found]))]),
    format,
  );
  const notes = rows.flatMap((row) => notesOn(row.set, row.failure, row.failed, 'or clips'));
  return [asTable(header, lines, format), '', confusionTable, ...notes].join('\n');
}

/** Table of `eval timestamps`. */
export function timestampReport(rows: readonly TimestampRow[], format: TableFormat): string {
  const header = ['language', 'model', 'spoken', 'compared', 'of', 'median', '95 % are within', 'within 80 ms'];
  const lines = rows.flatMap(({ language, backend, spoken, compared, start, end }) =>
    [
      { of: 'start', figures: start },
      { of: 'end', figures: end },
    ].map(({ of, figures }, index) => [
      ...(index === 0 ? [language, backend, String(spoken), String(compared)] : ['', '', '', '']),
      of,
      `${figures.medianMs} ms`,
      `${figures.p95AbsoluteMs} ms`,
      percent(figures.within80Ms),
    ]),
  );
  return asTable(header, lines, format);
}

function notesOn(subject: string, failure: string | null, failed: number, what = ''): string[] {
  if (failure !== null) return [`${subject}: failed: ${failure}`];
  return failed > 0 ? [`${subject}: failed on ${failed} recordings ${what}`.trim()] : [];
}

export function percent(rate: number | null): string {
  return rate === null ? '–' : `${(rate * 100).toFixed(1)} %`;
}

export function interval({ interval: between, drawn, drawnFrom }: ErrorRate): string {
  if (between === null) return '–';
  const speakers = drawn === 'speakers' ? ` (${drawnFrom} speakers)` : '';
  return `${(between.low * 100).toFixed(1)}–${(between.high * 100).toFixed(1)}${speakers}`;
}

/** The rate and interval of what is right. */
export function complement(error: ErrorRate): ErrorRate {
  const { rate, interval: between } = error;
  return {
    ...error,
    rate: rate === null ? null : 1 - rate,
    interval: between === null ? null : { low: 1 - between.high, high: 1 - between.low },
  };
}

function speed(timesRealTime: number | null): string {
  return timesRealTime === null ? '–' : timesRealTime.toFixed(timesRealTime < 10 ? 1 : 0);
}

function mebibytes(bytes: number | null): string {
  return bytes === null ? '–' : `${Math.round(bytes / 2 ** 20)} MiB`;
}

export function asTable(header: readonly string[], lines: readonly string[][], format: TableFormat): string {
  if (format === 'text') return formatTable(header, lines);
  return [header, header.map(() => '---'), ...lines].map(markdownRow).join('\n');
}

function markdownRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
