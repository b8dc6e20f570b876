/**
 * Processor time of this process in milliseconds: unlike wall-clock time, independent of other
 * load.
 */
export function cpuTimeMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/**
 * Processor time of `work` in milliseconds, the least of three runs. In a process that runs many
 * test files a full collection of garbage takes half a second of the processors, and falls into one
 * of them.
 */
export function leastCpuTimeMs(work: () => void): number {
  const runs = [1, 2, 3].map(() => {
    const startedMs = cpuTimeMs();
    work();
    return cpuTimeMs() - startedMs;
  });
  return Math.min(...runs);
}
