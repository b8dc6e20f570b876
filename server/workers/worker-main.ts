import { readdirSync } from 'node:fs';
import { AppError } from '@jyutsing/contracts/errors';
import { loadEngines } from '@jyutsing/engines/registry';
import type { Tracing } from '#telemetry/spans.ts';
import { openTracing } from '#telemetry/tracing.ts';
import type { AnyTask, TaskContext, WorkerSettings } from './define-task.ts';
import { createEngineCache } from './engine-cache.ts';
import { serveTasks } from './pool/serve-tasks.ts';
import type { TaskMessage } from './worker-pools.ts';

// The entry of a worker process: it runs every task of tasks/, each loaded when it is first called.
const names = readdirSync(new URL('./tasks/', import.meta.url)).map((file) => file.replace(/\.ts$/, ''));
let context: TaskContext | null = null;
let tracing: Promise<Tracing> | null = null;

serveTasks(
  Object.fromEntries(
    names.map((name) => [
      name,
      (message, signal, settings, inputs) =>
        runTask(name, message as TaskMessage, signal, settings as WorkerSettings, inputs as AsyncIterable<never>),
    ]),
  ),
);

async function* runTask(
  name: string,
  message: TaskMessage,
  signal: AbortSignal,
  settings: WorkerSettings,
  inputs: AsyncIterable<never>,
): AsyncGenerator<unknown, unknown> {
  context ??= { ...settings, engines: createEngineCache(() => loadEngines(settings)) };
  const task = await loadTask(name);
  if (message.type === 'warm-up') {
    await task.warmUp?.(context, signal);
    return undefined;
  }
  const events = startTask(task, message, signal, context, inputs);
  // Work for no request, such as keeping a voice, is in no trace.
  const { traceparent } = message;
  return yield* traceparent === null ? events : inTrace(`worker ${name}`, traceparent, settings, events);
}

/** Continues the span of the caller in this process, while the events are read. */
async function* inTrace(
  name: string,
  parent: string,
  { traces = null }: WorkerSettings,
  events: AsyncGenerator<unknown, unknown>,
): AsyncGenerator<unknown, unknown> {
  tracing ??= openTracing(traces);
  const { start, flush } = await tracing;
  const span = start(name, { parent });
  let failure: unknown = new AppError('client_closed_request');
  try {
    const result = yield* events;
    failure = undefined;
    return result;
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    span?.end(failure);
    // This process may end at any time.
    void flush();
  }
}

async function* startTask(
  task: AnyTask,
  message: TaskMessage & { type: 'run' },
  signal: AbortSignal,
  context: TaskContext,
  inputs: AsyncIterable<never>,
): AsyncGenerator<unknown, unknown> {
  if (task.kind === 'result') return await task.run(message.input, context, signal);
  if (task.kind === 'duplex') yield* task.run(message.input, inputs, context, signal);
  else yield* task.run(message.input, context, signal);
  return undefined;
}

/** The export of a task's file that is a task. */
async function loadTask(name: string): Promise<AnyTask> {
  const exported = Object.values((await import(`./tasks/${name}.ts`)) as Record<string, AnyTask>);
  const task = exported.find((each) => each.name === name);
  if (task === undefined) throw new AppError('internal_error', `The file of the task ${name} does not export it.`);
  return task;
}
