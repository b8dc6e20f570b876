import { expect, it } from 'vitest';
import { pastedRows } from './pasted-rows.ts';

it.each([
  ['旺角', null],
  ['旺角\twong6 gok3', [{ text: '旺角', jyutping: 'wong6 gok3', weight: '' }]],
  [
    '旺角\twong6 gok3\t2\r\n深水埗\n\n"中環"\t2.5\n',
    [
      { text: '旺角', jyutping: 'wong6 gok3', weight: '2' },
      { text: '深水埗', jyutping: '', weight: '' },
      { text: '中環', jyutping: '', weight: '2.5' },
    ],
  ],
  ['旺角\tMong Kok', [{ text: '旺角', jyutping: 'Mong Kok', weight: '' }]],
  ['上環\t\tsoeng6 waan4', [{ text: '上環', jyutping: 'soeng6 waan4', weight: '' }]],
])('reads what was copied as %j', (pasted, rows) => {
  expect(pastedRows(pasted)).toEqual(rows);
});
