import { afterEach, expect, it, vi } from 'vitest';
import { onRepeatedSignal } from './repeated-signal.ts';

afterEach(() => void vi.useRealTimers());

it('takes signals that follow within a second for one, and tells later ones apart', () => {
  vi.useFakeTimers();
  const calls: string[] = [];
  const listener = onRepeatedSignal<string>(
    (reason) => calls.push(`first ${reason}`),
    (reason) => calls.push(`again ${reason}`),
  );
  listener('SIGINT');
  vi.advanceTimersByTime(900);
  listener('SIGTERM');
  expect(calls).toEqual(['first SIGINT']);
  vi.advanceTimersByTime(200);
  listener('SIGHUP');
  expect(calls).toEqual(['first SIGINT', 'again SIGHUP']);
});
