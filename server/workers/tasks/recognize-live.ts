import type { LiveInput } from '#features/live/live-session.ts';
import type { SerializedError } from '@jyutsing/contracts/errors';
import type { LiveEvent, LiveOptions } from '@jyutsing/contracts/live-recognition';
import { defineDuplexTask } from '#workers/define-task.ts';

/** A message to one of the sessions of a process. */
export type LiveMessage =
  | { session: number; type: 'open'; options: LiveOptions }
  | { session: number; type: 'input'; input: LiveInput }
  | { session: number; type: 'abort' };

/** What a process reports of a session. `alive` shows that it works, while none speaks. */
export type LiveReport =
  | { session: number; type: 'event'; event: LiveEvent }
  | { session: number; type: 'taken'; samples: number }
  | { session: number; type: 'ended' }
  | { session: number; type: 'failed'; error: SerializedError }
  | { type: 'alive' };

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
