// A process that holds quota reservations, for tests that kill or suspend it. Prints one line per
// event; SIGUSR2 settles the reservations.
import { openStore } from '#server/store/open-store.ts';
import { takeProcessLease } from '#server/queue/process-lease.ts';
import type { LeaseTiming } from '#server/queue/worker-lease.ts';

/** The only argument, as JSON. `units`: number of reservations of one unit each. */
export type HolderOptions = {
  databaseUrl: string | null;
  dataDir: string;
  accountId: string;
  units: number;
  lease: LeaseTiming;
};

const { accountId, units, lease, ...database } = JSON.parse(process.argv[2] ?? '') as HolderOptions;
const print = (text: string) => process.stdout.write(`${text}\n`);
const store = await openStore(database);
await takeProcessLease(store, (error) => print(`error ${String(error)}`), lease);

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
  void Promise.all(requestIds.map((requestId) => store.quotas.settle(requestId, 1))).then(() => print('settled'));
});
print('reserved');
