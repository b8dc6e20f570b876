import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { toHongKong } from './convert-script.ts';

/** Sentences in Simplified characters and as Hong Kong writes them. */
const TABLE = new URL('../testing/tables/hong-kong-writing.tsv', import.meta.url);
/** The table keeps a few that no rule decides: 一頭好戲, or 一齣 of anything. */
const MIN_RIGHT = 0.99;

const rows = readFileSync(TABLE, 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [simplified = '', written = ''] = line.split('\t');
    return { simplified, written };
  });

/** The sentences that are written otherwise; none if they are as few as may be. */
function mistakes(textOf: (row: (typeof rows)[number]) => string): string[] {
  const wrong = rows.flatMap((row) => {
    const converted = toHongKong(textOf(row));
    return converted === row.written ? [] : [`${textOf(row)}: ${converted}, not ${row.written}`];
  });
  return wrong.length > (1 - MIN_RIGHT) * rows.length ? wrong : [];
}

test('Simplified sentences are written as in Hong Kong', () => {
  expect(rows.length).toBeGreaterThan(890);
  expect(mistakes(({ simplified }) => simplified)).toEqual([]);
});

test('what is written as in Hong Kong stays', () => {
  expect(mistakes(({ written }) => written)).toEqual([]);
});
