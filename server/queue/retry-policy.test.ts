import { expect, it } from 'vitest';
import { AppError } from '@jyutsing/contracts/errors';
import { JOB_NAMES } from './queue.ts';
import { DEFAULT_RETRY_POLICIES, delayAfterDeathMs, delayAfterThrowMs, policyFor } from './retry-policy.ts';

/** Time of all attempts together, in milliseconds; `random` 0: minimum, 1: maximum. */
function spanMs(name: 'transcribe' | 'deliver', random: 0 | 1): number {
  const policy = DEFAULT_RETRY_POLICIES[name];
  let sum = 0;
  for (let attempt = 1; attempt < policy.maxAttempts; attempt++) {
    sum += Math.min(policy.maxDelayMs, policy.firstDelayMs * 2 ** (attempt - 1) * (1 + random));
  }
  return sum;
}

it('a delivery is retried for about an hour, a transcription for less than a minute', () => {
  expect(spanMs('deliver', 0)).toBeGreaterThan(40 * 60_000);
  expect(spanMs('deliver', 1)).toBeLessThan(120 * 60_000);
  expect(spanMs('transcribe', 1)).toBeLessThan(60_000);
});

it.each(JOB_NAMES)('delays of %s double within their bounds, and retries end', (name) => {
  const policy = DEFAULT_RETRY_POLICIES[name];
  for (let attempt = 1; attempt < policy.maxAttempts; attempt++) {
    const minMs = policy.firstDelayMs * 2 ** (attempt - 1);
    for (let tried = 0; tried < 50; tried++) {
      const delayMs = delayAfterThrowMs(attempt, policy);
      expect(delayMs).toBeGreaterThanOrEqual(Math.min(minMs, policy.maxDelayMs));
      expect(delayMs).toBeLessThanOrEqual(Math.min(minMs * 2, policy.maxDelayMs));
    }
  }
  expect(delayAfterThrowMs(policy.maxAttempts, policy)).toBeNull();
});

const busy = (retryAfterSeconds: number) => new AppError('service_unavailable', 'busy', { retryAfterSeconds });

it('a job waits at least as long as a busy server asks for, within its policy', () => {
  const policy = DEFAULT_RETRY_POLICIES.transcribe;
  expect(delayAfterThrowMs(1, policy, busy(20))).toBe(20_000);
  expect(delayAfterThrowMs(1, policy, busy(3_600))).toBe(policy.maxDelayMs);
  expect(delayAfterThrowMs(1, policy, busy(0))).toBeGreaterThanOrEqual(policy.firstDelayMs);
});

it.each(JOB_NAMES)('%s runs again at once after the first kills, later after more, and at last not at all', (name) => {
  const policy = DEFAULT_RETRY_POLICIES[name];
  expect([1, 2].map((deaths) => delayAfterDeathMs(deaths, policy))).toEqual([0, 0]);
  expect(delayAfterDeathMs(5, policy)).toBeGreaterThan(0);
  expect(delayAfterDeathMs(policy.maxDeaths, policy)).toBeNull();
});

it.each(JOB_NAMES)('%s survives more kills of its process than failures of its handler', (name) => {
  const { maxAttempts, maxDeaths } = DEFAULT_RETRY_POLICIES[name];
  expect(maxDeaths).toBeGreaterThan(maxAttempts);
});

it('a job with an unknown name, from another version, has a retry policy', () => {
  expect(policyFor('unknown-job', DEFAULT_RETRY_POLICIES)).toEqual(DEFAULT_RETRY_POLICIES.transcribe);
});
