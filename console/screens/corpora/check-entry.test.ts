import { expect, it } from 'vitest';
import { checkEntry } from '#packages/text/corpora/check-entry.ts';
import { JYUTPING_ONSETS, JYUTPING_RIMES } from '#packages/text/syllables/jyutping.ts';
import { faultOf } from './check-entry.ts';

const row = (text: string, jyutping = '', weight = '') => ({ key: 0, text, jyutping, weight });

it.each([
  ['旺角', 'wong6 gok3', '2.5', null],
  ['T恤', ' seot1 ', '', null],
  ['旺角', '', '10', null],
  ['唔', 'm4', '', null],
  ['IKEA', 'ji4 ke4 aa1', '', null],
  [' ', '', '', 'noText'],
  ['字'.repeat(41), '', '', 'tooLong'],
  ['1823', '', '', 'noWord'],
  ['旺角', 'wong6', '', 'syllables'],
  ['旺角', 'wong6 gok', '', 'notJyutping'],
  ['旺角', 'wong6 gok7', '', 'notJyutping'],
  ['旺角', '', '0', 'weight'],
  ['旺角', '', 'much', 'weight'],
])('finds what is wrong with %s (%s, weight %s)', (text, jyutping, weight, fault) => {
  expect(faultOf(row(text, jyutping, weight))).toBe(fault);
});

it('refuses no syllable that the service accepts', () => {
  const syllables = ['', ...JYUTPING_ONSETS].flatMap((onset) => JYUTPING_RIMES.map((rime) => `${onset}${rime}1`));
  const accepted = syllables.filter((jyutping) => typeof checkEntry({ text: '字', jyutping }) !== 'string');
  expect(accepted.length).toBeGreaterThan(500);
  expect(accepted.filter((jyutping) => faultOf(row('字', jyutping)) !== null)).toEqual([]);
});
