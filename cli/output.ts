import { stripVTControlCharacters } from 'node:util';
import type { Command } from 'commander';

/** Prints a value as JSON (with `--json`) or as a table. */
export function print(command: Command, value: unknown, table: () => string): void {
  const { json } = command.optsWithGlobals<{ json?: boolean }>();
  process.stdout.write(`${json === true ? JSON.stringify(value, null, 2) : table()}\n`);
}

/** Formats a table with padded columns, numbers right-aligned; "(none)" without rows. */
export function formatTable(columns: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  if (rows.length === 0) return '(none)';
  const lines = [columns, ...rows];
  const widths = columns.map((_, column) => Math.max(...lines.map((line) => displayWidth(String(line[column] ?? '')))));
  return lines
    .map((line) =>
      line
        .map((cell, column) => {
          const padding = ' '.repeat((widths[column] ?? 0) - displayWidth(String(cell)));
          return typeof cell === 'number' ? padding + cell : cell + padding;
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Terminal width of a text: Chinese characters take two columns, colours none. */
function displayWidth(text: string): number {
  let width = 0;
  for (const character of stripVTControlCharacters(text))
    width += /[\u1100-\u115f\u2e80-\uffdc\u{20000}-\u{3fffd}]/u.test(character) ? 2 : 1;
  return width;
}
