// A worker process for tests that kill, suspend or crash it. Prints one line per event.
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore } from '#server/store/open-store.ts';
import { openQueue } from '#server/queue/open-queue.ts';
import type { QueueOptions } from '#server/queue/queue-options.ts';

/**
 * The only argument, as JSON. `hang`: jobs never end by themselves; `crash`: jobs kill the process.
 */
export type WorkerOptions = {
  databaseUrl: string | null;
  dataDir: string;
  behavior: 'run' | 'hang' | 'crash';
  concurrency: number;
} & Pick<QueueOptions, 'retry' | 'lease'>;

const options = JSON.parse(process.argv[2] ?? '') as WorkerOptions;
const print = (text: string) => process.stdout.write(`${text}\n`);
const store = await openStore(options);
const queue = await openQueue({ store, retry: options.retry, lease: options.lease });

await queue.start({
  transcribe: {
    async run({ payload: { transcriptionId }, attempt }, signal) {
      print(`start ${transcriptionId} ${attempt}`);
      if (options.behavior === 'crash') process.kill(process.pid, 'SIGKILL');
      if (options.behavior === 'hang') await untilAborted(signal).finally(() => print(`aborted ${transcriptionId}`));
      await sleep(20);
      print(`end ${transcriptionId}`);
    },
    concurrency: options.concurrency,
    onDeadLetter: async (job) => void print(`dead ${job.payload.transcriptionId}`),
  },
  deliver: {
    run: async ({ payload }) => void print(`deliver ${payload.transcriptionId}`),
    concurrency: 1,
    onDeadLetter: async (job) => void print(`dead ${job.payload.transcriptionId}`),
  },
});
print('working');

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
