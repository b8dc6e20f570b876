import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { openQueue } from '#server/queue/open-queue.ts';
import type { QueueClasses } from '#server/queue/queue-class.ts';
import type { Job, JobHandler, JobName, Queue } from '#server/queue/queue.ts';
import type { RetryPolicies } from '#server/queue/retry-policy.ts';
import type { LeaseTiming } from '#server/queue/worker-lease.ts';
import type { Store } from '#server/store/store.ts';
import type { TestedDatabase } from '#testbed/servers/postgres.ts';
import { openTestStore } from '#test/test-store.ts';
import type { WorkerOptions } from './worker-process.ts';

/** Shorter delays than the service has, to keep the tests fast. */
const POLICY = { maxAttempts: 2, maxDeaths: 2, firstDelayMs: 1_000, maxDelayMs: 60_000, outageDelayMs: 50 };
export const RETRY: RetryPolicies = {
  transcribe: POLICY,
  deliver: { ...POLICY, maxAttempts: 4, maxDeaths: 8, firstDelayMs: 50 },
};
/** The lease of a queue that takes the jobs of suspended processes. */
export const SHORT_LEASE = { heartbeatMs: 200, leaseMs: 1_200 };
/** Jobs of living processes are kept, however long these have to wait for a processor. */
const LONG_LEASE = { heartbeatMs: 200, leaseMs: 60_000 };

/** Queues and worker processes on the database of one test. */
export type TestQueues = {
  readonly store: Store;
  /** Errors reported by the queues of this test. */
  readonly errors: unknown[];
  open(lease?: LeaseTiming, classes?: QueueClasses): Promise<Queue>;
  enqueue(queue: Queue, transcriptionId: string, accountId?: string, name?: JobName): Promise<void>;
  startProcess(behavior: WorkerOptions['behavior'], concurrency?: number): WorkerProcess;
};

/**
 * `test` with queues on a database of its own, so that tests can wait at the same time. After the
 * test everything is closed, and no job may be left.
 */
export function queueTest(database: TestedDatabase) {
  return test.extend<{ queues: TestQueues }>({
    // oxlint-disable-next-line no-empty-pattern -- Vitest reads the names of fixtures from it.
    queues: async ({}, use) => {
      const opened = await openTestStore(database);
      const { store, databaseUrl, dataDir } = opened;
      const [queues, processes, errors]: [Queue[], WorkerProcess[], unknown[]] = [[], [], []];
      const onError = (error: unknown) => void errors.push(error);
      await use({
        store,
        errors,
        async open(lease = LONG_LEASE, classes = { own: 'default', byModel: {} }) {
          const queue = await openQueue({ store, retry: RETRY, lease, classes, onError });
          queues.push(queue);
          return queue;
        },
        enqueue: (queue, transcriptionId, accountId = 'account', name = 'transcribe') =>
          store.transaction((transaction) =>
            queue.enqueue(transaction, { name, payload: { transcriptionId }, accountId }),
          ),
        startProcess(behavior, concurrency = 1) {
          const options = { databaseUrl, dataDir, behavior, concurrency, retry: RETRY, lease: LONG_LEASE };
          const process = startProcess('worker-process.ts', options satisfies WorkerOptions);
          processes.push(process);
          return process;
        },
      });
      for (const process of processes) await process.kill();
      for (const queue of queues) await queue.drain(0);
      const left = await totalDepth(queues[0]!);
      for (const queue of queues) await queue.close();
      await opened.close();
      expect(left).toEqual({ waiting: 0, active: 0 });
    },
  });
}

export type QueueTest = ReturnType<typeof queueTest>;

/** Starts a queue with the given handlers; collects dead jobs in `dead`. */
export function work(
  queue: Queue,
  transcribe: JobHandler<'transcribe'>,
  concurrency = 1,
  dead: Job[] = [],
  deliver: JobHandler<'deliver'> = async () => {},
): Promise<void> {
  const onDead = async (job: Job) => void dead.push(job);
  return queue.start({
    transcribe: { run: transcribe, concurrency, onDeadLetter: onDead },
    deliver: { run: deliver, concurrency, onDeadLetter: onDead },
  });
}

/** The numbers of waiting and running jobs, whatever their names. */
export async function totalDepth(queue: Queue): Promise<{ waiting: number; active: number }> {
  const depths = Object.values(await queue.depth());
  return {
    waiting: depths.reduce((sum, { waiting }) => sum + waiting, 0),
    active: depths.reduce((sum, { active }) => sum + active, 0),
  };
}

/** A process on the same database, and the lines that it has printed. */
export type WorkerProcess = {
  lines: string[];
  ended: Promise<unknown>;
  printed(line: string | RegExp): Promise<void>;
  signal(name: NodeJS.Signals): void;
  kill(): Promise<void>;
};

/** Starts a script of this folder with its options as the only argument. */
export function startProcess(script: string, options: object): WorkerProcess {
  const args = [join(import.meta.dirname, script), JSON.stringify(options)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
  });
  const ended = once(child, 'exit');
  return {
    lines,
    ended,
    printed: (line) => vi.waitFor(() => expectPrinted(lines, line), { timeout: 60_000, interval: 5 }),
    signal: (name) => void child.kill(name),
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function expectPrinted(lines: readonly string[], line: string | RegExp): void {
  if (typeof line === 'string') expect(lines).toContain(line);
  else expect(lines.join('\n')).toMatch(line);
}

/**
 * Suspends a process outside of a write: it would keep the lock of SQLite and block all other
 * writers.
 */
export async function stopBetweenWrites(process: WorkerProcess, store: Store): Promise<void> {
  for (;;) {
    process.signal('SIGSTOP');
    const canWrite = await store.transaction(async () => true).catch(() => false);
    if (canWrite) return;
    process.signal('SIGCONT');
    await sleep(20);
  }
}
