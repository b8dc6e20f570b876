import { expect, test } from 'vitest';
import { createCircuitBreaker } from './circuit-breaker.ts';

test('two failures open the circuit for five minutes, and one more failure for another five', () => {
  let atMs = 0;
  const breaker = createCircuitBreaker(() => atMs);
  breaker.recordFailure('llm', 'timed_out');
  expect(breaker.isOpen('llm')).toBe(false);
  breaker.recordFailure('llm', 'service_unavailable');
  expect([breaker.isOpen('llm'), breaker.isOpen('other')]).toEqual([true, false]);
  atMs = 299_999;
  expect(breaker.isOpen('llm')).toBe(true);
  atMs = 300_000;
  expect(breaker.isOpen('llm')).toBe(false);
  breaker.recordFailure('llm', 'timed_out');
  expect(breaker.isOpen('llm')).toBe(true);
});

test('a success closes the circuit, and one between two failures keeps it closed', () => {
  const breaker = createCircuitBreaker(() => 0);
  breaker.recordFailure('llm', 'timed_out');
  breaker.recordSuccess('llm');
  breaker.recordFailure('llm', 'timed_out');
  expect(breaker.isOpen('llm')).toBe(false);
  breaker.recordFailure('llm', 'timed_out');
  breaker.recordSuccess('llm');
  expect(breaker.isOpen('llm')).toBe(false);
});

test('failures of single requests do not open the circuit', () => {
  const breaker = createCircuitBreaker(() => 0);
  for (let times = 0; times < 9; times += 1) breaker.recordFailure('llm', 'engine_failed');
  expect(breaker.isOpen('llm')).toBe(false);
});

test('after five minutes one request tries the server, and the others wait for its answer', () => {
  let atMs = 0;
  const breaker = createCircuitBreaker(() => atMs);
  breaker.recordFailure('llm', 'timed_out');
  breaker.recordFailure('llm', 'timed_out');
  atMs = 300_000;
  expect([1, 2, 3].map(() => breaker.isOpen('llm'))).toEqual([false, true, true]);
  breaker.recordSuccess('llm');
  expect(breaker.isOpen('llm')).toBe(false);
});

test('a request that never answers is followed by another one after five minutes', () => {
  let atMs = 0;
  const breaker = createCircuitBreaker(() => atMs);
  breaker.recordFailure('llm', 'timed_out');
  breaker.recordFailure('llm', 'timed_out');
  atMs = 300_000;
  expect(breaker.isOpen('llm')).toBe(false);
  atMs = 599_999;
  expect(breaker.isOpen('llm')).toBe(true);
  atMs = 600_000;
  expect(breaker.isOpen('llm')).toBe(false);
});
