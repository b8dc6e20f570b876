import { expect, it } from 'vitest';
import { matchSpeakers } from './live-speakers.ts';

const turn = (startMs: number, endMs: number, speaker: number) => ({ startMs, endMs, speaker });
const NO_ONE = { voiceOf: new Map(), count: 0 };
const numbers = (...parameters: Parameters<typeof matchSpeakers>) => [...matchSpeakers(...parameters)].sort();

it('numbers the first speakers in the order in which they speak', () => {
  expect(numbers([turn(0, 900, 7), turn(1_000, 2_000, 3)], [], NO_ONE)).toEqual([
    [3, 1],
    [7, 0],
  ]);
});

it('keeps the numbers of speakers whom the next search calls otherwise', () => {
  const before = [turn(0, 1_000, 0), turn(1_000, 2_000, 1)];
  const found = [turn(0, 1_050, 1), turn(1_050, 2_100, 0), turn(2_200, 3_000, 2)];
  expect(numbers(found, before, { voiceOf: new Map(), count: 2 })).toEqual([
    [0, 1],
    [1, 0],
    [2, 2],
  ]);
});

it('gives a new speaker a number that nobody has in the window', () => {
  // Short searches split one person into four; later ones did not.
  const before = [turn(0, 50_000, 0)];
  const found = [turn(0, 50_000, 0), turn(51_000, 58_000, 1)];
  expect(numbers(found, before, { voiceOf: new Map(), count: 4 })).toEqual([
    [0, 0],
    [1, 1],
  ]);
  // All four are taken before; in one window two people still have two numbers.
  const all = [0, 1, 2, 3].map((speaker) => turn(speaker * 1_000, speaker * 1_000 + 900, speaker));
  const later = [turn(0, 900, 5), turn(60_000, 61_000, 6)];
  const matched = matchSpeakers(later, all, { voiceOf: new Map(), count: 4 });
  expect(matched.get(5)).toBe(0);
  expect([1, 2, 3]).toContain(matched.get(6));
});

it('knows a speaker who left the window by the voice, and finds no fifth one', () => {
  const before = [turn(0, 1_000, 0), turn(60_000, 61_000, 1)];
  const found = [turn(60_000, 61_000, 0), turn(62_000, 63_000, 1)];
  expect(numbers(found, before, { voiceOf: new Map([[0, 1]]), count: 2 })).toEqual([
    [0, 1],
    [1, 0],
  ]);
  const fifth = [...matchSpeakers([turn(70_000, 71_000, 9)], before, { voiceOf: new Map(), count: 4 }).values()];
  expect(fifth[0]).toBeLessThan(4);
});
