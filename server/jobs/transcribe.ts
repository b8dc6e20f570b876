import { StorageUnavailable, type BlobStore } from '@jyutsing/contracts/blobs';
import type { CorpusBias } from '@jyutsing/contracts/corpus';
import { AppError, serializeError } from '@jyutsing/contracts/errors';
import {
  asCached,
  isFinal,
  type TranscriptionRecord,
  type TranscriptionRequest,
  type TranscriptionResult,
} from '@jyutsing/contracts/transcription';
import type { TranscriptionModels, TranscriptionPlan } from '@jyutsing/contracts/transcription-plan';
import { biasOf, type CorpusLibrary } from '#features/corpora/library.ts';
import { cacheKeyOf } from '#features/transcription/cache-key.ts';
import { creditsOf, secondsSince } from '#features/transcription/credits.ts';
import { hotWordsOf } from '#features/transcription/hot-words.ts';
import type { Transcription } from '#features/transcription/transcription-services.ts';
import { createResultCollector } from '#features/transcription/result-parts.ts';
import { enqueueDelivery } from '#queue/enqueue-delivery.ts';
import type { JobHandler, Queue } from '#queue/queue.ts';
import type { Store } from '#store/store.ts';
import type { Logger } from '#telemetry/logger.ts';
import type { Metrics } from '#telemetry/metrics.ts';
import { failRecord, finish } from './end-record.ts';
import { createMeter, type MeterServices } from './meter-seconds.ts';
import { createFollowedSegments, withOtherRecognizers, type FollowedSegments } from './other-recognizers.ts';
import { createProgressSaver, type ProgressSaver } from './save-progress.ts';
import type { TranscriptionUpdates } from './transcription-updates.ts';

export type TranscribeJobServices = MeterServices &
  Transcription & {
    store: Store;
    queue: Pick<Queue, 'enqueue'>;
    blobs: BlobStore;
    corpora: Pick<CorpusLibrary, 'load'>;
    updates: TranscriptionUpdates;
    metrics: Metrics;
    logger: Logger;
  };

/** `seconds` is the time since the work began; the stages overlap, so it is less than their sum. */
type Outcome = {
  result: TranscriptionResult;
  seconds: number;
  /**
   * A corrector failed, so the same request may get a better text later: the result is not cached.
   */
  isDegraded: boolean;
};

/**
 * Loads the record, transcribes its recording and saves the outcome. Safe to repeat: a final record
 * is left alone. An AppError comes from the recording or an engine and fails the record. Any other
 * error (lost database or storage, shutdown, killed worker, busy server) is rethrown, so the queue
 * runs the job again; the last time, a busy server fails the record too, with its own Retry-After.
 */
export function createTranscribeJob(services: TranscribeJobServices): JobHandler<'transcribe'> {
  const { store, metrics, logger } = services;
  return async ({ payload: { transcriptionId: id }, isLastAttempt }, signal) => {
    const isOpen = await store.transcriptions.start(id);
    const record = await store.transcriptions.find(id);
    if (record === null) return;
    // A process killed right after it finished the record could not do the rest.
    if (!isOpen || isFinal(record)) return finish(record, services);
    metrics.queueWaitSeconds.observe((Date.now() - record.createdAtMs) / 1_000);

    const startedMs = performance.now();
    // Aborts when the record was deleted or ended elsewhere.
    const cancelled = new AbortController();
    try {
      const plan = currentPlan(record, services);
      const { options, accountId, contentSha256 } = record;
      const hearsCorpora = plan.hearsCorpora === true;
      const corpora = plan.willFuse || hearsCorpora ? await services.corpora.load(accountId, options.corpusIds) : [];
      const bias = plan.willFuse ? biasOf(corpora) : null;
      const hotWords = hearsCorpora ? hotWordsOf(corpora.flatMap(({ entries }) => entries)) : [];
      // Computed again: the corpora may have changed since the request was accepted.
      const cacheKey = cacheKeyOf({ contentSha256, options, plan, corpora });
      const cached = await store.transcriptions.findFinished(accountId, cacheKey);
      const outcome =
        cached === null
          ? await transcribeUpload({ record, plan, bias, hotWords }, services, signal, cancelled)
          : { result: asCached(cached.result), seconds: 0, isDegraded: false };
      await complete(record, cacheKey, outcome, services);
    } catch (thrown) {
      // The process that ended the record may have been killed before it did the rest.
      if (cancelled.signal.aborted) return await finish(record, services);
      if (signal.aborted || !(thrown instanceof AppError) || thrown instanceof StorageUnavailable) throw thrown;
      if (thrown.code === 'service_unavailable' && !isLastAttempt) throw thrown;
      logger.warn({ transcriptionId: id, code: thrown.code, cause: thrown.cause }, 'transcription failed');
      const seconds = secondsSince(startedMs);
      const { isFailed } = await failRecord(id, serializeError(thrown), services, seconds);
      if (isFailed) countOutcome(record, 'failed', seconds, services);
    }
    // Outside: an error in it is none of the transcription.
    await finish(record, services);
  };
}

