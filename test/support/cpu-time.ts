const MICROSECONDS_PER_MS = 1_000;
/** Collections of garbage fall into some of these in a process that runs many test files. */
const RUNS = 5;

/** Processor time of this thread in milliseconds: other programs and threads do not count. */
export function cpuTimeMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / MICROSECONDS_PER_MS;
}

function cpuTimeOfMs(work: () => void): number {
  const startedMs = cpuTimeMs();
  work();
  return cpuTimeMs() - startedMs;
}

/** Parsing the text of the function below takes this long on two idle cores of an AMD EPYC. */
const REFERENCE_MS = 30;

/**
 * Returns how many times as long as usual the processor takes at present, 1 at least, from the
 * parsing of one text: a core that another thread shares, or a cache that other programs fill,
 * doubles the processor time of everything.
 */
function presentSlowness(): number {
  const text = JSON.stringify(Array.from({ length: 80_000 }, (_item, at) => ({ at, name: `name ${at}` })));
  const costsMs = Array.from({ length: 3 }, () => cpuTimeOfMs(() => void JSON.parse(text)));
  return Math.max(1, Math.min(...costsMs) / REFERENCE_MS);
}

/** A cost above `mostMs` is divided by the slowness of the processor right behind it. */
function withoutSlowness(costMs: number, mostMs: number): number {
  return costMs > mostMs ? costMs / presentSlowness() : costMs;
}

/**
 * Measures until a cost is at most `mostMs`, `runs` times at most, and returns the least of the
 * costs in milliseconds without the slowness of the processor.
 */
export async function leastCostMs(measureMs: () => Promise<number>, mostMs: number, runs = RUNS): Promise<number> {
  let leastMs = Infinity;
  for (let run = 0; run < runs && leastMs > mostMs; run += 1) {
    leastMs = Math.min(leastMs, withoutSlowness(await measureMs(), mostMs));
  }
  return leastMs;
}

/** Returns the processor time of `work` in milliseconds, measured as `leastCostMs` does. */
export function leastCpuTimeMs(work: () => void, mostMs: number): Promise<number> {
  return leastCostMs(() => Promise.resolve(cpuTimeOfMs(work)), mostMs);
}

/**
 * Returns the processor time of `work` as a ratio to that of `reference`: the least of each in
 * ten runs that alternate, so that both meet the same load.
 */
export function costRatio(work: () => void, reference: () => void): number {
  let [workMs, referenceMs] = [Infinity, Infinity];
  for (let run = 0; run < 2 * RUNS; run += 1) {
    workMs = Math.min(workMs, cpuTimeOfMs(work));
    referenceMs = Math.min(referenceMs, cpuTimeOfMs(reference));
  }
  return workMs / referenceMs;
}
