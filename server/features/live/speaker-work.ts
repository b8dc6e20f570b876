import type { SpeakerTurn } from '@jyutsing/contracts/diarizer';
import type { LiveOptions } from '@jyutsing/contracts/live-recognition';
import { withinTime } from '@jyutsing/concurrency/within-time';
import type { LiveContext } from './live-context.ts';
import { createLiveSpeakers, type LiveSpeakers } from './live-speakers.ts';

/** A text does not wait longer for its speakers, who are then those of the search before. */
const TELL_WITHIN_MS = 2_000;

export type SpeakerWork = {
  /** Takes all sound of the session; `atMs` is where it begins. */
  hear(samples: Float32Array, diarizer: LiveOptions['diarizer'], atMs: number): void;
  /** Looks for the speakers of all sound so far; resolves in any case, after a while. */
  find(): Promise<void>;
  /** The turns so far; null where speakers are not told apart. */
  turns(): readonly SpeakerTurn[] | null;
};

/** The speakers of a session whose options ask for them; one search at a time. */
export function createSpeakerWork({ open }: Pick<LiveContext, 'open'>, signal: AbortSignal): SpeakerWork {
  let speakers: LiveSpeakers | null = null;
  let searching = Promise.resolve();
  let waiting: Promise<void> | null = null;
  return {
    hear(samples, diarizer = null, atMs) {
      if (diarizer === null) speakers = null;
      else speakers ??= createLiveSpeakers(() => open(diarizer), atMs);
      speakers?.hear(samples);
    },
    async find() {
      const current = speakers;
      if (current === null) return;
      const search = async () => {
        waiting = null;
        // A failed one changes nothing.
        await current.find(signal).catch(() => {});
      };
      // A search that runs has not heard the last sound; one that still waits will hear it.
      waiting ??= searching.then(search);
      searching = waiting;
      await withinTime(waiting, TELL_WITHIN_MS, () => {});
    },
    turns: () => speakers?.turns() ?? null,
  };
}
