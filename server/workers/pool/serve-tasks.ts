import { Worker } from 'node:worker_threads';
import { AppError, serializeError } from '@jyutsing/contracts/errors';
import { ALIVE_EVERY_MS, EVENT_WINDOW, type ChildMessage, type ParentMessage } from './protocol.ts';

/** Does one kind of task in a worker process; what it yields must survive structured cloning. */
export type TaskHandler = (payload: unknown, signal: AbortSignal) => AsyncIterable<unknown>;

type RunningTask = { taskId: number; abort: AbortController; unacknowledged: number; resume: (() => void) | null };

/**
 * DeadlineScheduler this process into a worker of the pool that forked it: takes one task after the other, sends events under
 * back-pressure, and never outlives its parent. Call it once, at the end of the entry file.
 */
export function serveTasks(handlers: Readonly<Record<string, TaskHandler>>): void {
  if (process.send === undefined) {
    throw new AppError('internal_error', 'A worker process must be forked by a worker pool.');
  }
  dieWithParent();
  let running: RunningTask | null = null;
  process.on('message', (message: ParentMessage) => {
    if (message.type === 'run') {
      const task: RunningTask = {
        taskId: message.taskId,
        abort: new AbortController(),
        unacknowledged: 0,
        resume: null,
      };
      running = task;
      void runTask(task, handlers[message.kind], message.payload);
      return;
    }
    if (running === null || running.taskId !== message.taskId) return;
    if (message.type === 'acknowledge') running.unacknowledged -= message.count;
    else running.abort.abort(new AppError('client_closed_request'));
    running.resume?.();
  });
  send({ type: 'ready' });
}

async function runTask(task: RunningTask, handler: TaskHandler | undefined, payload: unknown): Promise<void> {
  const { taskId } = task;
  const alive = setInterval(() => send({ type: 'alive', rssBytes: process.memoryUsage.rss() }), ALIVE_EVERY_MS);
  try {
    if (handler === undefined) throw new AppError('internal_error', 'The worker does not know this kind of task.');
    for await (const event of handler(payload, task.abort.signal)) {
      task.abort.signal.throwIfAborted();
      send({ type: 'event', taskId, event });
      task.unacknowledged += 1;
      while (task.unacknowledged >= EVENT_WINDOW && !task.abort.signal.aborted) {
        await new Promise<void>((resolve) => {
          task.resume = resolve;
        });
      }
    }
    send({ type: 'end', taskId });
  } catch (thrown) {
    send({ type: 'error', taskId, error: serializeError(thrown), trace: traceOf(thrown) });
  } finally {
    clearInterval(alive);
  }
}

/** Name, system code and stack lines of an error. Its message stays here: it may quote a path or the user's content. */
function traceOf(thrown: unknown): string | null {
  if (!(thrown instanceof Error)) return null;
  const { cause } = thrown;
  if (thrown instanceof AppError && cause === undefined) return null;
  if (thrown instanceof AppError) return traceOf(cause);
  const code = 'code' in thrown && typeof thrown.code === 'string' ? ` ${thrown.code}` : '';
  const lines = (thrown.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return `${thrown.name}${code}\n${lines.slice(0, 12).join('\n')}`;
}

function send(message: ChildMessage): void {
  // Without a channel the parent is gone and this process is about to end; there is nobody to tell.
  if (process.connected) process.send?.(message, () => {});
}

/**
 * Ends this process when its parent is gone, also when the parent was killed and this process is inside native code:
 * then no event handler runs here, so a thread of its own watches. Otherwise a stuck decoder would hold its memory for ever.
 */
function dieWithParent(): void {
  process.on('disconnect', () => process.exit(0));
  // Ctrl-C reaches the whole process group; the parent decides when its workers end, so that it can drain.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => {});
  const watchdog = new Worker(
    `const parent = ${process.ppid};
     setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL'); }, 500);`,
    {
      eval: true,
      stdin: false,
      // Node itself would load its proxy support for NODE_USE_ENV_PROXY here, which does not fit into so little memory.
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 },
    },
  );
  watchdog.unref();
}
