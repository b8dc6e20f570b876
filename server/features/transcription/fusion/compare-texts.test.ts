import { describe, expect, it } from 'vitest';
import { syllablesOf } from '#test/fusion-segments.ts';
import { candidatesAt, isSame, pairCost, readOriginal, readProposal, recognizedReading } from './compare-texts.ts';

const original = (text: string, syllables = '') =>
  readOriginal(text, [], syllables === '' ? [] : syllablesOf(syllables));
const syllable = (...alternatives: [string, number][]) => ({
  startMs: 0,
  endMs: 200,
  alternatives: alternatives.map(([reading, probability]) => ({ reading, probability })),
});

describe('equal tokens', () => {
  it.each([
    ['香', '香', true],
    ['香', '鄉', false],
    ['Hello', 'hELLO', true],
    ['國', '国', true],
  ])('%s and %s: %s', (from, to, expected) => {
    expect(isSame(original(from), readProposal(to), 0, 0)).toBe(expected);
  });

  it('are none beyond the texts', () => {
    expect(isSame(original(''), readProposal(''), 0, 0)).toBe(false);
    expect(isSame(original('香'), readProposal('香'), 0, 5)).toBe(false);
  });
});

describe('the recognized reading', () => {
  it.each([
    [
      'the likelier of two',
      [
        ['gong2', 0.6],
        ['gong3', 0.3],
      ],
      ['gong3', 'gong2'],
      'gong2',
    ],
    [
      'a less likely one, when only that is possible',
      [
        ['gong2', 0.6],
        ['gong3', 0.3],
      ],
      ['gong3'],
      'gong3',
    ],
    [
      'none below one percent',
      [
        ['gong2', 0.6],
        ['gong3', 0.009],
      ],
      ['gong3'],
      null,
    ],
    ['an exact one before a variant', [['lei5', 0.9]], ['nei5', 'lei5'], 'lei5'],
    ['a Hong Kong variant, as it is spelt', [['lei5', 0.9]], ['nei5'], 'nei5'],
    ['not another tone', [['gong2', 0.9]], ['gong3'], null],
  ] as [string, [string, number][], string[], string | null][])('%s', (_, alternatives, readings, expected) => {
    expect(recognizedReading(syllable(...alternatives), readings)).toBe(expected);
  });

  it('is none without a syllable', () => {
    expect(recognizedReading(null, ['gong2'])).toBe(null);
  });
});

const cost = (from: string, to: string, syllables = '') => pairCost(original(from, syllables), readProposal(to), 0, 0);

describe('the cost of a pair', () => {
  it('is lower for the same sound than for a similar one, and that than for none', () => {
    expect(cost('香', '香')).toBe(0);
    expect(cost('鄉', '香', 'hoeng1')).toBe(0.3);
    expect(cost('鄉', '香', 'hoeng3')).toBeGreaterThanOrEqual(0.4);
    expect(cost('鄉', '香', 'hoeng3')).toBeLessThan(cost('鄉', '香', 'maa5'));
    expect(cost('鄉', '香')).toBe(1);
  });

  it('forbids to replace a word by a character, or a word by another', () => {
    expect(cost('hello', '香')).toBe(Infinity);
    expect(cost('香', 'hello', 'hoeng1')).toBe(Infinity);
    expect(cost('hello', 'hallo')).toBe(Infinity);
  });

  it('ignores the sound of characters more than 12 tokens apart', () => {
    const proposal = readProposal(`${'一'.repeat(13)}香`);
    expect(pairCost(original('一鄉', 'jat1 hoeng1'), proposal, 1, 13)).toBe(0.3);
    expect(pairCost(original('鄉', 'hoeng1'), proposal, 0, 13)).toBe(1);
  });
});

it('reads a character as in its word and as alone', () => {
  const { readings } = readProposal('銀行 OK');
  expect(readings[1]).toEqual(expect.arrayContaining(['hong4', 'hang4']));
  expect(readings.at(-1)).toEqual([]);
});

it('takes the syllables of the characters and the free ones next to them', () => {
  const text = original('香港人');
  const syllables = syllablesOf('hoeng1 aa3 gong2 jan4');
  const alignment = { indexes: [0, 2, 3], isFree: [false, true, false, false] };
  const read = (from: number, to: number) =>
    candidatesAt({ ...text, syllables, alignment }, from, to).map(
      ({ syllable: { alternatives }, isFree }) => `${alternatives[0]!.reading}${isFree ? ' free' : ''}`,
    );
  expect(read(0, 1)).toEqual(['hoeng1', 'aa3 free']);
  expect(read(1, 2)).toEqual(['aa3 free', 'gong2']);
  expect(read(2, 3)).toEqual(['jan4']);
  expect(read(0, 3)).toEqual(['hoeng1', 'aa3 free', 'gong2', 'jan4']);
  expect(read(1, 1)).toEqual(['aa3 free']);
});
