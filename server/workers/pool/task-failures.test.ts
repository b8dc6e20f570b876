import { expect, it } from 'vitest';
import { brokenLimit } from './task-failures.ts';

const agoMs = (ms: number) => performance.now() - ms;

it('a task is not silent while its process waits for a processor', () => {
  const run = {
    limits: { silenceTimeoutMs: 30_000, timeLimitMs: 600_000 },
    startedMs: agoMs(50_000),
    lastEventMs: agoMs(50_000),
    abortedMs: null,
    waitsForReader: () => false,
  };
  expect(brokenLimit({ ...run, waitedForProcessorMs: 10_000 }, 0, 1)?.code).toBe('timed_out');
  expect(brokenLimit({ ...run, waitedForProcessorMs: 25_000 }, 0, 1)).toBeNull();
  const late = { ...run, startedMs: agoMs(700_000) };
  expect(brokenLimit({ ...late, waitedForProcessorMs: 600_000 }, 0, 1)?.code).toBe('timed_out');
});
