import { cpuTimeMs, leastCostMs } from '../cpu-time.ts';

/** A timer fires in every turn of the event loop that takes longer. */
const EVERY_MS = 1;

/**
 * Runs work and measures the longest turn of this process's event loop meanwhile, in milliseconds
 * of the thread's processor time, so that other programs of the machine do not count.
 */
async function longestTurnMs(work: () => Promise<void>): Promise<number> {
  let longest = 0;
  let beganMs = cpuTimeMs();
  const turn = () => {
    longest = Math.max(longest, cpuTimeMs() - beganMs);
    beganMs = cpuTimeMs();
  };
  const timer = setInterval(turn, EVERY_MS);
  try {
    await work();
    // Work that never yields ends in the turn in which it began, before any timer fires.
    turn();
  } finally {
    clearInterval(timer);
  }
  return longest;
}

/** Runs work and returns its longest turn in milliseconds, as `leastCostMs` does. */
export function leastTurnMs(work: () => Promise<void>, mostMs: number, runs?: number): Promise<number> {
  return leastCostMs(() => longestTurnMs(work), mostMs, runs);
}
