/**
 * Milliseconds of processor time that this process has used so far. What a computation takes of it says whether it is the right
 * one; how long it takes by the clock says what else the machine is doing.
 */
export function cpuTimeMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
