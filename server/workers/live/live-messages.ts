import type { SpeechCorrection } from '#features/live/live-context.ts';
import type { LiveInput } from '#features/live/live-session.ts';
import type { SerializedError } from '@jyutsing/contracts/errors';
import type { LiveEvent, LiveRequest } from '@jyutsing/contracts/live-recognition';
import type { Segment } from '@jyutsing/contracts/transcript';

/** A message to one of the sessions of a process. */
export type LiveMessage =
  | { session: number; type: 'open'; request: LiveRequest }
  | { session: number; type: 'input'; input: LiveInput }
  /** The answer to `correct`. */
  | { session: number; type: 'corrected'; correction: number; segment: Segment | null }
  | { session: number; type: 'abort' };

/**
 * The reports of a process about a session. `alive` shows that the process works while no session
 * speaks.
 */
export type LiveReport =
  | { session: number; type: 'event'; event: LiveEvent }
  | { session: number; type: 'taken'; samples: number }
  /** Answered with `corrected`. */
  | { session: number; type: 'correct'; correction: number; call: SpeechCorrection }
  | { session: number; type: 'ended' }
  | { session: number; type: 'failed'; error: SerializedError }
  | { type: 'alive' };
