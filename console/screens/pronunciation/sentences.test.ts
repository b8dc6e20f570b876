import { expect, it } from 'vitest';
import { textToJyutping } from '@jyutsing/text/readings/text-to-jyutping';
import { levelOf, SET_NAMES, SETS, type Sentence } from './sentences.ts';

const all: readonly Sentence[] = SET_NAMES.flatMap((name) => SETS[name]);

it('has at least 120 different sentences, with some of each level in each set', () => {
  expect(all.length).toBeGreaterThanOrEqual(120);
  expect(new Set(all.map(([text]) => text)).size).toBe(all.length);
  for (const name of SET_NAMES) expect([name, new Set(SETS[name].map(levelOf)).size]).toEqual([name, 3]);
});

it('has a syllable for each character, one of its readings', () => {
  const faults = all.flatMap(([text, jyutping]) => {
    const syllables = jyutping.split(' ');
    const characters = textToJyutping(text).filter(({ char }) => /\p{Script=Han}/u.test(char));
    if (characters.length !== syllables.length) return [text];
    return characters.flatMap(({ char, jyutping: usual, readings }, index) => {
      const syllable = syllables[index] ?? '';
      return syllable === usual || readings.includes(syllable) ? [] : [`${text}: ${char} ${syllable}`];
    });
  });
  expect(faults).toEqual([]);
});

it('tells every meaning in both languages', () => {
  expect(all.filter(([, , english, written]) => !/^[A-Z].*[.?!]$/.test(english) || !/[。？！]$/.test(written))).toEqual(
    [],
  );
});
