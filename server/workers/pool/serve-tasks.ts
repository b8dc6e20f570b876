import { collectGarbage } from '@jyutsing/system/collect-garbage';
import { createChannel, type Channel } from '@jyutsing/concurrency/channel';
import { createFlowWindow, type FlowWindow } from '@jyutsing/concurrency/flow-window';
import { AppError, serializeError } from '@jyutsing/contracts/errors';
import { exitWithParent } from './exit-with-parent.ts';
import { ALIVE_EVERY_MS, EVENT_WINDOW, type ChildMessage, type ParentMessage } from './protocol.ts';

/**
 * Does one kind of task in a worker process; its events must survive structured cloning. What it
 * returns, unless undefined, is its last event. `settings` are those of the pool.
 */
type TaskHandler = (
  payload: unknown,
  signal: AbortSignal,
  settings: unknown,
  caller: Caller,
) => AsyncGenerator<unknown, unknown>;

/** `inputs` is what the caller sends while a task runs; `demand` gets what it keeps back. */
export type Caller = { inputs: AsyncIterable<unknown>; demand(): Promise<unknown> };

/** Without work for this long, a process frees the garbage of its last tasks. */
const COLLECT_GARBAGE_AFTER_MS = 2_000;

type RunningTask = {
  taskId: number;
  abort: AbortController;
  inputs: Channel<unknown>;
  /** Events that the parent has not acknowledged. */
  unacknowledged: FlowWindow;
};

/**
 * Turns this process into a worker of the pool that forked it: runs one task after the other, sends
 * events under back-pressure, and never outlives its parent. Call it once, at the end of the entry
 * file.
 */
export function serveTasks(handlers: Readonly<Record<string, TaskHandler>>): void {
  if (process.send === undefined) {
    throw new AppError('internal_error', 'A worker process must be forked by a worker pool.');
  }
  exitWithParent();
  let running: RunningTask | null = null;
  let settings: unknown = null;
  let collectTimer: NodeJS.Timeout | undefined;
  process.on('message', (message: ParentMessage) => {
    if (message.type === 'settings') settings = message.settings;
    else if (message.type === 'run') {
      const task: RunningTask = {
        taskId: message.taskId,
        abort: new AbortController(),
        inputs: createChannel(),
        unacknowledged: createFlowWindow(EVENT_WINDOW - 1),
      };
      running = task;
      clearTimeout(collectTimer);
      const events = handlers[message.kind]?.(message.payload, task.abort.signal, settings, callerOf(task));
      void sendEvents(task, events).then(() => {
        if (running === task) collectTimer = setTimeout(collectGarbage, COLLECT_GARBAGE_AFTER_MS).unref();
      });
    } else if (running === null || running.taskId !== message.taskId) return;
    else if (message.type === 'input') running.inputs.push(message.input);
    else if (message.type === 'acknowledge') running.unacknowledged.take(message.count);
    else {
      running.abort.abort(new AppError('client_closed_request'));
      running.unacknowledged.open();
    }
  });
  send({ type: 'ready' });
}

function callerOf({ taskId, inputs }: RunningTask): Caller {
  return {
    inputs,
    async demand() {
      send({ type: 'demand', taskId });
      return (await inputs.next()).value;
    },
  };
}

/** Sends the events of a task, and then how it ended. */
async function sendEvents(task: RunningTask, events: AsyncGenerator<unknown, unknown> | undefined): Promise<void> {
  const { taskId } = task;
  const alive = setInterval(() => send({ type: 'alive', rssBytes: process.memoryUsage.rss() }), ALIVE_EVERY_MS);
  try {
    if (events === undefined) throw new AppError('internal_error', 'The worker does not know this kind of task.');
    let step = await events.next();
    for (; step.done !== true; step = await events.next()) {
      task.abort.signal.throwIfAborted();
      send({ type: 'event', taskId, event: step.value });
      task.unacknowledged.add(1);
      await task.unacknowledged.waitForRoom();
    }
    send({ type: 'end', taskId, ...(step.value === undefined ? {} : { last: step.value }) });
  } catch (thrown) {
    // Ends a task that was left before its end.
    await events?.return(undefined).catch(() => {});
    send({ type: 'error', taskId, error: serializeError(thrown), trace: traceOf(thrown) });
  } finally {
    clearInterval(alive);
  }
}

/**
 * Name, system code and stack lines of an error, without its message, which may quote a path or the
 * user's content.
 */
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
  // Without a channel the parent is gone and this process is about to end.
  if (process.connected) process.send?.(message, () => {});
}
