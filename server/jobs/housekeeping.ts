import { setTimeout as sleep } from 'node:timers/promises';
import { ERROR_CATALOGUE } from '@jyutsing/contracts/errors';
import type { Queue } from '#queue/queue.ts';
import type { BlobStore } from '@jyutsing/contracts/blobs';
import { indexTranscripts } from '#features/search/transcript-search.ts';
import type { Store } from '#store/store.ts';
import type { Logger } from '#telemetry/logger.ts';
import type { TranscriptionUpdates } from './transcription-updates.ts';
import { hasBlobs, SAMPLE_FOLDER, UPLOAD_FOLDERS, voiceOf } from './has-blobs.ts';
import { failTranscription, finish } from './end-record.ts';

type HousekeepingServices = {
  store: Store;
  queue: Pick<Queue, 'enqueue' | 'isWaiting'>;
  blobs: Pick<BlobStore, 'delete' | 'listChanged' | 'readStream' | 'writeText'>;
  updates: TranscriptionUpdates;
  logger: Logger;
};

export type HousekeepingLimits = {
  /** A record whose work runs without progress for this long is failed. */
  stuckAfterMs: number;
  /** A final record is deleted this long after its end; null: never. */
  retentionMs: number | null;
  /** How far the clock of the blobs may be behind; absent: it is that of this machine. */
  blobClockSkewMs?: number;
};

const EVERY_MS = 60_000;
/**
 * For reservations of no known process, and of processes that seemed dead and never returned
 * (their quota was given back within seconds, see process-lease.ts). Longer than a suspended
 * machine sleeps during a request.
 */
const RESERVATION_ABANDONED_AFTER_MS = 24 * 60 * 60_000;
/**
 * Blobs without a record: their process was killed between storing the blob and writing the
 * record. For processes that share a database, of which another may still write it.
 */
const BLOB_ABANDONED_AFTER_MS = 24 * 60 * 60_000;
/** Listing a bucket costs money. */
const SWEEP_UPLOADS_EVERY_MS = 60 * 60_000;
/** Samples stay, so each listing contains every voice. */
const SWEEP_SAMPLES_EVERY_MS = 24 * 60 * 60_000;
/** Ids forgotten in one statement; few, so that writers do not wait long. */
const FORGET_BATCH = 100;
/** Transcripts made searchable without a pause; each takes milliseconds. */
const INDEX_BATCH = 20;
/** Pause between two such statements, for other writers. */
const PAUSE_MS = 50;

/**
 * Cleans up regularly: fails records without progress, and ends those that joined final ones, so no
 * client polls forever; deletes records after their retention time; releases quota, uploads and
 * samples of processes that died. Runs at once and then every minute; returns a function that stops
 * it.
 */
export function startHousekeeping(services: HousekeepingServices, limits: HousekeepingLimits): () => void {
  const stopped = new AbortController();
  let running = false;
  const failStuck = createStuckSweep(services);
  const sweeps = [
    { sweep: sweepUploads, everyMs: SWEEP_UPLOADS_EVERY_MS, sweptAtMs: -Infinity },
    { sweep: sweepVoiceSamples, everyMs: SWEEP_SAMPLES_EVERY_MS, sweptAtMs: -Infinity },
  ];
  const cleanAndLog = async () => {
    // A backlog may take longer than a minute.
    if (running) return;
    running = true;
    try {
      await failStuck(Date.now() - limits.stuckAfterMs);
      // Their process was killed in between, and no job is left that would go on.
      for (const id of await services.store.transcriptions.findUnendedWork()) await finishWork(id, services);
      await clean(services, limits, stopped.signal);
      const due = sweeps.filter(({ everyMs, sweptAtMs }) => performance.now() - sweptAtMs >= everyMs);
      // An error is not repeated each minute either.
      for (const entry of due) entry.sweptAtMs = performance.now();
      if (due.length === 0 || !(await hasBlobs(services))) return;
      // Files that are older than the database have their record elsewhere.
      const { sinceMs: fromMs } = await services.store.identity.find();
      const time = { fromMs, beforeMs: await abandonedBefore(services, limits) };
      for (const { sweep } of due) await sweep(services, time, stopped.signal);
    } catch (cause) {
      if (!stopped.signal.aborted) services.logger.error({ cause }, 'housekeeping failed');
    } finally {
      running = false;
    }
  };
  void cleanAndLog();
  const everyMs = Math.min(EVERY_MS, limits.stuckAfterMs, limits.retentionMs ?? EVERY_MS);
  const timer = setInterval(() => void cleanAndLog(), everyMs).unref();
  return () => {
    clearInterval(timer);
    stopped.abort();
  };
}

