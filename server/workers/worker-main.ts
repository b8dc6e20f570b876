import { readdirSync } from 'node:fs';
import { AppError } from '@jyutsing/contracts/errors';
import { enginesIn } from '@jyutsing/engines/registry';
import type { Tracing } from '#telemetry/spans.ts';
import { openTracing } from '#telemetry/tracing.ts';
import type { AnyTask, TaskContext, WorkerSettings } from './define-task.ts';
import { createEngineCache } from './engine-cache.ts';
import { serveTasks, type Caller } from './pool/serve-tasks.ts';
import type { TaskMessage } from './worker-pools.ts';

// The entry of a worker process: it runs every task of tasks/, each loaded when it is first called.
const names = readdirSync(new URL('./tasks/', import.meta.url)).map((file) => file.replace(/\.ts$/, ''));
let context: TaskContext | null = null;
let tracing: Promise<Tracing> | null = null;

serveTasks(
  Object.fromEntries(
    names.map((name) => [
      name,
      (message, signal, settings, caller) =>
        runTask(name, message as TaskMessage, signal, settings as WorkerSettings, caller),
    ]),
  ),
);

async function* runTask(
  name: string,
  message: TaskMessage,
  signal: AbortSignal,
  settings: WorkerSettings,
  caller: Caller,
): AsyncGenerator<unknown, unknown> {
  context ??= { ...settings, engines: createEngineCache(enginesIn(settings)) };
  const task = await loadTask(name);
  if (message.type === 'warm-up') {
    await task.warmUp?.(context, signal);
    return undefined;
  }
  const endSpan = await startSpan(`worker ${name}`, message.traceparent, settings);
  let failure: unknown = new AppError('client_closed_request');
  try {
    const { input } = message;
    let result: unknown;
    if (task.kind === 'result') result = await task.run(input, context, signal);
    else if (task.kind === 'duplex') yield* task.run(input, caller.inputs as AsyncIterable<never>, context, signal);
    else yield* task.run(input, context, signal, caller.demand as () => Promise<never>);
    failure = undefined;
    return result;
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    endSpan(failure);
  }
}

/**
 * Continues the span of the caller in this process; returns what ends it. Work for no request, such
 * as keeping a voice, is in no trace.
 */
async function startSpan(
  name: string,
  parent: string | null,
  { traces = null }: WorkerSettings,
): Promise<(failure: unknown) => void> {
  if (parent === null) return () => {};
  tracing ??= openTracing(traces);
  const { start, flush } = await tracing;
  const span = start(name, { parent });
  return (failure) => {
    span?.end(failure);
    // This process may end at any time.
    void flush();
  };
}

/** The export of a task's file that is a task. */
async function loadTask(name: string): Promise<AnyTask> {
  const exported = Object.values((await import(`./tasks/${name}.ts`)) as Record<string, AnyTask>);
  const task = exported.find((candidate) => candidate.name === name);
  if (task === undefined) throw new AppError('internal_error', `The file of the task ${name} does not export it.`);
  return task;
}
