import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import ToJyutping, { customize } from 'to-jyutping';
import { expect, it } from 'vitest';
import { openJyutpingDictionary, type Overrides } from './jyutping-dictionary.ts';

const TABLES = [join(import.meta.dirname, '../testing/tables'), join(import.meta.dirname, '../../../corpora')];
/**
 * Length of the stretches into which the dictionary's characters are cut: they hold all of its
 * words and many runs that are no word.
 */
const RUN_LENGTH = 37;

/** Terms and sentences of our tables, and every character of the dictionary among others. */
function sampleTexts(): string[] {
  const files = TABLES.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
  const source = readFileSync(new URL(import.meta.resolve('to-jyutping')), 'utf8');
  const characters = [...source].filter((char) => char.codePointAt(0)! >= 256);
  const runs = Array.from({ length: Math.ceil(characters.length / RUN_LENGTH) }, (_, run) =>
    characters.slice(run * RUN_LENGTH, (run + 1) * RUN_LENGTH).join(''),
  );
  return [...files.flatMap((file) => readFileSync(file, 'utf8').split('\n')), ...runs];
}

/** The texts that are read differently from the package. */
function differences(texts: readonly string[], reference: typeof ToJyutping, overrides?: Overrides): string[] {
  const dictionary = openJyutpingDictionary();
  return texts.filter((text) => {
    const inContext = reference.getJyutpingList(text);
    const candidates = reference.getJyutpingCandidates(text);
    const expected = inContext.map(([char, reading], index) => ({
      char,
      reading,
      candidates: candidates[index]?.[1] ?? [],
    }));
    return JSON.stringify(dictionary.read(text, overrides)) !== JSON.stringify(expected);
  });
}

it('reads every text as to-jyutping does', () => {
  const texts = sampleTexts();
  expect(texts.length).toBeGreaterThan(5_000);
  expect(differences(texts, ToJyutping)).toEqual([]);
});

it('reads texts with overrides as to-jyutping does', () => {
  const readings = new Map([
    ['行', 'hang4'],
    ['香港人', 'hoeng1 gong2 jan2'],
    ['abc', 'ei1 bi1 si1'],
    ['大學', null],
  ]);
  const texts = ['香港人行過大學', '我哋行abc', '行行', '香港大學', '人行路', 'abcabc', '', '𨋢香港人'];
  const overrides = { maxCharacters: 3, find: (word: string) => readings.get(word) };
  expect(differences(texts, customize(readings), overrides)).toEqual([]);
  expect(differences(texts, ToJyutping, overrides)).not.toEqual([]);
});