async function clean(
  services: HousekeepingServices,
  { retentionMs }: HousekeepingLimits,
  signal: AbortSignal,
): Promise<void> {
  const { quotas, idempotencyKeys, chargedRequests, speakerRegisters, videoCache, transcriptions } = services.store;
  await quotas.releaseAbandoned(Date.now() - RESERVATION_ABANDONED_AFTER_MS);
  await idempotencyKeys.deleteExpired();
  await chargedRequests.deleteExpired();
  await speakerRegisters.deleteUnused(Date.now());
  const inBatches = async (work: () => Promise<number>) => {
    while (!signal.aborted && (await work()) > 0) await sleep(PAUSE_MS, undefined, { signal });
  };
  await inBatches(() => videoCache.deleteExpired());
  await inBatches(() => transcriptions.forgetDeleted(FORGET_BATCH));
  if (retentionMs !== null) await deleteExpiredRecords(services, Date.now() - retentionMs, signal);
  await inBatches(() => indexTranscripts(services, null, INDEX_BATCH));
}

/**
 * Fails records whose work runs without progress. After an outage or a restart all of them seem
 * to be: work that waits is left alone, and a record is failed when two looks in a row find the
 * same. A worker that was only slow finds its record final later and changes nothing.
 */
function createStuckSweep(services: HousekeepingServices): (noProgressSinceMs: number) => Promise<void> {
  const { store, queue, logger } = services;
  const error = { code: 'timed_out', message: ERROR_CATALOGUE.timed_out.message } as const;
  let before = new Map<string, number>();
  return async (noProgressSinceMs) => {
    const found = new Map<string, number>();
    for (const { id, progressAtMs } of await store.transcriptions.findStuck(noProgressSinceMs)) {
      if (!(await queue.isWaiting(id))) found.set(id, progressAtMs);
    }
    const stuck = [...found].filter(([id, progressAtMs]) => before.get(id) === progressAtMs);
    before = found;
    for (const [id] of stuck) {
      logger.warn({ transcriptionId: id }, 'failed a transcription without progress');
      await failTranscription(id, error, services);
    }
  };
}

/** Ends the records that joined a final one. */
async function finishWork(id: string, services: HousekeepingServices): Promise<void> {
  const record = await services.store.transcriptions.find(id);
  if (record !== null) await finish(record, services);
}

async function deleteExpiredRecords(
  { store, blobs }: HousekeepingServices,
  endedBeforeMs: number,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const deleted = await store.transcriptions.deleteFinished({ beforeMs: endedBeforeMs });
    if (deleted.length === 0) return;
    // Audio is deleted with the end of the record, unless the process was killed in between.
    for (const { blobKey } of deleted) if (blobKey !== null) await blobs.delete(blobKey);
    await sleep(PAUSE_MS, undefined, { signal });
  }
}

type Time = Parameters<BlobStore['listChanged']>[1];

/**
 * The time before which blobs without a record have no owner. A process that has the database alone
 * knows that those of before its start were left by a process that was killed.
 */
async function abandonedBefore(
  { store }: HousekeepingServices,
  { blobClockSkewMs = 0 }: HousekeepingLimits,
): Promise<number> {
  const living = await store.workers.list();
  const here = living.find(({ id }) => id === store.processId);
  const isAlone = here !== undefined && living.every(({ host, pid }) => host === here.host && pid === here.pid);
  const startedAtMs = Date.now() - performance.now() - blobClockSkewMs;
  return isAlone ? startedAtMs : Date.now() - BLOB_ABANDONED_AFTER_MS;
}

/** A recording may wait in the queue for more than a day, so age alone does not decide. */
async function sweepUploads(
  { store, blobs, logger }: HousekeepingServices,
  uploaded: Time,
  signal: AbortSignal,
): Promise<void> {
  let wantedKeys: Set<string> | null = null;
  for (const folder of UPLOAD_FOLDERS) {
    for await (const key of blobs.listChanged(folder, uploaded)) {
      if (signal.aborted) return;
      wantedKeys ??= new Set(await store.transcriptions.findNeededBlobKeys());
      if (wantedKeys.has(key)) continue;
      logger.warn('deleted an upload without a transcription');
      await blobs.delete(key);
    }
  }
}

async function sweepVoiceSamples(
  { store, blobs, logger }: HousekeepingServices,
  kept: Time,
  signal: AbortSignal,
): Promise<void> {
  for await (const key of blobs.listChanged(SAMPLE_FOLDER, kept)) {
    if (signal.aborted) return;
    if (await store.voices.exists(voiceOf(key))) continue;
    logger.warn('deleted a sample without a voice');
    await blobs.delete(key);
  }
}
