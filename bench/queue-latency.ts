import { setTimeout as sleep } from 'node:timers/promises';
import { median, quantile } from '@jyutsing/numeric/statistics';
import { databasesToTest } from '#testbed/servers/postgres.ts';
import { openQueue } from '#server/queue/open-queue.ts';
import { openStore } from '#server/store/open-store.ts';
import { temporaryFolder } from '#testbed/service/service.ts';
import type { Measurement } from './report.ts';

const JOBS = 200;
const GOAL_MS = 20;

/**
 * Measures the time from the start of the transaction that enqueues a job to the first line of its
 * handler, on both drivers.
 */
export async function measureQueueLatency(): Promise<Measurement[]> {
  const measurements: Measurement[] = [];
  for (const database of databasesToTest()) {
    await using folder = await temporaryFolder();
    const { databaseUrl, close } = await database.open();
    const store = await openStore({ databaseUrl, dataDir: folder.path });
    const queue = await openQueue({ store });
    const submittedMs = new Map<string, number>();
    const waits: number[] = [];
    await queue.start({
      transcribe: {
        run: async ({ payload }) => {
          waits.push(performance.now() - submittedMs.get(payload.transcriptionId)!);
        },
        concurrency: 2,
        onDeadLetter: async () => {},
      },
      deliver: { run: async () => {}, concurrency: 2, onDeadLetter: async () => {} },
    });
    for (let job = 0; job < JOBS; job += 1) {
      const transcriptionId = crypto.randomUUID();
      submittedMs.set(transcriptionId, performance.now());
      await store.transaction((tx) =>
        queue.enqueue(tx, { name: 'transcribe', payload: { transcriptionId }, accountId: 'a' }),
      );
      // A pause between jobs: the latency of an idle service is measured, not that of a backlog.
      await sleep(25);
    }
    while (waits.length < JOBS) await sleep(20);
    await queue.close();
    await store.close();
    await close();
    const p50 = median(waits);
    measurements.push({
      label: `submit → worker start on ${database.name}, p50 (p99)`,
      value: `${p50.toFixed(1)} ms (${quantile(waits, 0.99).toFixed(1)} ms)`,
      goal: `p50 ≤ ${GOAL_MS} ms`,
      met: p50 <= GOAL_MS,
    });
  }
  return measurements;
}
