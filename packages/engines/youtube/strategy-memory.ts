import type { Strategy } from './strategy.ts';

/**
 * Milliseconds after which the usual order is tried again, because it begins with the fastest
 * strategy.
 */
const REMEMBER_MS = 15 * 60_000;

/** Remembers which strategy worked, so that blocked ones do not delay every request. */
export type StrategyMemory = {
  /** Returns the strategies, the one that worked last before all others. */
  order(strategies: readonly Strategy[]): readonly Strategy[];
  worked(strategy: Strategy): void;
};

/** Creates a memory; `nowMs` is a monotonic clock. */
export function createStrategyMemory(nowMs: () => number = () => performance.now()): StrategyMemory {
  let last: { name: string; untilMs: number } | null = null;
  return {
    order(strategies) {
      if (last === null || nowMs() >= last.untilMs) return strategies;
      const { name } = last;
      return [...strategies].sort((a, b) => Number(b.name === name) - Number(a.name === name));
    },
    worked({ name }) {
      // Later successes do not prolong the time: otherwise the usual order would never be tried
      // again.
      if (last?.name !== name || nowMs() >= last.untilMs) last = { name, untilMs: nowMs() + REMEMBER_MS };
    },
  };
}
