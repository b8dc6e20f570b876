/**
 * Processor time of this process in milliseconds: unlike wall-clock time, independent of other
 * load.
 */
export function cpuTimeMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
