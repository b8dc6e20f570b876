import type { ChildProcess } from 'node:child_process';
import { createChannel, type Channel } from '@jyutsing/concurrency/channel';
import { AppError, deserializeError } from '@jyutsing/contracts/errors';
import { openMemory, openProcessorWait } from './process-usage.ts';
import { ACKNOWLEDGE_EVERY, EVENT_WINDOW, type ChildMessage, type ParentMessage } from './protocol.ts';
import { startChild, type StartOptions } from './start-child.ts';
import { brokenLimit, cannotStart, exitError, type TaskLimits } from './task-failures.ts';

/** `supply` gives what the task demands beside its payload. */
export type WorkerTask = { kind: string; payload: unknown; supply?: (() => unknown) | undefined };

/** One task in one process. `settled` resolves once the process is free again or gone. */
export type TaskRun = {
  readonly events: AsyncIterable<unknown>;
  /** Call for each event that was taken, so that the process goes on. */
  acknowledge(): void;
  /** Sends a message to the task; one that is over ignores it. */
  send(input: unknown): void;
  /**
   * Asks the process to stop; `events` throw `reason` from now on, and it is killed if it
   * goes on for 2 s.
   */
  abort(reason: unknown): void;
  readonly settled: Promise<void>;
};

/** A supervised child process that does one task at a time. */
export type WorkerProcess = {
  readonly pid: number | undefined;
  readonly ready: Promise<void>;
  readonly exited: Promise<void>;
  isAlive(): boolean;
  rssBytes(): number;
  begin(task: WorkerTask, limits: TaskLimits): TaskRun;
  /** Closes the channel, at which the process ends by itself; kills it if it does not. */
  stop(reason: AppError): Promise<void>;
};

export type WorkerProcessOptions = StartOptions & {
  /** Sent to the process once; every task handler receives it. Must survive structured cloning. */
  settings?: unknown;
  memoryLimitBytes: number;
  startTimeoutMs: number;
};

const SUPERVISE_EVERY_MS = 200;
const STOP_GRACE_MS = 1_000;
const STDERR_TAIL_CHARACTERS = 2_000;

type Current = {
  taskId: number;
  supply: WorkerTask['supply'];
  limits: TaskLimits;
  startedMs: number;
  lastEventMs: number;
  /** The time at which it was asked to stop; null while it may work. */
  abortedMs: number | null;
  events: Channel<unknown>;
  unacknowledged: number;
  waitsForReader(): boolean;
  consumed: number;
  isOver: boolean;
  settle: () => void;
};

