import { expect, test } from 'vitest';
import { createPinyinReader, numberedPinyin } from './pinyin-readings.ts';

const read = createPinyinReader(
  new Map([
    ['朋友', 'péng you'],
    ['一样', 'yí yàng'],
    ['嗯嗯', 'ng ng'],
  ]),
);
const readings = (word: string): string[] => read(word).map(({ syllables }) => syllables.join(' '));

test('tone marks become numbers, ü becomes v, and no mark is the neutral tone', () => {
  expect(['lǜ', 'zhōng', 'ma', 'yuán', 'jú', 'nüè'].map(numberedPinyin)).toEqual([
    'lv4',
    'zhong1',
    'ma5',
    'yuan2',
    'ju2',
    'nve4',
  ]);
  expect(numberedPinyin('ng')).toBeNull();
});

test('both readings are accepted where sources differ, and 一 keeps its dictionary tone', () => {
  expect(readings('朋友')).toEqual(['peng2 you5', 'peng2 you3']);
  expect(readings('一样')).toEqual(['yi1 yang4']);
});

test('a particle has its reading in running text', () => {
  expect(read('的')[0]).toEqual({ syllables: ['de5'], probability: 0.97 });
});

test('shares of the readings of a word sum to one', () => {
  for (const word of ['的', '了', '行', '银行', '朋友', '长大']) {
    expect(read(word).reduce((sum, { probability }) => sum + probability, 0)).toBeCloseTo(1, 9);
  }
});
