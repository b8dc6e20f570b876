import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { BlobStore } from '@jyutsing/contracts/blobs';
import { AppError, serializeError } from '@jyutsing/contracts/errors';
import type { OpenTranscription, TranscriptionEvent } from '@jyutsing/contracts/transcription';
import type { TranscriptionModels, TranscriptionPlan } from '@jyutsing/contracts/transcription-plan';
import { createModelHealth } from '#features/transcription/model-health.ts';
import type { TranscriptionCall } from '#features/transcription/recognition.ts';
import { openQueue } from '#queue/open-queue.ts';
import type { Queue } from '#queue/queue.ts';
import { openBlobs } from '#store/blobs.ts';
import { uncertainCommit } from '#store/database-errors.ts';
import type { Store } from '#store/store.ts';
import type { Logger } from '#telemetry/logger.ts';
import { createMetrics } from '#telemetry/metrics.ts';
import { recognizerModels, recognizerRef } from '#test/transcription-models.ts';
import { newRecord, type RecordChange } from '#test/transcription-records.ts';
import { PUBLIC_CORPUS } from '#test/http/start-server.ts';
import { failTranscription } from './end-record.ts';
import { createTranscribeJob, type TranscribeJobServices } from './transcribe.ts';
import { createTranscriptionUpdates } from './transcription-updates.ts';
import { openTestStore, type TestStore } from '#test/test-store.ts';

const NEVER = new AbortController().signal;
let opened: TestStore;
let store: Store;
let queue: Queue;
let blobs: BlobStore;
let accountId: string;
const used: TranscriptionModels[] = [];
const warnings: { fields: object; message: string }[] = [];

beforeAll(async () => {
  opened = await openTestStore();
  ({ store } = opened);
  queue = await openQueue({ store });
  blobs = await openBlobs({ dataDir: opened.dataDir, s3: null });
  ({ id: accountId } = await store.accounts.create({ name: 'an account', plan: 'pro' }));
});
afterEach(() => {
  used.length = 0;
  warnings.length = 0;
});
afterAll(async () => {
  await queue.close();
  await opened.close();
});

const planOf = (model: string): TranscriptionPlan => ({
  backend: model,
  version: `${model} 1`,
  willFuse: false,
  models: recognizerModels(recognizerRef('builtin', model)),
});

async function* transcribeInWorker({ models }: TranscriptionCall): AsyncGenerator<TranscriptionEvent> {
  used.push(models);
  yield { type: 'progress', stage: 'recognition', processedMs: 0 };
  yield {
    type: 'result',
    result: {
      language: 'cantonese',
      backend: models.recognizers.cantonese!.model,
      segments: [],
      fusion: null,
      durationMs: 1_000,
      transcriptionSeconds: 0,
      fusionSeconds: 0,
      isCached: false,
    },
  };
}

/** A server on which only these models are available; it plans with the first of them. */
function services(...available: string[]): TranscribeJobServices {
  const logger = { warn: (fields: object, message: string) => void warnings.push({ fields, message }) };
  return {
    store,
    queue,
    blobs,
    corpora: { load: async () => [] },
    planTranscription() {
      if (available[0] === undefined) throw new AppError('engine_unavailable');
      return planOf(available[0]);
    },
    isPlanAvailable: ({ backend }) => available.includes(backend),
    transcribeInWorker,
    updates: createTranscriptionUpdates(store),
    monthlySeconds: async () => null,
    health: createModelHealth(),
    metrics: createMetrics(),
    logger: logger as unknown as Logger,
  };
}

async function runJob(change: RecordChange, ...available: string[]) {
  return runWith(change, services(...available));
}

/** A record of a stored recording, not in the database yet. */
async function newUpload(change: RecordChange) {
  const upload = join(opened.dataDir, 'upload');
  const blobKey = `uploads/${crypto.randomUUID()}`;
  await writeFile(upload, 'audio');
  await blobs.adopt(upload, blobKey);
  return newRecord(accountId, { blobKey, contentSha256: crypto.randomUUID(), ...change });
}

async function runJobOf(
  transcriptionId: string,
  used: TranscribeJobServices,
  isLastAttempt: boolean,
  signal = NEVER,
): Promise<void> {
  const job = { id: 'job', name: 'transcribe' as const, payload: { transcriptionId } };
  await createTranscribeJob(used)({ ...job, attempt: 1, isLastAttempt }, signal);
}

