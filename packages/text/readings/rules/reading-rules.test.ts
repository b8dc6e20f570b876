import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadShippedCorpora } from '#text/corpora/load-shipped-corpora.ts';
import { isSyllable } from '#text/syllables/jyutping.ts';
import { textToJyutping } from '#text/readings/text-to-jyutping.ts';
import type { SpokenWord } from '@jyutsing/contracts/spoken-text';
import { createAddJyutping } from '#text/normalization/cantonese/add-jyutping.ts';
import { loadCorrections } from '#text/readings/word-list.ts';
import { READING_RULES } from './reading-rules.ts';

const read = createAddJyutping();
const word = (spokenForm: string, language: SpokenWord['language'] = 'cantonese'): SpokenWord => ({
  written: spokenForm,
  language,
  spokenForm,
  reading: [],
});
const readingOf = (text: string, isQuestion = false) =>
  read([word(text)], isQuestion)
    .flatMap(({ reading }) => reading)
    .join(' ');
const base = (syllable: string) => syllable.slice(0, -1);

test('every correction is jyutping, one syllable for each character, each a possible reading of the character', () => {
  const entries = [...loadCorrections()];
  expect(entries.length).toBeGreaterThan(150);
  for (const [text, syllables] of entries) {
    expect([text, syllables.length]).toEqual([text, Array.from(text).length]);
    expect([text, syllables.filter((syllable) => !isSyllable(syllable))]).toEqual([text, []]);
  }
});

/** Islanders say peng4, which no dictionary has. */
const LOCAL_NAME = '坪洲';

test('every correction keeps the base syllable or takes one that dictionaries list for the character', () => {
  const odd = [...loadCorrections()].flatMap(([text, syllables]) =>
    Array.from(text).flatMap((char, index) => {
      const dictionaryReadings = textToJyutping(char)[0]?.readings ?? [];
      const corrected = syllables[index] ?? '';
      if (text === LOCAL_NAME) return [];
      // Dictionaries lack changed tones, but must list every other sound.
      return dictionaryReadings.length === 0 ||
        dictionaryReadings.some((dictionaryReading) => base(dictionaryReading) === base(corrected))
        ? []
        : [`${text} ${char} ${corrected}`];
    }),
  );
  expect(odd).toEqual([]);
});

test('99.5 % of the syllables of the shipped terms are read as shipped', () => {
  const corpora = loadShippedCorpora(fileURLToPath(new URL('../../../../corpora', import.meta.url)));
  const terms = corpora.flatMap(({ entries }) => entries).filter(({ text }) => /^\p{Script=Han}+$/u.test(text));
  let [count, wrong] = [0, 0];
  for (const { text, jyutping } of terms) {
    const expectedSyllables = jyutping?.split(' ') ?? [];
    const actual = readingOf(text).split(' ');
    if (actual.length !== expectedSyllables.length) continue;
    count += expectedSyllables.length;
    wrong += expectedSyllables.filter((syllable, index) => syllable !== actual[index]).length;
  }
  expect(count).toBeGreaterThan(10_000);
  expect(wrong / count).toBeLessThan(0.005);
});

test('every correction applies when the word stands alone', () => {
  const lost = [...loadCorrections()].filter(([text, syllables]) => {
    const ruled = READING_RULES.some(({ pattern }) => new RegExp(pattern.source, pattern.flags).test(text));
    return !ruled && readingOf(text) !== syllables.join(' ');
  });
  expect(lost).toEqual([]);
});

test('every rule gives jyutping', () => {
  expect(READING_RULES.filter(({ syllable }) => !isSyllable(syllable))).toEqual([]);
});

test('particles are read by their position', () => {
  expect(readingOf('係呀', true)).toBe('hai6 aa4');
  expect(readingOf('去邊呀', true)).toBe('heoi3 bin1 aa3');
  expect(readingOf('你呢')).toBe('nei5 ne1');
  expect(readingOf('呢個')).toBe('ni1 go3');
});

test('a foreign word separates its neighbors and keeps its position', () => {
  const words = read([word('我'), word('send', 'english'), word('咗')], false);
  expect(words.map(({ reading }) => reading.join(' '))).toEqual(['ngo5', '', 'zo2']);
});

test('an unknown character has no syllable', () => {
  expect(readingOf('你\u{2A6D6}好').split(' ').slice(0, 1)).toEqual(['nei5']);
  expect(read([word('\u{31350}')], false)[0]?.reading).toEqual([]);
});
