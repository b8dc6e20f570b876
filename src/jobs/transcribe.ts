import { AppError, serializeError, type SerializedError } from '#contracts/errors.ts';
import type { TranscriptionRecord } from '#contracts/transcription.ts';
import {
  creditsFor,
  secondsSince,
  transcribe,
  type ListeningEvent,
  type ListeningOptions,
} from '#features/transcription/transcribe.ts';
import type { JobHandler } from '#queue/queue.ts';
import type { Blobs } from '#store/blobs.ts';
import type { Store } from '#store/store.ts';
import type { Logger } from '#telemetry/logger.ts';
import type { Metrics } from '#telemetry/metrics.ts';
import type { Completions } from './completions.ts';

export type TranscribeJobServices = {
  store: Store;
  blobs: Blobs;
  /** Decodes and recognises a file in a supervised process. */
  listen(
    audioPath: string,
    preference: string,
    options: ListeningOptions,
    signal: AbortSignal,
  ): AsyncIterable<ListeningEvent>;
  /** The model, engine or "auto" of this server for recordings whose language is still to be found out. */
  defaultModel: string;
  completions: Completions;
  metrics: Metrics;
  logger: Logger;
};

/** How often progress is written down: often enough to show life, too seldom to cost anything. */
const SAVE_PROGRESS_EVERY_MS = 1_000;
/** Far below the time after which a record without a sign of life is failed. */
const WAITING_BEAT_MS = 15_000;

/**
 * load → feature → save. Safe to repeat: a record that is final is left alone.
 * An AppError is the recording's or the engine's own and ends the record as `failed`; everything else (the database went away,
 * the process drains, a worker was killed from outside) is thrown on, so that the queue runs the job again.
 */
export function createTranscribeJob(services: TranscribeJobServices): JobHandler<'transcribe'> {
  return async ({ payload: { transcriptionId: id } }, signal) => {
    const { store, logger } = services;
    const mayStart = await store.transcriptions.start(id);
    const record = await store.transcriptions.find(id);
    if (record === null) return;
    // A process killed after the record became final had no time to delete the audio.
    if (!mayStart) return deleteAudio(record, services);
    services.metrics.queueWaitSeconds.observe((Date.now() - record.createdAtMs) / 1_000);
    const startedMs = performance.now();
    try {
      const result = await listenTo(record, services, signal);
      await store.transcriptions.complete(id, {
        result,
        processingSeconds: result.transcriptionSeconds + result.fusionSeconds,
        creditsUsed: creditsFor(result.durationMs),
      });
      const { backend } = result;
      services.metrics.transcribedSeconds.inc({ backend }, result.durationMs / 1_000);
      await finished({ ...record, backend }, 'completed', result.transcriptionSeconds + result.fusionSeconds, services);
    } catch (thrown) {
      if (signal.aborted || !(thrown instanceof AppError) || thrown.code === 'service_unavailable') throw thrown;
      logger.warn({ transcriptionId: id, code: thrown.code, cause: thrown.cause }, 'transcription failed');
      await store.transcriptions.fail(id, {
        error: serializeError(thrown),
        processingSeconds: secondsSince(startedMs),
      });
      await finished(record, 'failed', secondsSince(startedMs), services);
    }
  };
}

/** For a job that the queue gave up: its record must not stay `processing` for ever. */
export async function failTranscription(
  id: string,
  error: SerializedError,
  { store, completions }: Pick<TranscribeJobServices, 'store' | 'completions'>,
): Promise<void> {
  await store.transcriptions.fail(id, { error, processingSeconds: null });
  completions.announce(id);
}

async function listenTo(record: TranscriptionRecord, services: TranscribeJobServices, signal: AbortSignal) {
  const { blobKey } = record;
  if (blobKey === null) throw new AppError('engine_failed', 'The audio of this request is no longer stored.');
  const preference = record.backend === 'auto' ? services.defaultModel : record.backend;
  const progress = createProgress(record.id, services);
  let heard = 0;
  try {
    return await services.blobs.localPath(blobKey, (path) =>
      transcribe(
        record.options,
        (options, stop) => aliveWhileWaiting(services.listen(path, preference, options, stop), progress.beat),
        {
          progress: progress.report,
          segment: (segment) => services.completions.tell(record.id, segment, heard++),
        },
        signal,
      ),
    );
  } finally {
    await progress.saved();
  }
}

/** Writes down how far a transcription is, seldom enough. `beat` says that it lives though nothing was heard yet. */
function createProgress(id: string, { store, logger }: TranscribeJobServices) {
  let savedAtMs = 0;
  let saving: Promise<unknown> = Promise.resolve();
  const save = (processedMs: number) => {
    // Progress is a courtesy: a failure to write it must not fail the work, whose own save will tell.
    saving = store.transcriptions.progress(id, processedMs).catch((cause: unknown) => {
      logger.warn({ transcriptionId: id, cause }, 'progress was not saved');
    });
  };
  return {
    beat: () => save(0),
    report(processedMs: number) {
      const nowMs = performance.now();
      if (nowMs - savedAtMs < SAVE_PROGRESS_EVERY_MS) return;
      savedAtMs = nowMs;
      save(processedMs);
    },
    saved: () => saving,
  };
}

/** Calls `beat` from time to time until the first event: a recording that waits for a worker is not stuck. */
async function* aliveWhileWaiting<Event>(events: AsyncIterable<Event>, beat: () => void): AsyncGenerator<Event> {
  const timer = setInterval(beat, WAITING_BEAT_MS);
  try {
    for await (const event of events) {
      clearInterval(timer);
      yield event;
    }
  } finally {
    clearInterval(timer);
  }
}

async function finished(
  record: TranscriptionRecord,
  outcome: 'completed' | 'failed',
  seconds: number,
  services: TranscribeJobServices,
): Promise<void> {
  services.metrics.transcriptions.inc({ backend: record.backend, outcome });
  services.metrics.transcriptionSeconds.observe({ backend: record.backend }, seconds);
  services.completions.announce(record.id);
  await deleteAudio(record, services);
}

/** A recording is kept only for as long as the work needs it. */
async function deleteAudio({ blobKey }: TranscriptionRecord, { blobs }: TranscribeJobServices): Promise<void> {
  if (blobKey !== null) await blobs.delete(blobKey);
}
