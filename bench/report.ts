import { quantile } from '@jyutsing/numeric/statistics';
import { cpus } from 'node:os';

/** One row of the report; `met`: this run reached the goal. */
export type Measurement = { label: string; value: string; goal: string; met: boolean };

/** Prints the machine and a table. */
export function printReport(measurements: readonly Measurement[]): void {
  const processors = cpus();
  console.log(
    `Node ${process.versions.node}, ${processors.length} × ${processors[0]?.model.trim() ?? 'unknown processor'}\n`,
  );
  const rows = [
    ['measure', 'value', 'goal', ''],
    ...measurements.map((m) => [m.label, m.value, m.goal, m.met ? 'met' : 'MISSED']),
  ];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]!.length)));
  for (const row of rows)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    );
}

/** A count whose goal is 0. */
export function goalOfZero(label: string, value: number): Measurement {
  return { label, value: String(value), goal: '0', met: value === 0 };
}

/** The median of a sample and its quartiles; a wide range means that the machine was busy. */
export function medianWithSpread(sample: readonly number[], digits = 2): string {
  const [low, median, high] = [0.25, 0.5, 0.75].map((q) => quantile(sample, q).toFixed(digits));
  return `${median} (quartiles ${low} to ${high}, ${sample.length} rounds)`;
}
