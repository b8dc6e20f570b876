import { expect, test } from 'vitest';
import { createRests } from './rests.ts';

test('a server that fails twice is left alone for five minutes, and one more failure makes it five again', () => {
  let atMs = 0;
  const rests = createRests(() => atMs);
  rests.failed('llm', 'timed_out');
  expect(rests.isResting('llm')).toBe(false);
  rests.failed('llm', 'service_unavailable');
  expect([rests.isResting('llm'), rests.isResting('other')]).toEqual([true, false]);
  atMs = 299_999;
  expect(rests.isResting('llm')).toBe(true);
  atMs = 300_000;
  expect(rests.isResting('llm')).toBe(false);
  rests.failed('llm', 'timed_out');
  expect(rests.isResting('llm')).toBe(true);
});

test('an answer ends it, and one between two failures keeps it from beginning', () => {
  const rests = createRests(() => 0);
  rests.failed('llm', 'timed_out');
  rests.answered('llm');
  rests.failed('llm', 'timed_out');
  expect(rests.isResting('llm')).toBe(false);
  rests.failed('llm', 'timed_out');
  rests.answered('llm');
  expect(rests.isResting('llm')).toBe(false);
});

test('what a model makes of one recording does not keep it from others', () => {
  const rests = createRests(() => 0);
  for (let times = 0; times < 9; times += 1) rests.failed('llm', 'engine_failed');
  expect(rests.isResting('llm')).toBe(false);
});
