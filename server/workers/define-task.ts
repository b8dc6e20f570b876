import type { EngineEnv } from '@jyutsing/contracts/engine';
import type { AudioLimits } from '@jyutsing/audio/probe';
import type { TraceSettings } from '#telemetry/spans.ts';
import type { EngineCache } from './engine-cache.ts';

/**
 * `interactive`: short work that a person waits for. `batch`: work on whole recordings, which may
 * take hours. `live`: work that goes on as long as its sound arrives; `decoding`: the same for one
 * stream alone; `correction`: short work on the text of live sound. Tasks of one pool never wait
 * for tasks of another.
 */
export type PoolName = 'interactive' | 'batch' | 'live' | 'decoding' | 'correction';

/** The part of the configuration that tasks need; sent to a worker process once, when it starts. */
export type WorkerSettings = {
  env: EngineEnv;
  enginesDir: string;
  limits: AudioLimits;
  /** A task of a worker process must yield an event at least this often. */
  silenceTimeoutMs: number;
  /** Time limit for the correction of one chunk of a transcript. */
  fusionChunkBudgetMs: number;
  /** Models (or engines, or "auto") of requests that name none; warm-ups load them. */
  defaultModels: { recognizer: string; synthesizer: string };
  /** The export of traces; null or absent switches it off. */
  traces?: TraceSettings | null;
};

/** The settings and the engine cache of the process in which a task runs. */
export type TaskContext = WorkerSettings & { engines: EngineCache };

type TaskOptions<Output> = {
  /** The name of its file in tasks/, by which a worker process finds it. */
  name: string;
  pool: PoolName;
  /** From the start of the work to its end; the task fails with `timed_out` after it. */
  timeoutMs: number | ((settings: WorkerSettings) => number);
  /**
   * Longest time without an event. Absent: `timeoutMs` for a single result, the configured value
   * for a stream.
   */
  silenceTimeoutMs?: (settings: WorkerSettings) => number;
  /** Loads the models and dictionaries that the first call would otherwise wait for. */
  warmUp?: (context: TaskContext, signal: AbortSignal) => Promise<void>;
  /**
   * Input and output must survive structured cloning. Imports heavy modules dynamically: the server
   * imports every task that it calls. An aborted signal ends it by throwing its reason.
   */
  run: Output;
};

/** Work with one result. */
export type Task<Input, Result> = { kind: 'result' } & TaskOptions<
  (input: Input, context: TaskContext, signal: AbortSignal) => Promise<Result>
>;

/**
 * Work that yields events while it goes on, under back-pressure. `demand` gets the part of the
 * input that the caller keeps back, because a process may have it from earlier calls.
 */
export type StreamTask<Input, Event, Supply = undefined> = { kind: 'stream' } & TaskOptions<
  (input: Input, context: TaskContext, signal: AbortSignal, demand: () => Promise<Supply>) => AsyncIterable<Event>
>;

/** Work that goes on while messages arrive; it ends by itself. */
export type DuplexTask<Input, Message, Event> = { kind: 'duplex' } & TaskOptions<
  (input: Input, messages: AsyncIterable<Message>, context: TaskContext, signal: AbortSignal) => AsyncIterable<Event>
>;

export type AnyTask = Task<never, unknown> | StreamTask<never, unknown, never> | DuplexTask<never, never, unknown>;

/** Declares work for a worker process; `WorkerPools.run` derives the caller's types from it. */
export function defineTask<Input, Result>(task: Omit<Task<Input, Result>, 'kind'>): Task<Input, Result> {
  return { kind: 'result', ...task };
}

/**
 * Declares streaming work for a worker process; `WorkerPools.stream` derives the caller's types
 * from it.
 */
export function defineStreamTask<Input, Event, Supply = undefined>(
  task: Omit<StreamTask<Input, Event, Supply>, 'kind'>,
): StreamTask<Input, Event, Supply> {
  return { kind: 'stream', ...task };
}

/**
 * Declares work that takes messages while it runs; `WorkerPools.connect` derives the caller's types
 * from it.
 */
export function defineDuplexTask<Input, Message, Event>(
  task: Omit<DuplexTask<Input, Message, Event>, 'kind'>,
): DuplexTask<Input, Message, Event> {
  return { kind: 'duplex', ...task };
}
