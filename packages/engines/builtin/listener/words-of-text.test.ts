import { expect, test } from 'vitest';
import type { AcousticLabels, Posteriors } from '#engines/builtin/decoder/types.ts';
import type { ReadCharacter } from './decode-text.ts';
import { englishSpelling } from './spelling.ts';
import { wordsOfText } from './words-of-text.ts';

const LABELS: AcousticLabels = {
  frameMs: 20,
  onsets: [],
  rimes: [],
  tones: 0,
  phones: [..."_ABCDEFGHIJKLMNOPQRSTUVWXYZ'"],
};
const WIDTH = 1 + LABELS.phones.length;
const spell = englishSpelling(LABELS);

/** Posteriors that are sure of a column in some frames and of the blank in all others. */
function heard(frameCount: number, columnAt: Readonly<Record<number, number>>): Posteriors {
  const symbolLogp = new Float32Array(frameCount * WIDTH).fill(-20);
  for (let frame = 0; frame < frameCount; frame++) symbolLogp[frame * WIDTH + (columnAt[frame] ?? 0)] = -0.01;
  return { frameCount, symbolLogp, toneLogp: new Float32Array(0) };
}

function read(text: string): ReadCharacter[] {
  return [...text].map((character, index, all) => ({
    text: character,
    reading: spell(character, all.slice(0, index).join(''))[0] ?? null,
    probability: 0.5,
  }));
}

test('letters are spelled with a break before every word but the first', () => {
  expect(read("Hi, it's").map(({ reading }) => reading?.columns)).toEqual([
    [9],
    [10],
    undefined,
    undefined,
    [1, 10],
    [21],
    [28],
    [20],
  ]);
});

test('words have the times of their letters, and marks stand at the end of the word before', () => {
  // The break is heard at the beginning of the pause.
  const columnAt = { 10: 9, 14: 10, 20: 1, 42: 10, 45: 21 };
  const words = wordsOfText(read('Hi, it.'), heard(60, columnAt), LABELS);
  expect(words.map(({ text, startMs, endMs }) => [text, startMs, endMs])).toEqual([
    ['Hi', 160, 340],
    [',', 340, 340],
    ['it', 800, 960],
    ['.', 960, 960],
  ]);
  expect(words[0]?.confidence).toBe(0.5);
});

test('a word that the head did not hear lies between its neighbors', () => {
  const text = read('Hi it').map((character, index) => (index > 2 ? { ...character, reading: null } : character));
  const words = wordsOfText(text, heard(30, { 10: 9, 14: 10 }), LABELS);
  expect(words.map(({ text: word }) => word)).toEqual(['Hi', 'it']);
  expect(words[1]!.startMs).toBeGreaterThanOrEqual(words[0]!.startMs);
});

test('a text without words has none', () => {
  expect(wordsOfText([], heard(5, {}), LABELS)).toEqual([]);
});
