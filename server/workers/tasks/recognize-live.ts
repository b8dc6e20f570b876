import { defineDuplexTask } from '#workers/define-task.ts';
import type { LiveMessage, LiveReport } from '#workers/live/live-messages.ts';

/** Runs any number of live sessions in one process; ends when it is aborted. */
export const recognizeLive = defineDuplexTask({
  name: 'recognize-live',
  pool: 'live',
  timeoutMs: Infinity,
  async *run(_input: null, messages: AsyncIterable<LiveMessage>, { engines }, signal): AsyncGenerator<LiveReport> {
    const { hostLiveSessions } = await import('#workers/live/host-sessions.ts');
    yield* hostLiveSessions(messages, engines.open, signal);
  },
});
