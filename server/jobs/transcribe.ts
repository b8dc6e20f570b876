import { AppError, serializeError, type SerializedError } from '@jyutsing/contracts/errors';
import type { CorpusEntry } from '@jyutsing/contracts/corpus';
import type { CorrectionSegment } from '@jyutsing/contracts/corrector';
import type { TranscriptionModels, TranscriptionPlan } from '@jyutsing/contracts/transcription-plan';
import type {
  TranscriptionOptions,
  TranscriptionProgress,
  TranscriptionRecord,
  TranscriptionResult,
} from '@jyutsing/contracts/transcription';
import { biasOf, type CorpusLibrary } from '#features/corpora/library.ts';
import { asCached, cacheKeyOf } from '#features/transcription/cache-key.ts';
import type { FusionEvent, FileRecognitionEvent, FileRecognitionOptions } from '#features/transcription/stages.ts';
import { creditsFor, secondsSince, transcribe } from '#features/transcription/transcribe.ts';
import { enqueueDelivery } from '#queue/enqueue-delivery.ts';
import type { JobHandler, Queue } from '#queue/queue.ts';
import type { BlobStore } from '@jyutsing/contracts/blobs';
import type { Store } from '#store/store.ts';
import type { Logger } from '#telemetry/logger.ts';
import type { Metrics } from '#telemetry/metrics.ts';
import type { TranscriptionUpdates } from './transcription-updates.ts';

export type TranscribeJobServices = {
  store: Store;
  queue: Pick<Queue, 'enqueue'>;
  blobs: BlobStore;
  corpora: Pick<CorpusLibrary, 'load'>;
  /** Chooses the models of a record that was accepted without a plan. */
  planTranscription(options: TranscriptionOptions): TranscriptionPlan;
  /** Decodes and recognises a file in a supervised process. */
  listen(
    audioPath: string,
    models: TranscriptionModels,
    options: FileRecognitionOptions,
    signal: AbortSignal,
  ): AsyncIterable<FileRecognitionEvent>;
  /** Corrects a transcript in a supervised process. */
  fuse(
    input: {
      segments: readonly CorrectionSegment[];
      entries: readonly CorpusEntry[];
      /** Names the corpora and their versions. */
      entriesKey: string;
      context: string | null;
      correctors: TranscriptionModels['correctors'];
    },
    signal: AbortSignal,
  ): AsyncIterable<FusionEvent>;
  updates: TranscriptionUpdates;
  metrics: Metrics;
  logger: Logger;
};

/** How often progress is written down: often enough to show life, too seldom to cost anything. */
const SAVE_PROGRESS_EVERY_MS = 1_000;
/** Far below the time after which a record without a sign of life is failed. */
const WAITING_BEAT_MS = 15_000;

/** What a job found out before its work; `known` is the result of the same work done before. */
type Task = {
  plan: TranscriptionPlan;
  cacheKey: string;
  /** Null where there is no fusion. */
  corpora: { entries: CorpusEntry[]; entriesKey: string } | null;
  known: TranscriptionResult | null;
};
/** What the work gave, and how long it took once it had begun: stages overlap, so it is less than their sum. */
type Outcome = {
  result: TranscriptionResult;
  seconds: number;
  /** A corrector failed: the same request may have a better text another time. */
  isDegraded: boolean;
};

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
    // Aborts when nobody wants the work any more.
    const unwanted = new AbortController();
    try {
      const task = await prepare(record, services);
      // What was done before costs neither time nor credits now.
      const outcome =
        task.known === null
          ? await work(record, task, services, signal, unwanted)
          : { result: task.known, seconds: 0, isDegraded: false };
      await complete(record, task, outcome, services);
    } catch (thrown) {
      if (unwanted.signal.aborted) return await deleteAudio(record, services);
      if (signal.aborted || !(thrown instanceof AppError) || thrown.code === 'service_unavailable') throw thrown;
      logger.warn({ transcriptionId: id, code: thrown.code, cause: thrown.cause }, 'transcription failed');
      const seconds = secondsSince(startedMs);
      await failTranscription(id, serializeError(thrown), services, seconds);
      await finished(record, 'failed', seconds, services);
    }
  };
}

/** Ends a record as failed, and tells all who wait for it; does nothing to one that is final or gone. Seconds null: nobody measured. */
export async function failTranscription(
  id: string,
  error: SerializedError,
  { store, queue, updates }: Pick<TranscribeJobServices, 'store' | 'queue' | 'updates'>,
  processingSeconds: number | null = null,
): Promise<void> {
  await store.transaction(async (transaction) => {
    const record = await transaction.transcriptions.find(id);
    const isEnded = await transaction.transcriptions.fail(id, { error, processingSeconds });
    if (record !== null && isEnded) await enqueueDelivery(transaction, record, queue);
  });
  updates.publishFinal(id);
}

