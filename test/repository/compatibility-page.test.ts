import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packages } from '#packages/engines/sherpa-onnx/packages.ts';

const page = await readFile(join(import.meta.dirname, '../../docs/compatibility.md'), 'utf8');
/** Cells of the rows of all tables. */
const allRows = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| ---'))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
/** Package, bytes, digest, licence; the others end with source and date. */
const downloads = allRows.filter((cells) => cells.length === 4 && /^[\d,]+$/.test(cells[1] ?? ''));
const rows = allRows.filter((cells) => !['date', 'licence'].includes(cells.at(-1) ?? '') && !downloads.includes(cells));
const rowOf = (name: string) => rows.find(([first]) => first === `\`${name}\``);

it.each(packages.map((pack) => [pack.name, pack] as const))(
  '%s has its row',
  (name, { checksum, sizeBytes, licence }) => {
    const [, digest] = rowOf(name) ?? [];
    const pinned = checksum?.kind === 'sha256' ? checksum.value : null;
    expect(digest).toMatch(pinned === null ? /^list$/ : /^(✓|pinned)$/);
    const download = downloads.find(([first]) => first === `\`${name}\``);
    const digits = pinned === null ? 'unknown' : `\`${pinned}\``;
    expect(download?.slice(1)).toEqual([sizeBytes.toLocaleString('en'), digits, licence]);
  },
);

it('every row has a source and a date, and names no package that is gone', () => {
  for (const cells of rows) {
    expect(cells.at(-1)).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(cells.at(-2)).toMatch(/: `|^the same$/);
  }
  const named = rows.flatMap(([first]) => /^`([a-z0-9.-]+)`$/.exec(first ?? '')?.[1] ?? []);
  expect(named.filter((name) => packages.every((pack) => pack.name !== name))).toEqual([]);
});