async function runWith(change: RecordChange, used: TranscribeJobServices, isLastAttempt = false) {
  const record = await newUpload(change);
  await store.transcriptions.insert(record);
  await runJobOf(record.id, used, isLastAttempt);
  return store.transcriptions.find(record.id);
}

it('a job uses the models planned at acceptance, although others would be chosen now', async () => {
  const record = await runJob({ plan: planOf('planned') }, 'better', 'planned');
  expect(record).toMatchObject({ status: 'completed', backend: 'planned', creditsUsed: 1 });
  expect(used).toEqual([planOf('planned').models]);
  expect(warnings).toEqual([]);
});

it('words of the corpora reach a recognizer that hears them, without correction too', async () => {
  const entries = [
    { text: '荔枝角', jyutping: null, weight: 1 },
    { text: '石硤尾', jyutping: null, weight: 5 },
  ];
  const received: (readonly string[] | undefined)[] = [];
  const hearing = {
    ...services('planned'),
    corpora: { load: async () => [{ ...PUBLIC_CORPUS, entries }] },
    async *transcribeInWorker(call: TranscriptionCall) {
      received.push(call.hotWords);
      yield* transcribeInWorker(call);
    },
  };
  await runWith({ plan: { ...planOf('planned'), hearsCorpora: true } }, hearing);
  await runWith({ plan: planOf('planned') }, hearing);
  expect(received).toEqual([['石硤尾', '荔枝角'], []]);
});

it('a plan with a missing model is replaced once, with a log line', async () => {
  const record = await runJob({ plan: planOf('removed') }, 'present');
  expect(record).toMatchObject({ status: 'completed', backend: 'present' });
  expect(used).toEqual([planOf('present').models]);
  expect(warnings).toEqual([
    {
      fields: { transcriptionId: record?.id, planned: 'removed', backend: 'present' },
      message: 'a planned model is gone; chose the models again',
    },
  ]);
});

it('a record accepted before plans were stored is planned by the job, without a log line', async () => {
  const record = await runJob({ plan: null }, 'present');
  expect(record).toMatchObject({ status: 'completed', backend: 'present' });
  expect(warnings).toEqual([]);
});

it('a record fails when its models are gone and there are no others', async () => {
  const record = await runJob({ plan: planOf('removed') });
  expect(record).toMatchObject({ status: 'failed', error: { code: 'engine_unavailable' } });
  expect(used).toEqual([]);
});

it('a busy server is asked again, and the last time fails the record with its Retry-After', async () => {
  const busy = new AppError('service_unavailable', 'The recognition server is busy.', { retryAfterSeconds: 20 });
  const busyServices: TranscribeJobServices = {
    ...services('present'),
    // oxlint-disable-next-line require-yield
    async *transcribeInWorker() {
      throw busy;
    },
  };
  const change = { plan: planOf('present') };
  await expect(runWith(change, busyServices)).rejects.toBe(busy);
  expect(await runWith(change, busyServices, true)).toMatchObject({
    status: 'failed',
    error: { code: 'service_unavailable', message: 'The recognition server is busy.', retryAfterSeconds: 20 },
  });
});

it('the text of a replaced plan is cached under the models that made it', async () => {
  const contentSha256 = crypto.randomUUID();
  await runJob({ contentSha256, plan: planOf('removed') }, 'present');
  const second = await runJob({ contentSha256, plan: planOf('present') }, 'present');
  expect(second).toMatchObject({ status: 'completed', creditsUsed: 0, result: { isCached: true } });
  expect(used).toHaveLength(1);
});

/** Runs a job whose download lasts a minute; `begun` is called when it begins. */
async function runDownload(signal: AbortSignal, begun = () => {}) {
  const saved: string[] = [];
  const { transcriptions } = store;
  const progress: typeof transcriptions.progress = (id, at) => {
    saved.push(at.stage);
    return transcriptions.progress(id, at);
  };
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const slow: BlobStore = {
    ...blobs,
    async localPath(key, use, stop) {
      begun();
      stop?.throwIfAborted();
      vi.advanceTimersByTime(60_000);
      return blobs.localPath(key, use);
    },
  };
  const used: TranscribeJobServices = {
    ...services('present'),
    store: { ...store, transcriptions: { ...transcriptions, progress } },
    blobs: slow,
    transcribeInWorker(call, _bias, stop) {
      stop.throwIfAborted();
      return transcribeInWorker(call);
    },
  };
  const record = await newUpload({ plan: planOf('present') });
  await store.transcriptions.insert(record);
  const failure: unknown = await runJobOf(record.id, used, false, signal).catch((thrown: unknown) => thrown);
  return { saved, failure, status: (await store.transcriptions.find(record.id))?.status };
}

