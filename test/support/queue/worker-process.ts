// A worker in a process of its own, for tests that kill, stop or crash it. It prints one line for each thing that happens.
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore } from '#server/store/open-store.ts';
import { openQueue } from '#server/queue/open-queue.ts';
import type { QueueOptions } from '#server/queue/queue-options.ts';

/** What the test passes as the only argument, as JSON. `hang`: never ends by itself; `crash`: takes the process down. */
export type WorkerOrder = {
  databaseUrl: string | null;
  dataDir: string;
  behaviour: 'run' | 'hang' | 'crash';
  concurrency: number;
} & Pick<QueueOptions, 'retry' | 'lease'>;

const order = JSON.parse(process.argv[2] ?? '') as WorkerOrder;
const say = (text: string) => process.stdout.write(`${text}\n`);
const store = await openStore(order);
const queue = await openQueue({ store, retry: order.retry, lease: order.lease });

await queue.start({
  transcribe: {
    async run({ payload: { transcriptionId }, attempt }, signal) {
      say(`start ${transcriptionId} ${attempt}`);
      if (order.behaviour === 'crash') process.kill(process.pid, 'SIGKILL');
      if (order.behaviour === 'hang') await untilAborted(signal).finally(() => say(`aborted ${transcriptionId}`));
      await sleep(20);
      say(`end ${transcriptionId}`);
    },
    concurrency: order.concurrency,
    onDeadLetter: async (job) => void say(`dead ${job.payload.transcriptionId}`),
  },
  deliver: {
    run: async ({ payload }) => void say(`deliver ${payload.transcriptionId}`),
    concurrency: 1,
    onDeadLetter: async (job) => void say(`dead ${job.payload.transcriptionId}`),
  },
});
say('working');

process.once('SIGTERM', () => {
  void queue
    .drain(0)
    .then(() => queue.close())
    .then(() => store.close())
    .then(() => process.exit(0));
});

async function untilAborted(signal: AbortSignal): Promise<never> {
  const aborted = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => aborted.reject(signal.reason), { once: true });
  return aborted.promise;
}
