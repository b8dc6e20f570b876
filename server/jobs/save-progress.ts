import type { TranscriptionProgress } from '@jyutsing/contracts/transcription';
import { secondsSince } from '#features/transcription/credits.ts';
import type { Store } from '#store/store.ts';
import type { Logger } from '#telemetry/logger.ts';

/**
 * Shows clients that the work goes on, without loading the database: a short recording is finished
 * before its first save.
 */
const SAVE_EVERY_MS = 1_000;
/** Far below the time after which a record without progress is failed. */
const WAITING_HEARTBEAT_MS = 15_000;

export type ProgressSaver = {
  /** Saves the progress within a second, at most once a second; ends the waiting. */
  report(progress: TranscriptionProgress): void;
  /** Seconds since the work began. */
  workedSeconds(): number;
  /** Ends the waiting; resolves when the last save has ended. */
  end(): Promise<void>;
};

/**
 * Saves the progress of a record; until the first report regularly, so that a recording that is
 * downloaded or waits for a worker is not failed. Calls `onGone` when the record is final or
 * deleted, so the work can stop. Call `end` in any case.
 */
export function createProgressSaver(
  id: string,
  { store, logger }: { store: Pick<Store, 'transcriptions'>; logger: Logger },
  onGone: () => void,
): ProgressSaver {
  let last: TranscriptionProgress = { stage: 'queued', processedMs: 0 };
  let startedMs = performance.now();
  let next: NodeJS.Timeout | null = null;
  let saving = Promise.resolve();
  const save = () => {
    next = null;
    saving = store.transcriptions.progress(id, last).then(
      (isOpen) => {
        if (!isOpen) onGone();
      },
      // Does not fail the work: if the database stays away, saving the result fails.
      (cause: unknown) => logger.warn({ transcriptionId: id, cause }, 'failed to save progress'),
    );
  };
  const waiting = setInterval(save, WAITING_HEARTBEAT_MS);
  return {
    report(progress) {
      clearInterval(waiting);
      if (last.stage === 'queued') startedMs = performance.now();
      last = progress;
      next ??= setTimeout(save, SAVE_EVERY_MS);
    },
    workedSeconds: () => secondsSince(startedMs),
    end() {
      clearInterval(waiting);
      if (next !== null) clearTimeout(next);
      return saving;
    },
  };
}
