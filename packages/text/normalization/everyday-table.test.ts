import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { LANGUAGES } from '@jyutsing/contracts/transcript';
import { normalize } from './normalize.ts';
import { tokenizePiece } from './tokenize.ts';

/**
 * Messages, menus, notices, timetables and the like. Most spoken forms were written before the
 * rules were seen, the others to find what new rules break; those not reached are left out.
 */
const ROWS = readFileSync(new URL('../testing/tables/everyday-normalization.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t'));

it.each(LANGUAGES)('everyday texts in %s are spoken as they were', (language) => {
  const rows = ROWS.filter(([of]) => of === language);
  expect(rows.length).toBeGreaterThan(100);
  const wrong = rows.flatMap(([, text = '', expected]) => {
    const spokenForm = normalize(tokenizePiece(text, language), language)?.spokenForm.replace(/[。.]$/u, '');
    return spokenForm === expected ? [] : [`${text}: ${spokenForm}, not ${expected}`];
  });
  expect(wrong).toEqual([]);
});
