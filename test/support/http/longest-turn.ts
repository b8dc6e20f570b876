const MICROSECONDS_PER_MS = 1_000;

/**
 * Runs work and measures the longest turn of this process's event loop meanwhile, in milliseconds of
 * the thread's processor time, so that other programs of the machine do not count.
 */
export async function longestTurnMs(work: () => Promise<void>): Promise<number> {
  let longest = 0;
  let before = process.threadCpuUsage();
  let isRunning = true;
  const turn = () => {
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / MICROSECONDS_PER_MS);
    before = process.threadCpuUsage();
    if (isRunning) setImmediate(turn);
  };
  setImmediate(turn);
  try {
    await work();
  } finally {
    isRunning = false;
  }
  return longest;
}
