import { AppError } from '@jyutsing/contracts/errors';
import type { Store } from '#store/store.ts';
import { DEFAULT_CLASS } from './queue-class.ts';
import type { QueueOptions } from './queue-options.ts';
import type { Queue } from './queue.ts';
import { DEFAULT_RETRY_POLICIES } from './retry-policy.ts';
import { openSqliteQueue } from './sqlite-queue.ts';
import { DEFAULT_LEASE_TIMING } from './worker-lease.ts';

/**
 * Opens the queue in the database of the store: job rows in SQLite, pg-boss in PostgreSQL. Both
 * drivers pass the same tests.
 */
export async function openQueue({ store, ...options }: { store: Store } & Partial<QueueOptions>): Promise<Queue> {
  const filled: QueueOptions = {
    retry: options.retry ?? DEFAULT_RETRY_POLICIES,
    lease: options.lease ?? DEFAULT_LEASE_TIMING,
    classes: options.classes ?? { own: DEFAULT_CLASS, byModel: {} },
    traceparent: options.traceparent ?? (() => null),
    onError: options.onError ?? warn,
  };
  return keepTraces(await openDriver(store, filled), filled);
}

/** Jobs continue the trace of the request, or of the job, that enqueued them. */
function keepTraces(queue: Queue, { traceparent }: QueueOptions): Queue {
  return {
    ...queue,
    enqueue(transaction, job) {
      const parent = traceparent();
      const payload = parent === null ? job.payload : { ...job.payload, traceparent: parent };
      return queue.enqueue(transaction, { ...job, payload });
    },
  };
}

async function openDriver(store: Store, filled: QueueOptions): Promise<Queue> {
  if (store.dialect === 'sqlite') return openSqliteQueue(store, filled);
  if (store.databaseUrl === null)
    throw new AppError('internal_error', undefined, { cause: 'the PostgreSQL store has no database URL' });
  // Imported only when needed: the embedded service never loads pg-boss.
  const { openPgBossQueue } = await import('./pg-boss-queue.ts');
  return openPgBossQueue(store, store.databaseUrl, filled);
}

function warn(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error));
}
