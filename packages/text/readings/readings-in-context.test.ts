import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSpokenJyutping } from './spoken-jyutping.ts';

const TABLE = join(import.meta.dirname, '../testing/tables/readings-in-context.tsv');
/** The share of the members of a kind that are read as expected. */
const MIN_RIGHT = 0.97;

type Row = { kind: string; text: string; at: number; accepted: string[] };

/** The rows of the table: a kind, the accepted readings, and texts with characters in braces. */
function rowsOf(table: string): Row[] {
  return readFileSync(table, 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .flatMap((line) => {
      const [kind = '', readings = '', texts = ''] = line.split('\t');
      return texts.split(' ').flatMap((marked) => {
        const text = marked.replaceAll(/[{}]/gu, '');
        const places = [...marked.matchAll(/\{/gu)].map(
          (match, index) => Array.from(marked.slice(0, match.index)).length - 2 * index,
        );
        return places.map((at) => ({ kind, text, at, accepted: readings.split('/') }));
      });
    });
}

const read = createSpokenJyutping();
const rows = rowsOf(TABLE);

test.each([...new Set(rows.map(({ kind }) => kind))])('the kind "%s" is read by its context', (kind) => {
  const members = rows.filter((row) => row.kind === kind);
  const wrong = members.flatMap(({ text, at, accepted }) => {
    const reading = read(text)[at]?.jyutping ?? null;
    return reading !== null && accepted.includes(reading)
      ? []
      : [`${text}, character ${at}: ${reading}, not ${accepted}`];
  });
  expect(wrong.length <= (1 - MIN_RIGHT) * members.length ? [] : wrong).toEqual([]);
});
