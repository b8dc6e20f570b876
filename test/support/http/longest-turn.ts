const MICROSECONDS_PER_MS = 1_000;

/** A timer fires in every turn of the event loop that takes longer. */
const EVERY_MS = 1;

/**
 * Runs work and measures the longest turn of this process's event loop meanwhile, in milliseconds
 * of the thread's processor time, so that other programs of the machine do not count.
 */
async function longestTurnMs(work: () => Promise<void>): Promise<number> {
  let longest = 0;
  let before = process.threadCpuUsage();
  const turn = () => {
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / MICROSECONDS_PER_MS);
    before = process.threadCpuUsage();
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

/**
 * Runs work until its longest turn takes at most `mostMs`, `runs` times at most; returns the
 * shortest of these. In a process that runs many test files collections of garbage fall into some
 * of them.
 */
export async function leastTurnMs(work: () => Promise<void>, mostMs: number, runs = 5): Promise<number> {
  let leastMs = Infinity;
  for (let run = 0; run < runs && leastMs > mostMs; run += 1) leastMs = Math.min(leastMs, await longestTurnMs(work));
  return leastMs;
}