/** The plan made at acceptance; a new one if a model of it is gone, or the plan was not stored. */
function currentPlan({ id, plan, options }: TranscriptionRequest, services: TranscribeJobServices): TranscriptionPlan {
  if (plan !== null && services.isPlanAvailable(plan)) return plan;
  const next = services.planTranscription(options);
  if (plan !== null) {
    const models = { planned: plan.backend, backend: next.backend };
    services.logger.warn({ transcriptionId: id, ...models }, 'a planned model is gone; chose the models again');
  }
  return next;
}

/** A record whose recording is to be transcribed, and what with. */
type Work = {
  record: TranscriptionRecord;
  plan: TranscriptionPlan;
  bias: CorpusBias | null;
  hotWords: readonly string[];
};

/** Aborting `cancelled` ends the work; it aborts when the record was deleted or ended elsewhere. */
async function transcribeUpload(
  work: Work,
  services: TranscribeJobServices,
  signal: AbortSignal,
  cancelled: AbortController,
): Promise<Outcome> {
  const { id, blobKey } = work.record;
  if (blobKey === null) throw new AppError('engine_failed', 'The audio of this request is no longer stored.');
  const stop = AbortSignal.any([signal, cancelled.signal]);
  const saver = createProgressSaver(id, services, () => cancelled.abort(new AppError('not_found')));
  try {
    const followed = createFollowedSegments();
    const attempt = (path: string) => (models: TranscriptionModels) =>
      publishEvents({ path, models, followed }, work, saver, services, stop);
    const use = (path: string) => withOtherRecognizers(work.plan.models, attempt(path), followed, services, stop);
    const outcome = await services.blobs.localPath(blobKey, use, stop);
    return { ...outcome, seconds: saver.workedSeconds() };
  } finally {
    services.updates.forgetSegments(id);
    await saver.end();
  }
}

type Attempt = { path: string; models: TranscriptionModels; followed: FollowedSegments };

/** Publishes the events of a transcription once the quota covers them, and returns its result. */
async function publishEvents(
  { path, models, followed }: Attempt,
  { record, bias, hotWords }: Work,
  saver: ProgressSaver,
  services: TranscribeJobServices,
  stop: AbortSignal,
): Promise<Omit<Outcome, 'seconds'>> {
  const { id, options } = record;
  const { updates, logger } = services;
  const cover = createMeter(record, services);
  const collector = createResultCollector();
  let isDegraded = false;
  for await (const event of services.transcribeInWorker({ path, models, options, hotWords }, bias, stop)) {
    await cover(event);
    collector.add(event);
    const newSegment = followed.add(event);
    if (event.type === 'progress') {
      const progress = { stage: event.stage, processedMs: event.processedMs };
      updates.publishProgress(id, progress);
      saver.report(progress);
    } else if (event.type === 'segment-end') {
      if (newSegment !== null) updates.publishSegment(id, event.segment, newSegment);
    } else if (event.type === 'correction-failed') {
      const { corrector, code, message } = event;
      isDegraded = true;
      logger.warn({ transcriptionId: id, corrector, code, message }, 'a correction failed');
    }
  }
  return { result: collector.result(), isDegraded };
}

async function complete(
  record: TranscriptionRecord,
  cacheKey: string,
  { result, seconds, isDegraded }: Outcome,
  services: TranscribeJobServices,
): Promise<void> {
  const creditsUsed = creditsOf(result);
  await services.store.transaction(async (transaction) => {
    // The empty key is never found again.
    const outcome = { result, cacheKey: isDegraded ? '' : cacheKey, processingSeconds: seconds, creditsUsed };
    const isCompleted = await transaction.transcriptions.complete(record.id, outcome);
    if (isCompleted) await enqueueDelivery(transaction, record, services.queue);
  });
  const { backend } = result;
  if (!result.isCached) services.metrics.transcribedSeconds.inc({ backend }, result.durationMs / 1_000);
  countOutcome({ backend }, 'completed', seconds, services);
}

function countOutcome(
  { backend }: Pick<TranscriptionRecord, 'backend'>,
  outcome: 'completed' | 'failed',
  seconds: number,
  { metrics }: TranscribeJobServices,
): void {
  metrics.transcriptions.inc({ backend, outcome });
  metrics.transcriptionSeconds.observe({ backend }, seconds);
}
