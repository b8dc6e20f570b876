import { describe, expect, it } from 'vitest';
import type { Term } from '@jyutsing/contracts/corrector';
import { occurrencesOf } from './known-terms.ts';
import { tokensOf } from './written-segment.ts';

const term = (text: string, jyutping: string, weight = 1): Term => ({ text, readings: [jyutping.split(' ')], weight });

/** The terms in a proposed text, and where; by default it is in Hong Kong characters as it is. */
function find(
  terms: readonly Term[],
  proposed: string,
  converted = proposed,
): [term: string, from: number, to: number][] {
  return occurrencesOf(terms, tokensOf(proposed), tokensOf(converted)).map(({ from, to, term: found }) => [
    found.tokens.map(({ text }) => text).join(''),
    from,
    to,
  ]);
}
const SAA_TIN = term('沙田', 'saa1 tin4');
const SAA_TIN_STATION = term('沙田站', 'saa1 tin4 zaam6');

describe('the terms in a text', () => {
  it.each([
    ['我住沙田', [['沙田', 2, 4]]],
    ['沙田', [['沙田', 0, 2]]],
    [
      '沙田去沙田',
      [
        ['沙田', 0, 2],
        ['沙田', 3, 5],
      ],
    ],
    ['田沙', []],
    ['沙', []],
    ['', []],
    // Punctuation is no token.
    ['沙，田！', [['沙田', 0, 2]]],
  ])('%s', (text, expected) => {
    expect(find([SAA_TIN], text)).toEqual(expected);
  });

  it('come longest first at each place, among equals the weightier, and may overlap', () => {
    const terms = [SAA_TIN, term('田站', 'tin4 zaam6'), SAA_TIN_STATION, term('沙田', 'saa1 tin4', 5)];
    const found = occurrencesOf(terms, tokensOf('沙田站'), tokensOf('沙田站'));
    expect(found.map(({ from, to }) => [from, to])).toEqual([
      [0, 3],
      [0, 2],
      [0, 2],
      [1, 3],
    ]);
  });

  it('are those of a list, whichever was asked before', () => {
    const [one, other] = [[SAA_TIN], [SAA_TIN_STATION]];
    expect(find(one, '沙田站')).toEqual([['沙田', 0, 2]]);
    expect(find(other, '沙田站')).toEqual([['沙田站', 0, 3]]);
    expect(find(one, '沙田站')).toEqual([['沙田', 0, 2]]);
    expect(find([], '沙田站')).toEqual([]);
  });

  it('are found however many terms a list has', () => {
    const characters = Array.from({ length: 180 }, (_, index) => String.fromCodePoint(0x4e00 + index));
    const many = characters.flatMap((first) => characters.map((second) => term(first + second, 'jat1 ji6')));
    expect(many.length).toBeGreaterThan(32_000);
    expect(find([SAA_TIN, ...many, SAA_TIN_STATION], '沙田站')).toEqual([
      ['沙田站', 0, 3],
      ['沙田', 0, 2],
    ]);
  });
});

describe('the spelling of a term', () => {
  it('may be Simplified in the text or in the list; it is written in Hong Kong characters', () => {
    const simplified = [term('将军澳', 'zoeng1 gwan1 ou3')];
    expect(find(simplified, '将军澳', '將軍澳')).toEqual([['將軍澳', 0, 3]]);
    expect(find(simplified, '將軍澳')).toEqual([['將軍澳', 0, 3]]);
    expect(find([term('將軍澳', 'zoeng1 gwan1 ou3')], '将军澳', '將軍澳')).toEqual([['將軍澳', 0, 3]]);
  });

  it('is that of its owner where it is Traditional', () => {
    // A name with 峯 changes one with 峰, and not the other way round.
    expect(find([term('陳峯', 'can4 fung1')], '陳峰')).toEqual([['陳峯', 0, 2]]);
    expect(find([term('陳峰', 'can4 fung1')], '陳峯')).toEqual([]);
    expect(find([term('陳峯', 'can4 fung1')], '陳峯')).toEqual([['陳峯', 0, 2]]);
  });

  it('ignores the case of letters', () => {
    const terms = [term('iPhone殼', 'hok3')];
    expect(find(terms, '買IPHONE殼')).toEqual([['iPhone殼', 1, 3]]);
    expect(find(terms, '買iphone 殼')).toEqual([['iPhone殼', 1, 3]]);
  });

  it.each(['沙', 'MTR', 'hello world', '', '，', '沙!'])('of %j can change no text', (text) => {
    expect(find([term(text, 'saa1')], `沙田 MTR hello world ${text}`)).toEqual([]);
  });
});

const runsOf = (text: string, ...readings: string[]) => {
  const terms = [{ text, readings: readings.map((reading) => reading.split(' ')), weight: 1 }];
  const [found] = occurrencesOf(terms, tokensOf(text), tokensOf(text));
  return found!.term.runs.map(({ from, to, readings: runReadings }) => [
    from,
    to,
    runReadings.map((each) => each.join(' ')),
  ]);
};

describe('the runs of a term', () => {
  it('are its Chinese characters with their part of each reading', () => {
    expect(runsOf('沙田站', 'saa1 tin4 zaam6')).toEqual([[0, 3, ['saa1 tin4 zaam6']]]);
    expect(runsOf('沙田A出口B', 'saa1 tin4 ceot1 hau2', 'saa1 tin4 ceot1 hau5')).toEqual([
      [0, 2, ['saa1 tin4', 'saa1 tin4']],
      [3, 5, ['ceot1 hau2', 'ceot1 hau5']],
    ]);
    expect(runsOf('K歌王', 'go1 wong4')).toEqual([[1, 3, ['go1 wong4']]]);
  });

  it('have no reading of another length', () => {
    expect(runsOf('沙田站', 'saa1 tin4')).toEqual([[0, 3, []]]);
  });
});
