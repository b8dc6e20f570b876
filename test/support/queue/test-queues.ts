import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import { openQueue } from '#server/queue/open-queue.ts';
import type { QueueClasses } from '#server/queue/queue-class.ts';
import type { Job, JobHandler, JobName, Queue } from '#server/queue/queue.ts';
import type { RetryPolicies } from '#server/queue/retry-policy.ts';
import type { LeaseTiming } from '#server/queue/worker-lease.ts';
import type { Store } from '#server/store/store.ts';
import type { TestedDatabase } from '#testbed/servers/postgres.ts';
import { openTestStore, type TestStore } from '#test/test-store.ts';
import type { WorkerOptions } from './worker-process.ts';

/** Shorter delays than the service has, to keep the tests fast. */
const POLICY = { maxAttempts: 2, maxDeaths: 3, firstDelayMs: 1_000, maxDelayMs: 60_000, outageDelayMs: 50 };
export const RETRY: RetryPolicies = {
  transcribe: POLICY,
  deliver: { ...POLICY, maxAttempts: 4, maxDeaths: 8, firstDelayMs: 50 },
};
/** For a queue that takes the jobs of suspended processes. */
export const SHORT_LEASE = { heartbeatMs: 200, leaseMs: 1_200 };
/** Jobs of living processes are kept, however long these have to wait for a processor. */
const LONG_LEASE = { heartbeatMs: 200, leaseMs: 60_000 };

/**
 * Queues and worker processes on one database. Closes everything after each test and checks that no
 * job is left.
 */
export type TestQueues = {
  readonly store: Store;
  /** Errors reported by the queues of this test. */
  readonly errors: unknown[];
  open(lease?: LeaseTiming, classes?: QueueClasses): Promise<Queue>;
  enqueue(queue: Queue, transcriptionId: string, accountId?: string, name?: JobName): Promise<void>;
  startProcess(behavior: WorkerOptions['behavior'], concurrency?: number): WorkerProcess;
};

/** Registers the hooks of the surrounding `describe`. */
export function useTestQueues(database: TestedDatabase): TestQueues {
  let opened: TestStore;
  let store: Store;
  let queues: Queue[] = [];
  let processes: WorkerProcess[] = [];
  let errors: unknown[] = [];

  beforeAll(async () => {
    opened = await openTestStore(database);
    ({ store } = opened);
  });
  beforeEach(() => {
    [queues, processes, errors] = [[], [], []];
  });
  afterEach(async () => {
    for (const process of processes) await process.kill();
    for (const queue of queues) await queue.close();
    await expectNothingLeft(store);
  });
  afterAll(() => opened.close());

  return {
    get store() {
      return store;
    },
    get errors() {
      return errors;
    },
    async open(lease = LONG_LEASE, classes = { own: 'default', byModel: {} }) {
      const queue = await openQueue({ store, retry: RETRY, lease, classes, onError: (error) => errors.push(error) });
      queues.push(queue);
      return queue;
    },
    enqueue: (queue, transcriptionId, accountId = 'account', name = 'transcribe') =>
      store.transaction((transaction) => queue.enqueue(transaction, { name, payload: { transcriptionId }, accountId })),
    startProcess(behavior, concurrency = 1) {
      const { databaseUrl, dataDir } = opened;
      const options: WorkerOptions = { databaseUrl, dataDir, behavior, concurrency, retry: RETRY, lease: LONG_LEASE };
      const process = startProcess('worker-process.ts', options);
      processes.push(process);
      return process;
    },
  };
}

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

async function expectNothingLeft(store: Store): Promise<void> {
  const queue = await openQueue({ store });
  expect(await totalDepth(queue)).toEqual({ waiting: 0, active: 0 });
  await queue.close();
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
    printed: (line) => vi.waitFor(() => expectPrinted(lines, line), { timeout: 20_000, interval: 5 }),
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
