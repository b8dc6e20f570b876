import { expect, it } from 'vitest';
import type { SpokenWord } from '@jyutsing/contracts/spoken-text';
import { openEspeak } from './espeak-driver.ts';
import { planSource } from './source-text.ts';

/**
 * The texts are a number of four hundred digits, a word of a thousand letters, one in letters of
 * four bytes, and one that espeak-ng would read out.
 */
const LONG = ['nine '.repeat(400), 'qwertyuiop'.repeat(100), '\u{1df00}'.repeat(500), "don't ".repeat(300), 'x'];

it('a call does not depend on previous calls of any length', async () => {
  const espeak = await openEspeak();
  const before = espeak.say('en', 'hello world').samples;
  for (const letters of [4_096, 10, 200, 1_000, 130]) {
    espeak.say('en', 'ab '.repeat(letters / 3));
    espeak.say('yue', 'nei5 hou2');
    expect(espeak.say('en', 'hello world').samples).toEqual(before);
  }
});

it('letters of scripts that a voice lacks are spoken, and later calls are as before', async () => {
  const espeak = await openEspeak();
  const before = espeak.say('en', 'hello world').samples;
  const foreign = espeak.say('en', '한국어 日本語 ไทย');
  expect(foreign.words.length).toBeGreaterThan(0);
  expect(espeak.say('yue', 'abc привет').words.length).toBeGreaterThan(0);
  expect(espeak.say('en', '한국어 日本語 ไทย')).toEqual(foreign);
  expect(espeak.say('en', 'hello world').samples).toEqual(before);
});

it('a text too long for one call is refused', async () => {
  const espeak = await openEspeak();
  const before = espeak.say('cmn', 'ni3 hao3').samples;
  expect(() => espeak.say('en', '\u00e9'.repeat(2_049))).toThrow('too long');
  expect(espeak.say('cmn', 'ni3 hao3').samples).toEqual(before);
});

it('words of any length become calls of a bounded one, in order and whole', () => {
  const words = LONG.map((spoken): SpokenWord => ({
    written: '?',
    spokenForm: spoken,
    language: 'english',
    reading: [],
  }));
  const { calls } = planSource({ words: [...words, ...words], ending: 'statement' }, true);
  for (const { text, items } of calls) {
    expect(Buffer.byteLength(text)).toBeLessThan(4_096);
    for (const { from, to } of items) expect(to - from).toBeLessThanOrEqual(60);
  }
  const items = calls.flatMap((call) => call.items.map((item) => ({ ...item, spoken: call.text })));
  const starts = items.filter(({ isWordStart }) => isWordStart).map(({ word }) => word);
  expect(starts).toEqual(LONG.concat(LONG).map((_, index) => index));
  expect(items.filter(({ isWordEnd }) => isWordEnd)).toHaveLength(starts.length);
  const letters = items
    .filter(({ word }) => word < LONG.length)
    .map(({ spoken, from, to }) => [...spoken].slice(from, to).join(''));
  expect(letters.join('').replaceAll(' ', '')).toBe(LONG.join('').replaceAll(' ', ''));
});