export function startWorkerProcess(options: WorkerProcessOptions): WorkerProcess {
  const child = startChild(options);
  let state: 'starting' | 'ready' | 'ended' = 'starting';
  let reportedRssBytes = 0;
  let stderrTail = '';
  /** Why this side ended the process; null when it ended by itself. */
  let endReason: AppError | null = null;
  let current: Current | null = null;
  let nextTaskId = 1;

  const exited = Promise.withResolvers<void>();
  const ready = Promise.withResolvers<void>();
  // A failed start must not count as an unhandled rejection; the next task reports it.
  ready.promise.catch(() => {});

  const kill = (reason: AppError) => {
    endReason ??= reason;
    child.kill('SIGKILL');
  };
  send(child, { type: 'settings', settings: options.settings ?? null });
  const startTimer = setTimeout(() => kill(cannotStart('it was not ready in time')), options.startTimeoutMs);
  const memory = openMemory(child.pid);
  const rssBytes = () => memory?.residentBytes() ?? reportedRssBytes;
  const processorWait = openProcessorWait(child.pid);
  const supervisor = setInterval(() => {
    if (current === null) return;
    const run = { ...current, waitedForProcessorMs: processorWait(current.lastEventMs) };
    const reason = brokenLimit(run, rssBytes(), options.memoryLimitBytes);
    if (reason !== null) kill(reason);
  }, SUPERVISE_EVERY_MS).unref();

  const handleExit = (failure: AppError) => {
    if (state === 'ended') return;
    state = 'ended';
    clearTimeout(startTimer);
    clearInterval(supervisor);
    memory?.[Symbol.dispose]();
    ready.reject(failure);
    if (current !== null) fail(current, failure);
    current = null;
    exited.resolve();
  };
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderrTail = (stderrTail + text).slice(-STDERR_TAIL_CHARACTERS);
  });
  child.on('error', (cause) => handleExit(endReason ?? cannotStart(cause)));
  child.on('exit', (...end) => handleExit(endReason ?? exitError(end, state === 'ready', stderrTail)));
  child.on('message', (message: ChildMessage) => {
    if (message.type === 'ready') {
      clearTimeout(startTimer);
      state = 'ready';
      ready.resolve();
    } else if (message.type === 'alive') reportedRssBytes = message.rssBytes;
    else if (current === null || message.taskId !== current.taskId) return;
    else if (message.type === 'demand')
      send(child, { type: 'input', taskId: current.taskId, input: current.supply?.() });
    else if (receive(current, message)) current = null;
  });

  return {
    pid: child.pid,
    ready: ready.promise,
    exited: exited.promise,
    isAlive: () => state !== 'ended',
    rssBytes,
    begin(task, limits) {
      const settled = Promise.withResolvers<void>();
      const run = newTask(nextTaskId++, task, limits, settled.resolve);
      if (state !== 'ended') {
        current = run;
        send(child, { type: 'run', taskId: run.taskId, kind: task.kind, payload: task.payload });
      } else fail(run, endReason ?? new AppError('service_unavailable'));
      return handleOf(run, child, settled.promise);
    },
    async stop(reason) {
      if (state === 'ended') return;
      endReason ??= reason;
      if (child.connected) child.disconnect();
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_GRACE_MS);
      await exited.promise;
      clearTimeout(timer);
    },
  };
}

function newTask(taskId: number, { supply }: WorkerTask, limits: TaskLimits, settle: () => void): Current {
  const nowMs = performance.now();
  const task: Current = {
    taskId,
    supply,
    limits,
    startedMs: nowMs,
    lastEventMs: nowMs,
    abortedMs: null,
    events: createChannel(),
    unacknowledged: 0,
    waitsForReader: () => task.unacknowledged >= EVENT_WINDOW,
    consumed: 0,
    isOver: false,
    settle,
  };
  return task;
}

function handleOf(run: Current, child: ChildProcess, settled: Promise<void>): TaskRun {
  return {
    settled,
    events: run.events,
    acknowledge: () => countConsumed(run, child),
    send(input) {
      if (!run.isOver) send(child, { type: 'input', taskId: run.taskId, input });
    },
    abort(reason) {
      if (!run.isOver && run.abortedMs === null) {
        run.abortedMs = performance.now();
        send(child, { type: 'abort', taskId: run.taskId });
      }
      run.events.abort(reason);
    },
  };
}

function countConsumed(run: Current, child: ChildProcess): void {
  run.consumed += 1;
  if (run.consumed < ACKNOWLEDGE_EVERY || run.isOver) return;
  send(child, { type: 'acknowledge', taskId: run.taskId, count: run.consumed });
  run.unacknowledged -= run.consumed;
  run.consumed = 0;
  run.lastEventMs = performance.now();
}

/** Handles a message of the current task; true when the task is over. */
function receive(run: Current, message: Extract<ChildMessage, { type: 'event' | 'end' | 'error' }>): boolean {
  run.lastEventMs = performance.now();
  if (message.type === 'event') {
    run.unacknowledged += 1;
    run.events.push(message.event);
    return false;
  }
  if (message.type === 'end') {
    if ('last' in message) run.events.push(message.last);
    run.events.close();
    finish(run);
  } else {
    const failure = deserializeError(message.error);
    if (message.trace !== null) failure.cause = message.trace;
    fail(run, failure);
  }
  return true;
}

function fail(run: Current, failure: AppError): void {
  run.events.fail(failure);
  finish(run);
}

function finish(run: Current): void {
  run.isOver = true;
  run.settle();
}

function send(child: ChildProcess, message: ParentMessage): void {
  // With a closed channel the exit event follows and ends the task.
  if (child.connected) child.send(message, () => {});
}