it('a download of the recording, however long it lasts, is progress', async () => {
  const saved = ['queued', 'queued', 'queued', 'queued'];
  expect(await runDownload(NEVER)).toEqual({ saved, failure: undefined, status: 'completed' });
  expect(vi.getTimerCount()).toBe(0);
});

it('a download ends, and is no progress, when its job is given to another process', async () => {
  const jobSignal = new AbortController();
  const reason = new AppError('service_unavailable', 'The job was given to another process.');
  const ended = await runDownload(jobSignal.signal, () => jobSignal.abort(reason));
  expect(ended).toEqual({ saved: [], failure: reason, status: 'processing' });
  expect(vi.getTimerCount()).toBe(0);
});

const isStored = (blobKey: string) => blobs.localPath(blobKey, async () => true).catch(() => false);

/** Two records of the same recording, whose job runs the last time; the first commit is lost. */
async function runUnanswered(works: Pick<TranscribeJobServices, 'transcribeInWorker'>) {
  const same = { contentSha256: crypto.randomUUID(), plan: planOf('present'), status: 'processing' } as const;
  const [record, joined] = [await newUpload(same), await newUpload(same)];
  for (const newRecord of [record, joined]) await store.transcriptions.insertOrJoin(newRecord as OpenTranscription);
  let isLost = false;
  const unanswered: Store = {
    ...store,
    async transaction(work) {
      const result = await store.transaction(work);
      if (isLost) return result;
      isLost = true;
      throw uncertainCommit('unreachable');
    },
  };
  const used = { ...services('present'), ...works, store: unanswered };
  const published: string[] = [];
  const updates = { ...used.updates, publishFinal: (id: string) => void published.push(id) };
  const ids = [record.id, joined.id];
  const failed = await runJobOf(record.id, { ...used, updates }, true).catch((error: unknown) => error);
  if (failed !== undefined) await failTranscription(record.id, serializeError(failed), { ...used, updates });
  return {
    statuses: await Promise.all(ids.map(async (id) => (await store.transcriptions.find(id))?.status)),
    arePublished: ids.every((id) => published.includes(id)),
    uploads: await Promise.all([record, joined].map(({ blobKey }) => isStored(blobKey!))),
    counted: (await used.metrics.transcriptions.get()).values.map(({ labels }) => labels.outcome),
  };
}

describe('an end that was committed without an answer', () => {
  it('completes the records that joined it, deletes their uploads, and counts no failure', async () => {
    expect(await runUnanswered({ transcribeInWorker })).toEqual({
      statuses: ['completed', 'completed'],
      arePublished: true,
      uploads: [false, false],
      counted: [],
    });
  });

  it('fails the records that joined it, and deletes their uploads', async () => {
    const damaged = {
      // oxlint-disable-next-line require-yield
      async *transcribeInWorker(): AsyncGenerator<TranscriptionEvent> {
        throw new AppError('corrupt_audio');
      },
    };
    expect(await runUnanswered(damaged)).toMatchObject({
      statuses: ['failed', 'failed'],
      arePublished: true,
      uploads: [false, false],
    });
  });
});

it('an error after the end of a record is no failed transcription', async () => {
  const busy = new AppError('service_unavailable', 'The storage is busy.');
  const present = services('present');
  const used = { ...present, blobs: { ...blobs, delete: () => Promise.reject(busy) } };
  const record = await newUpload({ plan: planOf('present') });
  await store.transcriptions.insert(record);
  await expect(runJobOf(record.id, used, true)).rejects.toBe(busy);
  expect((await store.transcriptions.find(record.id))?.status).toBe('completed');
  expect(warnings).toEqual([]);
  expect((await present.metrics.transcriptions.get()).values.map(({ labels }) => labels.outcome)).toEqual([
    'completed',
  ]);
});
