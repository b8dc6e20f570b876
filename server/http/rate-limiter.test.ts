import { expect, test } from 'vitest';
import { createRateLimiter } from './rate-limiter.ts';

test('the whole limit may be used at once, then the next request is allowed after Retry-After', () => {
  let nowMs = 0;
  const limiter = createRateLimiter({ nowMs: () => nowMs });
  for (let left = 5; left > 0; left -= 1) {
    expect(limiter.take('a', 6)).toMatchObject({ allowed: true, limit: 6, remaining: left });
  }
  expect(limiter.take('a', 6)).toMatchObject({ allowed: true, remaining: 0, resetSeconds: 60 });
  expect(limiter.take('a', 6)).toMatchObject({ allowed: false, remaining: 0, retryAfterSeconds: 10 });
  nowMs = 10_000;
  expect(limiter.take('a', 6).allowed).toBe(true);
  expect(limiter.take('a', 6).allowed).toBe(false);
});

test('over a long time no more requests than the limit per minute are allowed', () => {
  let nowMs = 0;
  const limiter = createRateLimiter({ nowMs: () => nowMs });
  let passed = 0;
  for (; nowMs < 600_000; nowMs += 37) passed += limiter.take('a', 60).allowed ? 1 : 0;
  expect(passed).toBeGreaterThan(655);
  expect(passed).toBeLessThanOrEqual(660);
});

test('accounts have separate limits, and a smaller plan applies at once', () => {
  const limiter = createRateLimiter({ nowMs: () => 0 });
  expect(limiter.take('a', 1).allowed).toBe(true);
  expect(limiter.take('a', 1).allowed).toBe(false);
  expect(limiter.take('b', 100).remaining).toBe(99);
  expect(limiter.take('b', 10).remaining).toBe(9);
});

test('memory is bounded for any number of keys', () => {
  let nowMs = 0;
  const limiter = createRateLimiter({ maxKeys: 1_000, nowMs: () => nowMs });
  limiter.take('spent', 1);
  for (let key = 0; key < 900; key += 1) limiter.take(`old ${key}`, 60);
  expect(limiter.take('spent', 1).allowed).toBe(false);
  nowMs = 61_000;
  for (let key = 0; key < 100_000; key += 1) limiter.take(`new ${key}`, 60);
  expect(limiter.take('spent', 1).allowed).toBe(true);
});
