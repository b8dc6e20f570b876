import { basename, extname } from 'node:path/posix';
import { setTimeout as sleep } from 'node:timers/promises';
import { ERROR_CATALOGUE } from '@jyutsing/contracts/errors';
import type { Queue } from '#queue/queue.ts';
import type { BlobStore } from '@jyutsing/contracts/blobs';
import type { Store } from '#store/store.ts';
import type { Logger } from '#telemetry/logger.ts';
import type { TranscriptionUpdates } from './transcription-updates.ts';
import { failTranscription } from './transcribe.ts';

type HousekeepingServices = {
  store: Store;
  queue: Pick<Queue, 'enqueue'>;
  blobs: Pick<BlobStore, 'delete' | 'listOlderThan'>;
  updates: TranscriptionUpdates;
  logger: Logger;
};

export type HousekeepingLimits = {
  /** A record without a sign of life for so long is failed. */
  stuckAfterMs: number;
  /** A final record is deleted so long after its end; null: never. */
  retentionMs: number | null;
};

const EVERY_MS = 60_000;
/**
 * The last net, for reservations of no known process and of those that seemed dead and never came back (whose quota was given back within
 * seconds, see process-lease.ts). Longer than a machine sleeps in the midst of a request.
 */
const RESERVATION_ABANDONED_AFTER_MS = 24 * 60 * 60_000;
/** Blobs that belong to nobody: their process was killed between keeping them and writing their record, which is a moment. */
const BLOB_ABANDONED_AFTER_MS = 24 * 60 * 60_000;
/** Listing blobs costs money where they lie in a bucket. */
const SWEEP_UPLOADS_EVERY_MS = 60 * 60_000;
/** Samples of voices stay, so each listing is as long as there are voices. */
const SWEEP_SAMPLES_EVERY_MS = 24 * 60 * 60_000;
/** Records deleted in one statement: few enough that nobody waits for it. */
const DELETED_AT_A_TIME = 100;
/** Between two such statements, for those who want to write meanwhile. */
const BREATH_MS = 50;

/**
 * What nobody asks for and must happen all the same: records without a sign of life are failed, so that no client polls for ever,
 * those that were kept long enough are deleted, and what requests held whose process died (quota, uploads, samples) is given back. Runs at
 * once and then every minute; returns how to stop.
 */
export function startHousekeeping(services: HousekeepingServices, limits: HousekeepingLimits): () => void {
  const stopped = new AbortController();
  let running = false;
  const sweeps = [
    { sweep: sweepUploads, everyMs: SWEEP_UPLOADS_EVERY_MS, sweptAtMs: -Infinity },
    { sweep: sweepVoiceSamples, everyMs: SWEEP_SAMPLES_EVERY_MS, sweptAtMs: -Infinity },
  ];
  const tidyAndReport = async () => {
    // A backlog may take longer than a minute.
    if (running) return;
    running = true;
    try {
      await tidy(services, limits, stopped.signal);
      for (const each of sweeps) {
        if (performance.now() - each.sweptAtMs < each.everyMs) continue;
        each.sweptAtMs = performance.now();
        await each.sweep(services, Date.now() - BLOB_ABANDONED_AFTER_MS, stopped.signal);
      }
    } catch (cause) {
      if (!stopped.signal.aborted) services.logger.error({ cause }, 'housekeeping failed');
    } finally {
      running = false;
    }
  };
  void tidyAndReport();
  const everyMs = Math.min(EVERY_MS, limits.stuckAfterMs, limits.retentionMs ?? EVERY_MS);
  const timer = setInterval(() => void tidyAndReport(), everyMs).unref();
  return () => {
    clearInterval(timer);
    stopped.abort();
  };
}

async function tidy(
  services: HousekeepingServices,
  { stuckAfterMs, retentionMs }: HousekeepingLimits,
  signal: AbortSignal,
): Promise<void> {
  const { quotas, idempotencyKeys, videoCache } = services.store;
  await failStuck(services, Date.now() - stuckAfterMs);
  await quotas.releaseAbandoned(Date.now() - RESERVATION_ABANDONED_AFTER_MS);
  await idempotencyKeys.deleteExpired();
  while (!signal.aborted && (await videoCache.deleteExpired()) > 0) await sleep(BREATH_MS, undefined, { signal });
  if (retentionMs !== null) await deleteKeptLongEnough(services, Date.now() - retentionMs, signal);
}

/** A worker that was only slow and finishes later finds its record final and changes nothing. */
async function failStuck(services: HousekeepingServices, silentSinceMs: number): Promise<void> {
  const error = { code: 'timed_out', message: ERROR_CATALOGUE.timed_out.message } as const;
  for (const id of await services.store.transcriptions.findStuck(silentSinceMs)) {
    services.logger.warn({ transcriptionId: id }, 'transcription made no progress and was failed');
    await failTranscription(id, error, services);
  }
}

async function deleteKeptLongEnough(
  { store, blobs }: HousekeepingServices,
  endedBeforeMs: number,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const deleted = await store.transcriptions.deleteFinishedBefore(endedBeforeMs, DELETED_AT_A_TIME);
    // Its audio went when it ended, unless the process was killed in between.
    for (const { blobKey } of deleted) if (blobKey !== null) await blobs.delete(blobKey);
    if (deleted.length < DELETED_AT_A_TIME) return;
    await sleep(BREATH_MS, undefined, { signal });
  }
}

/** A recording may wait for its turn for longer than a day, so its record is asked, not its age alone. */
async function sweepUploads(
  { store, blobs, logger }: HousekeepingServices,
  uploadedBeforeMs: number,
  signal: AbortSignal,
): Promise<void> {
  let wanted: Set<string> | null = null;
  for await (const key of blobs.listOlderThan('uploads', uploadedBeforeMs)) {
    if (signal.aborted) return;
    wanted ??= new Set(await store.transcriptions.findOpenBlobKeys());
    if (wanted.has(key)) continue;
    logger.warn('an upload that belonged to no transcription was deleted');
    await blobs.delete(key);
  }
}

/** The name of a sample is the id of its voice. */
async function sweepVoiceSamples(
  { store, blobs, logger }: HousekeepingServices,
  keptBeforeMs: number,
  signal: AbortSignal,
): Promise<void> {
  for await (const key of blobs.listOlderThan('voices', keptBeforeMs)) {
    if (signal.aborted) return;
    if (await store.voices.exists(basename(key, extname(key)))) continue;
    logger.warn('a sample that belonged to no voice was deleted');
    await blobs.delete(key);
  }
}
