import type { LiveInput } from '#features/live/live-session.ts';
import type { SerializedError } from '@jyutsing/contracts/errors';
import type { LiveEvent, LiveOptions } from '@jyutsing/contracts/live-recognition';

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
