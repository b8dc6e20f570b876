// A process that holds quota, for tests that kill or stop it. Prints one line for each thing that happens; SIGUSR2 settles what it holds.
import { openStore } from '#server/store/open-store.ts';
import { takeProcessLease } from '#server/queue/process-lease.ts';
import type { LeaseTiming } from '#server/queue/worker-lease.ts';

/** What the test passes as the only argument, as JSON: it reserves one unit so many times. */
export type HolderOrder = {
  databaseUrl: string | null;
  dataDir: string;
  accountId: string;
  units: number;
  lease: LeaseTiming;
};

const { accountId, units, lease, ...database } = JSON.parse(process.argv[2] ?? '') as HolderOrder;
const say = (text: string) => process.stdout.write(`${text}\n`);
const store = await openStore(database);
await takeProcessLease(store, (error) => say(`error ${String(error)}`), lease);

const requestIds = Array.from({ length: units }, () => crypto.randomUUID());
for (const requestId of requestIds) {
  await store.quotas.reserve({
    accountId,
    unit: 'video_summaries',
    amount: 1,
    limit: null,
    requestId,
    heldBy: 'process',
  });
}
process.on('SIGUSR2', () => {
  void Promise.all(requestIds.map((requestId) => store.quotas.settle(requestId, 1))).then(() => say('settled'));
});
say('holds');
