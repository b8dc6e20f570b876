import { expect, it } from 'vitest';
import { pastedColumn, pastedRows, readRows } from './pasted-rows.ts';

const row = (text: string, jyutping = '', weight = '') => ({ text, jyutping, weight });

it.each([
  ['旺角', null],
  ['旺角\n', null],
  ['旺角\twong6 gok3', [row('旺角', 'wong6 gok3')]],
  [
    '旺角\twong6 gok3\t2\r\n深水埗\n\n"中環"\t2.5\n',
    [row('旺角', 'wong6 gok3', '2'), row('深水埗'), row('中環', '', '2.5')],
  ],
  ['旺角\tMong Kok', [row('旺角', 'Mong Kok')]],
  ['上環\t\tsoeng6 waan4', [row('上環', 'soeng6 waan4')]],
  // A row of heads, numbers of rows, and empty columns.
  ['詞語\t粵拼\t比重\n旺角\twong6 gok3\t1', [row('旺角', 'wong6 gok3', '1')]],
  ['1\t旺角\twong6 gok3\n2\t中環\t', [row('旺角', 'wong6 gok3'), row('中環')]],
  ['\t旺角\n\t中環', [row('旺角'), row('中環')]],
  ['wong6 gok3\t旺角', [row('旺角', 'wong6 gok3')]],
  ['IKEA\tji4 ke4 aa1\nT恤\tseot1', [row('IKEA', 'ji4 ke4 aa1'), row('T恤', 'seot1')]],
  // Line breaks, tabs and quotation marks within a cell, and the other ends of lines.
  ['"旺角\n(九龍)"\twong6 gok3', [row('旺角 (九龍)', 'wong6 gok3')]],
  ['"他說""好"""\t2\r中環', [row('他說"好"', '', '2'), row('中環')]],
  ['5" 屏幕\t3\n中環', [row('5" 屏幕', '', '3'), row('中環')]],
  // Syllables as people write them.
  ['旺角\twong6gok3\n中環\tzung¹ waan⁴', [row('旺角', 'wong6 gok3'), row('中環', 'zung1 waan4')]],
  ['旺角\tWong6-Gok3\n中環\tｚｕｎｇ１　ｗａａｎ４', [row('旺角', 'Wong6 Gok3'), row('中環', 'zung1 waan4')]],
  // A list whose words and readings are set apart by spaces, a colon or brackets.
  [
    '旺角　wong6 gok3\n中環：zung1 waan4\n上環 (soeng6waan4)',
    [row('旺角', 'wong6 gok3'), row('中環', 'zung1 waan4'), row('上環', 'soeng6 waan4')],
  ],
  ['卡拉 OK\n寶馬 X5\n旺角 wong6', [row('卡拉 OK'), row('寶馬 X5'), row('旺角 wong6')]],
  // Heads of other columns too.
  ['中文\tJyutping\tMeaning\n旺角\twong6 gok3\t', [row('旺角', 'wong6 gok3')]],
  ['讀音\n旺角', [row('旺角')]],
  ['讀音\tduk6 jam1\n旺角\twong6 gok3', [row('讀音', 'duk6 jam1'), row('旺角', 'wong6 gok3')]],
])('reads what was copied as %j', (pasted, rows) => {
  expect(pastedRows(pasted)).toEqual(rows);
});

it('reads a table between commas', () => {
  expect(readRows('word,jyutping,weight\r\n旺角,wong6 gok3,2\r\n"中環, 上環",,\r\n')).toEqual([
    row('旺角', 'wong6 gok3', '2'),
    row('中環, 上環'),
  ]);
});

it('reads a column with its empty cells', () => {
  expect(pastedColumn('wong6 gok3\n\nzung1 waan4\n')).toEqual(['wong6 gok3', '', 'zung1 waan4']);
  expect(pastedColumn('wong6 gok3')).toBeNull();
});
