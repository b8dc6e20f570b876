import { expect, test } from 'vitest';
import { createCircuitBreaker } from './circuit-breaker.ts';

test('a server that fails twice is left alone for five minutes, and one more failure makes it five again', () => {
  let atMs = 0;
  const rests = createCircuitBreaker(() => atMs);
  rests.failed('llm', 'timed_out');
  expect(rests.isOpen('llm')).toBe(false);
  rests.failed('llm', 'service_unavailable');
  expect([rests.isOpen('llm'), rests.isOpen('other')]).toEqual([true, false]);
  atMs = 299_999;
  expect(rests.isOpen('llm')).toBe(true);
  atMs = 300_000;
  expect(rests.isOpen('llm')).toBe(false);
  rests.failed('llm', 'timed_out');
  expect(rests.isOpen('llm')).toBe(true);
});

test('an answer ends it, and one between two failures keeps it from beginning', () => {
  const rests = createCircuitBreaker(() => 0);
  rests.failed('llm', 'timed_out');
  rests.answered('llm');
  rests.failed('llm', 'timed_out');
  expect(rests.isOpen('llm')).toBe(false);
  rests.failed('llm', 'timed_out');
  rests.answered('llm');
  expect(rests.isOpen('llm')).toBe(false);
});

test('what a model makes of one recording does not keep it from others', () => {
  const rests = createCircuitBreaker(() => 0);
  for (let times = 0; times < 9; times += 1) rests.failed('llm', 'engine_failed');
  expect(rests.isOpen('llm')).toBe(false);
});
