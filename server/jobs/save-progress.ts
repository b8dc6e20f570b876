import type { TranscriptionProgress } from '@jyutsing/contracts/transcription';
import { secondsSince } from '#features/transcription/transcribe.ts';
import type { Store } from '#store/store.ts';
import type { Logger } from '#telemetry/logger.ts';

/** Shows clients that the work goes on, without loading the database. */
const SAVE_EVERY_MS = 1_000;
/** Far below the time after which a record without progress is failed. */
const WAITING_HEARTBEAT_MS = 15_000;

type ProgressSaver = {
  /** Saves the progress at once in a new stage, otherwise about once a second. */
  report(progress: TranscriptionProgress): void;
  /**
   * Passes events on; until the first, saves regularly, so a recording waiting for a worker is not
   * failed.
   */
  whileWaiting<Event>(events: AsyncIterable<Event>): AsyncIterable<Event>;
  /** Seconds since the work began. */
  workedSeconds(): number;
  /** Resolves when the last save has ended. */
  saved(): Promise<void>;
};

/**
 * Saves the progress of a record; calls `onGone` when the record is final or deleted, so the work
 * can stop.
 */
export function createProgressSaver(
  id: string,
  { store, logger }: { store: Pick<Store, 'transcriptions'>; logger: Logger },
  onGone: () => void,
): ProgressSaver {
  let last: TranscriptionProgress = { stage: 'queued', processedMs: 0 };
  let startedMs = performance.now();
  let savedAtMs = 0;
  let saving = Promise.resolve();
  const save = () => {
    saving = store.transcriptions.progress(id, last).then(
      (isOpen) => {
        if (!isOpen) onGone();
      },
      // Does not fail the work: if the database stays away, saving the result fails.
      (cause: unknown) => logger.warn({ transcriptionId: id, cause }, 'failed to save progress'),
    );
  };
  return {
    report(progress) {
      const isNewStage = progress.stage !== last.stage;
      if (last.stage === 'queued') startedMs = performance.now();
      last = progress;
      const nowMs = performance.now();
      if (!isNewStage && nowMs - savedAtMs < SAVE_EVERY_MS) return;
      savedAtMs = nowMs;
      save();
    },
    async *whileWaiting(events) {
      const timer = setInterval(save, WAITING_HEARTBEAT_MS);
      try {
        for await (const event of events) {
          clearInterval(timer);
          yield event;
        }
      } finally {
        clearInterval(timer);
      }
    },
    workedSeconds: () => secondsSince(startedMs),
    saved: () => saving,
  };
}
