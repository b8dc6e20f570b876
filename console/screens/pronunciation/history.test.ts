import { expect, it } from 'vitest';
import { toneRecords, weakSyllables, withAttempt, type Attempt, type KeptSyllable } from './history.ts';

const attempt = (...syllables: KeptSyllable[]): Attempt => ({ at: 0, score: 50, syllables });
const good = { text: '香', expected: 'hoeng1', score: 100, wrong: [] };
const bad = { text: '港', expected: 'gong2', score: 20, wrong: ['tone'] } as const;

it('tells how often each tone was right, and how that changed', () => {
  expect(toneRecords([attempt(good, bad), attempt({ ...bad, wrong: ['onset'] })])).toEqual([
    { tone: 1, right: 1, course: [1] },
    { tone: 2, right: 0.5, course: [0, 1] },
  ]);
});

it('lists syllables that were wrong more than once practised, the weakest first', () => {
  const weaker = { text: '我', expected: 'ngo5', score: 10, wrong: ['onset'] } as const;
  const attempts = [attempt(good, bad, weaker), attempt(good, { ...bad, score: 40 }, weaker)];
  expect(weakSyllables(attempts)).toEqual([
    { expected: 'ngo5', text: '我', score: 10, times: 2 },
    { expected: 'gong2', text: '港', score: 30, times: 2 },
  ]);
  expect(weakSyllables([attempt(bad)])).toEqual([]);
});

it('keeps the latest 200 attempts', () => {
  let attempts: Attempt[] = [];
  for (let at = 0; at < 205; at += 1) attempts = withAttempt(attempts, { ...attempt(good), at });
  expect([attempts.length, attempts[0]?.at]).toEqual([200, 5]);
});