/** The corpora may have changed since the request was accepted, and the same recording may have been done meanwhile. */
async function prepare(record: TranscriptionRecord, services: TranscribeJobServices): Promise<Task> {
  const { accountId, contentSha256, options } = record;
  const plan = record.plan ?? services.planTranscription(options);
  const corpora = plan.willFuse ? await services.corpora.load(accountId, options.corpusIds) : [];
  const cacheKey = cacheKeyOf({ contentSha256, options, plan, corpora });
  const same = await services.store.transcriptions.findFinished(accountId, cacheKey);
  return {
    plan,
    cacheKey,
    corpora: plan.willFuse ? biasOf(corpora) : null,
    known: same === null ? null : asCached(same.result),
  };
}

async function work(
  record: TranscriptionRecord,
  { plan, corpora }: Task,
  services: TranscribeJobServices,
  signal: AbortSignal,
  unwanted: AbortController,
): Promise<Outcome> {
  const { blobKey, options, id } = record;
  if (blobKey === null) throw new AppError('engine_failed', 'The audio of this request is no longer stored.');
  const progress = createProgress(id, services, () => unwanted.abort(new AppError('not_found')));
  const { context } = options;
  const { correctors } = plan.models;
  let heard = 0;
  let isDegraded = false;
  try {
    const result = await services.blobs.localPath(blobKey, (path) =>
      transcribe(
        options,
        {
          listen: (wishes, stop) => aliveWhileWaiting(services.listen(path, plan.models, wishes, stop), progress.beat),
          fuse:
            corpora === null
              ? null
              : (segments, stop) => services.fuse({ segments, ...corpora, context, correctors }, stop),
        },
        {
          progress: progress.report,
          segment: (segment) => services.updates.publishSegment(id, segment, heard++),
          correctionFailed(corrector, { code, message, cause }) {
            isDegraded = true;
            services.logger.warn({ transcriptionId: id, corrector, code, message, cause }, 'a correction failed');
          },
        },
        AbortSignal.any([signal, unwanted.signal]),
      ),
    );
    return { result, seconds: progress.workedSeconds(), isDegraded };
  } finally {
    await progress.saved();
  }
}

async function complete(
  record: TranscriptionRecord,
  { cacheKey }: Task,
  { result, seconds, isDegraded }: Outcome,
  services: TranscribeJobServices,
): Promise<void> {
  const creditsUsed = result.isCached ? 0 : creditsFor(result.durationMs);
  await services.store.transaction(async (transaction) => {
    // Nothing is found again by an empty key.
    const outcome = { result, cacheKey: isDegraded ? '' : cacheKey, processingSeconds: seconds, creditsUsed };
    const isEnded = await transaction.transcriptions.complete(record.id, outcome);
    if (isEnded) await enqueueDelivery(transaction, record, services.queue);
  });
  const { backend } = result;
  if (!result.isCached) services.metrics.transcribedSeconds.inc({ backend }, result.durationMs / 1_000);
  await finished({ ...record, backend }, 'completed', seconds, services);
}

/** Writes down how far a transcription is, seldom enough. `beat` says that it lives though nothing was heard yet. */
function createProgress(id: string, { store, updates, logger }: TranscribeJobServices, onUnwanted: () => void) {
  let last: TranscriptionProgress = { stage: 'queued', processedMs: 0 };
  let beganMs = performance.now();
  let savedAtMs = 0;
  let saving: Promise<unknown> = Promise.resolve();
  const save = () => {
    saving = store.transcriptions.progress(id, last).then(
      (isWanted) => {
        if (!isWanted) onUnwanted();
      },
      // Progress is a courtesy: a failure to write it must not fail the work, whose own save will tell.
      (cause: unknown) => logger.warn({ transcriptionId: id, cause }, 'progress was not saved'),
    );
  };
  return {
    beat: save,
    report(progress: TranscriptionProgress) {
      const isNewStage = progress.stage !== last.stage;
      if (last.stage === 'queued') beganMs = performance.now();
      last = progress;
      updates.publishProgress(id, progress);
      const nowMs = performance.now();
      if (!isNewStage && nowMs - savedAtMs < SAVE_PROGRESS_EVERY_MS) return;
      savedAtMs = nowMs;
      save();
    },
    workedSeconds: () => secondsSince(beganMs),
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
  services.updates.publishFinal(record.id);
  await deleteAudio(record, services);
}

/** A recording is kept only for as long as the work needs it. */
async function deleteAudio({ blobKey }: TranscriptionRecord, { blobs }: TranscribeJobServices): Promise<void> {
  if (blobKey !== null) await blobs.delete(blobKey);
}
