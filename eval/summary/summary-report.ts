import { mean } from '@jyutsing/numeric/statistics';
import { asTable, percent, type TableFormat } from '../report.ts';
import type { SpeedRow } from './speed.ts';
import type { SummaryRow } from './score-summary.ts';
import { FORMS } from './transcripts.ts';

const KEPT_GOAL = 0.7;
const HOUR_GOAL_MS = 300;

/**
 * First table of `eval summary`: share of key sentences kept per summarizer and form, and per
 * language for ours.
 */
export function keptReport(rows: readonly SummaryRow[], format: TableFormat): string {
  const header = ['summary', 'transcripts', 'form', 'key sentences', 'kept', 'of their text', 'length', 'goal', ''];
  const lines: string[][] = [];
  for (const summarizer of new Set(rows.map((row) => row.summarizer))) {
    const of = rows.filter((row) => row.summarizer === summarizer);
    for (const form of FORMS)
      lines.push(
        line(
          summarizer,
          'all',
          form,
          of.filter((row) => row.form === form),
        ),
      );
    if (summarizer !== 'ours') continue;
    for (const name of new Set(of.map((row) => row.transcript))) {
      for (const form of FORMS) {
        lines.push(
          line(
            '',
            name,
            form,
            of.filter((row) => row.form === form && row.transcript === name),
          )
            .with(7, '')
            .with(8, ''),
        );
      }
    }
  }
  return asTable(header, lines, format);
}

/** Second table: speed. */
export function speedReport(rows: readonly SpeedRow[], format: TableFormat): string {
  const header = ['language', 'form', 'hours', 'words or characters', 'median', 'slowest', 'goal', ''];
  const lines = rows.map(({ language, form, hours, size, medianMs, slowestMs }) => [
    language,
    form,
    String(hours),
    String(size),
    `${medianMs.toFixed(0)} ms`,
    `${slowestMs.toFixed(0)} ms`,
    hours === 1 ? `≤ ${HOUR_GOAL_MS} ms` : '',
    hours === 1 ? (medianMs <= HOUR_GOAL_MS ? 'met' : 'MISSED') : '',
  ]);
  return asTable(header, lines, format);
}

function line(summarizer: string, name: string, form: string, rows: readonly SummaryRow[]): string[] {
  const keySentences = rows.reduce((sum, row) => sum + row.keySentences, 0);
  const kept = rows.reduce((sum, row) => sum + row.kept, 0) / keySentences;
  return [
    summarizer,
    name,
    form,
    String(keySentences),
    percent(kept),
    percent(mean(rows.map((row) => row.keyCharactersKept))),
    percent(mean(rows.map((row) => row.lengthShare))),
    summarizer === 'ours' ? `≥ ${percent(KEPT_GOAL)}` : '',
    summarizer === 'ours' ? (kept >= KEPT_GOAL ? 'met' : 'MISSED') : '',
  ];
}
