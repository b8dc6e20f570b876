import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { getJyutpingCandidates } from 'to-jyutping';
import { expect, it } from 'vitest';
import { normalizeSyllable } from '#text/syllables/jyutping.ts';
import { createDictionary, dataOfPackage, openJyutpingDictionary } from './jyutping-dictionary.ts';
import { loadWordList } from './word-list.ts';

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

it('has every word and reading that to-jyutping has', () => {
  const texts = sampleTexts();
  expect(texts.length).toBeGreaterThan(5_000);
  const dictionary = createDictionary(dataOfPackage(), { costs: '', readings: [] });
  const different = texts.filter((text) => {
    const characters = Array.from(text);
    const candidates = characters.map(() => new Set<string>());
    for (const from of characters.keys()) {
      for (const { readings } of dictionary.wordsAt(characters, from)) {
        for (const [offset, syllable] of readings.flatMap((reading) => [...reading.entries()]))
          candidates[from + offset]!.add(syllable);
      }
    }
    // A character that is read as two syllables, 卅, has a short reading.
    const expected = getJyutpingCandidates(text).map(([, list]) =>
      list.filter((syllable) => !syllable.includes(' ')).flatMap((syllable) => normalizeSyllable(syllable) ?? []),
    );
    return expected.some((list, index) => list.some((syllable) => !candidates[index]!.has(syllable)));
  });
  expect(different).toEqual([]);
});

it('reads every word of its lists with a syllable for each character', () => {
  const { costs, readings } = loadWordList();
  const words = [costs, ...readings.map(({ table }) => table)].flatMap((list) => list.match(/\p{Script=Han}+/gu) ?? []);
  expect(words.length).toBeGreaterThan(80_000);
  const dictionary = openJyutpingDictionary();
  const wrong = words.filter((word) =>
    dictionary
      .wordsAt(Array.from(word), 0)
      .some((found) => found.readings.some(({ length }) => length !== found.length)),
  );
  expect(wrong).toEqual([]);
});
