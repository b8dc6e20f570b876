import { AppError } from '@jyutsing/contracts/errors';
import { launch, type Confinement } from './confinement.ts';
import type { AnyTask, DuplexTask, PoolName, StreamTask, Task, WorkerSettings } from './define-task.ts';
import { createWorkerPool, type PoolStats, type TaskConnection } from './pool/worker-pool.ts';

/** The message with which a worker process receives a task. */
export type TaskMessage = { type: 'run'; input: never; traceparent: string | null } | { type: 'warm-up' };

export type WorkerPoolsOptions = {
  /** The most processes that do the same task at a time. */
  count: number;
  memoryLimitBytes: number;
  /** A process without work for this long ends, and its models leave memory. */
  modelIdleMs: number;
  /** Whether a process without models is kept for interactive tasks. */
  interactive: boolean;
  /** Tasks whose models are loaded at the start, one after the other. */
  warmUp: readonly AnyTask[];
  settings: WorkerSettings;
  /** If it is absent, they have the environment, network and files of this process. */
  confinement?: Confinement | undefined;
  /** The span that tasks continue; absent: none. */
  traceparent?: () => string | null;
};

/**
 * Decoding, recognition and synthesis in supervised processes: native code that crashes, hangs or
 * takes too much memory ends one request. Interactive tasks and whole recordings have separate
 * processes, so that a recording of hours never delays a score, a probe or a voice.
 */
export type WorkerPools = {
  /** Resolves when work can be taken; models may still be loading. */
  readonly ready: Promise<void>;
  /** Runs a task with one result. Throws what it throws; an aborted signal throws its reason. */
  run<Input, Result>(task: Task<Input, Result>, input: Input, signal?: AbortSignal): Promise<Result>;
  /**
   * Runs a task that yields events. `supply` gives what the task demands beside its input. Throws
   * what the task throws; an aborted signal throws its reason.
   */
  stream<Input, Event, Supply = undefined>(
    task: StreamTask<Input, Event, Supply>,
    input: Input,
    signal: AbortSignal,
    supply?: () => Supply,
  ): AsyncIterable<Event>;
  /**
   * Starts a task that takes messages; resolves once a process has it. Its events throw what it
   * throws; an aborted signal throws its reason.
   */
  connect<Input, Message, Event>(
    task: DuplexTask<Input, Message, Event>,
    input: Input,
    signal: AbortSignal,
  ): Promise<{ send(message: Message): void; readonly events: AsyncIterable<Event> }>;
  stats(): Record<PoolName, PoolStats>;
  close(): Promise<void>;
};

const START_TIMEOUT_MS = 30_000;
/** Compressed live streams at a time: each has a process, so that a hostile one harms no other. */
export const MAX_DECODED_STREAMS = 16;
/** The memory limit of a process that only decodes. */
const DECODING_MEMORY_BYTES = 256 * 1024 ** 2;

export function createWorkerPools(options: WorkerPoolsOptions): WorkerPools {
  const { count, memoryLimitBytes, modelIdleMs, interactive, warmUp, settings, confinement } = options;
  const { traceparent = () => null } = options;
  const runMessage = (input: unknown): TaskMessage => {
    return { type: 'run', input: input as never, traceparent: traceparent() };
  };
  const common = {
    entry: new URL('./worker-main.ts', import.meta.url),
    settings,
    ...launch(confinement),
    memoryLimitBytes,
    startTimeoutMs: START_TIMEOUT_MS,
    idleTimeoutMs: modelIdleMs,
    maxPerKind: count,
  };
  // One process more than a kind of task may take: a probe never waits for speech, nor a voice for
  // scores. One without models is kept: no first request, or live session, waits for its start.
  const interactivePool = createWorkerPool({ ...common, size: count + 1, spare: interactive ? 1 : 0, niceness: 10 });
  const pools = {
    interactive: interactivePool,
    batch: createWorkerPool({ ...common, size: count, spare: 0, niceness: 15 }),
    live: createWorkerPool({ ...common, size: count, spare: 0, niceness: 10, lender: interactivePool }),
    correction: createWorkerPool({ ...common, size: 1, maxPerKind: 1, spare: 0, niceness: 10 }),
    decoding: createWorkerPool({
      ...common,
      ...launch(confinement, false),
      settings: withoutKeys(settings),
      memoryLimitBytes: Math.min(memoryLimitBytes, DECODING_MEMORY_BYTES),
      size: MAX_DECODED_STREAMS,
      maxPerKind: MAX_DECODED_STREAMS,
      spare: 0,
      niceness: 10,
    }),
  };
  const shutdown = new AbortController();

  const plan = (task: AnyTask, message: TaskMessage, signal: AbortSignal, supply?: () => unknown) => {
    const timeLimitMs = typeof task.timeoutMs === 'number' ? task.timeoutMs : task.timeoutMs(settings);
    const defaultSilenceMs = task.kind === 'result' ? timeLimitMs : settings.silenceTimeoutMs;
    const silenceTimeoutMs = task.silenceTimeoutMs?.(settings) ?? defaultSilenceMs;
    const work = { kind: task.name, payload: message, supply };
    return [work, { signal, silenceTimeoutMs, timeLimitMs }] as const;
  };
  const start = (...started: Parameters<typeof plan>): AsyncIterable<unknown> =>
    pools[started[0].pool].run(...plan(...started));
  // A model that cannot be loaded fails its own requests with a reason, and nothing else.
  const loadModels = async (task: AnyTask) => {
    await drain(start(task, { type: 'warm-up' }, shutdown.signal)).catch(() => {});
  };

  const { ready } = pools.interactive;
  // A caller that closes the pools early need not have waited for them.
  ready.catch(() => {});
  void (async () => {
    for (const task of warmUp) await loadModels(task);
  })();

  return {
    ready,
    async run<Input, Result>(task: Task<Input, Result>, input: Input, signal = shutdown.signal) {
      const [result] = await drain(start(task as AnyTask, runMessage(input), signal));
      return result as Result;
    },
    stream<Input, Event, Supply>(
      task: StreamTask<Input, Event, Supply>,
      input: Input,
      signal: AbortSignal,
      supply?: () => Supply,
    ) {
      return start(task as AnyTask, runMessage(input), signal, supply) as AsyncIterable<Event>;
    },
    async connect<Input, Message, Event>(task: DuplexTask<Input, Message, Event>, input: Input, signal: AbortSignal) {
      const planned = plan(task as AnyTask, runMessage(input), signal);
      const connection: TaskConnection = await pools[task.pool].connect(...planned);
      return { send: connection.send, events: connection.events as AsyncIterable<Event> };
    },
    stats() {
      const all = Object.entries(pools).map(([name, pool]) => [name, pool.stats()]);
      return Object.fromEntries(all) as Record<PoolName, PoolStats>;
    },
    async close() {
      shutdown.abort(new AppError('service_unavailable'));
      await Promise.all(Object.values(pools).map((pool) => pool.close()));
    },
  };
}

/** The settings of processes that only decode: without the keys of other servers. */
function withoutKeys(settings: WorkerSettings): WorkerSettings {
  return { ...settings, env: { ...settings.env, settings: {} }, traces: null };
}

async function drain(events: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const event of events) all.push(event);
  return all;
}
