import { readdirSync } from 'node:fs';
import { AppError } from '@jyutsing/contracts/errors';
import { loadEngines } from '@jyutsing/engines/registry';
import type { AnyTask, TaskContext, WorkerSettings } from './define-task.ts';
import { createEngineCache } from './engine-cache.ts';
import { serveTasks } from './pool/serve-tasks.ts';
import type { TaskMessage } from './worker-pools.ts';

// The entry of a worker process: it runs every task of tasks/, each loaded when it is first called.
const names = readdirSync(new URL('./tasks/', import.meta.url)).map((file) => file.replace(/\.ts$/, ''));
let context: TaskContext | null = null;

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
): AsyncGenerator<unknown> {
  context ??= { ...settings, engines: createEngineCache(() => loadEngines(settings)) };
  const task = await loadTask(name);
  if (message.type === 'warm-up') await task.warmUp?.(context, signal);
  else if (task.kind === 'stream') yield* task.run(message.input, context, signal);
  else if (task.kind === 'duplex') yield* task.run(message.input, inputs, context, signal);
  else yield await task.run(message.input, context, signal);
}

/** The export of a task's file that is a task. */
async function loadTask(name: string): Promise<AnyTask> {
  const exported = Object.values((await import(`./tasks/${name}.ts`)) as Record<string, AnyTask>);
  const task = exported.find((each) => each.name === name);
  if (task === undefined) throw new AppError('internal_error', `The file of the task ${name} does not export it.`);
  return task;
}
