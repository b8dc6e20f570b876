import { quantile } from '@jyutsing/numeric/statistics';
import { startService, temporaryFolder } from '#testbed/service/service.ts';
import type { Measurement } from './report.ts';

const RUNS = 7;
const GOAL_MS = 1_500;

/**
 * Measures the time from starting the process until /health answers 200, with an existing database
 * (as after every restart).
 */
export async function measureColdStart(): Promise<Measurement[]> {
  await using folder = await temporaryFolder();
  const times: number[] = [];
  for (let run = 0; run <= RUNS; run += 1) {
    const startedMs = performance.now();
    const service = await startService(folder.path);
    // The first run creates the database and is not counted.
    if (run > 0) times.push(performance.now() - startedMs);
    await service.stop();
  }
  const median = quantile(times, 0.5);
  return [
    {
      label: 'cold start to ready, median',
      value: `${median.toFixed(0)} ms`,
      goal: `≤ ${GOAL_MS} ms`,
      met: median <= GOAL_MS,
    },
  ];
}
