import { once } from 'node:events';
import { afterAll, assert, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { BlobStore } from '@jyutsing/contracts/blobs';
import { AppError } from '@jyutsing/contracts/errors';
import { isFinal, type TranscriptionEvent, type TranscriptionRecord } from '@jyutsing/contracts/transcription';
import type { TranscriptionPlan } from '@jyutsing/contracts/transcription-plan';
import { openQueue } from '#queue/open-queue.ts';
import type { Queue } from '#queue/queue.ts';
import { openBlobs } from '#store/blobs.ts';
import { openStore } from '#store/open-store.ts';
import type { Store } from '#store/store.ts';
import { createLogger } from '#telemetry/logger.ts';
import { createMetrics } from '#telemetry/metrics.ts';
import { databasesToTest } from '#testbed/servers/postgres.ts';
import { openTestStore, type TestStore } from '#test/test-store.ts';
import { recognizerModels, recognizerRef } from '#test/transcription-models.ts';
import { newRecord, newResult } from '#test/transcription-records.ts';
import { startHousekeeping } from './housekeeping.ts';
import { createModelHealth } from '#features/transcription/model-health.ts';
import { createTranscribeJob, type TranscribeJobServices } from './transcribe.ts';
import { createTranscriptionUpdates } from './transcription-updates.ts';

/** Records that join another: more than are ended at once. */
const JOINED = 40;
/** More than the pool has connections. */
const UPLOADS = 12;
const NEVER = new AbortController().signal;
const plan: TranscriptionPlan = {
  backend: 'test',
  version: 'test 1',
  willFuse: false,
  models: recognizerModels(recognizerRef('builtin', 'test')),
};

type Transcribe = TranscribeJobServices['transcribeInWorker'];

async function* completes(): AsyncGenerator<TranscriptionEvent> {
  yield { type: 'result', result: newResult() };
}
// oxlint-disable-next-line require-yield
async function* fails(): AsyncGenerator<TranscriptionEvent> {
  throw new AppError('corrupt_audio');
}

describe.each(databasesToTest())('records that joined one that ends, on $name', (database) => {
  let opened: TestStore;
  let store: Store;
  /** As another process has; SQLite has one writer. */
  let other: Store;
  let queue: Queue;
  let blobs: BlobStore;
  let accountId: string;

  beforeAll(async () => {
    opened = await openTestStore(database);
    ({ store } = opened);
    other = database.name === 'postgres' ? await openStore(opened) : store;
    queue = await openQueue({ store });
    blobs = await openBlobs({ dataDir: opened.dataDir, s3: null });
  });
  afterAll(async () => {
    await queue.close();
    if (other !== store) await other.close();
    await opened.close();
  });
  beforeEach(async () => {
    accountId = (await store.accounts.create({ name: 'an account', plan: 'free' })).id;
  });

  const services = (used: Store, transcribeInWorker: Transcribe): TranscribeJobServices => ({
    store: used,
    queue,
    blobs: { ...blobs, localPath: (_key, use) => use('/no/file') },
    corpora: { load: async () => [] },
    planTranscription: () => plan,
    isPlanAvailable: () => true,
    transcribeInWorker,
    updates: createTranscriptionUpdates(store),
    monthlySeconds: async () => null,
    health: createModelHealth(),
    metrics: createMetrics(),
    logger: createLogger('silent'),
  });
  const run = async ({ id }: { id: string }, transcribe: Transcribe = completes, used = store): Promise<void> => {
    const job = { id: 'job', name: 'transcribe' as const, payload: { transcriptionId: id } };
    await createTranscribeJob(services(used, transcribe))({ ...job, attempt: 1, isLastAttempt: true }, NEVER);
  };
  const join = async (contentSha256: string): Promise<TranscriptionRecord> => {
    const change = { contentSha256, cacheKey: contentSha256, plan, blobKey: 'uploads/sound' };
    const record = newRecord(accountId, { ...change, callbackUrl: 'https://example.com/heard' });
    assert(!isFinal(record));
    await store.transcriptions.insertOrJoin(record);
    return record;
  };
  /** A record with a reservation, and those that joined it. */
  const joinMany = async () => {
    const contentSha256 = crypto.randomUUID();
    const leader = await join(contentSha256);
    const reservation = { amount: 3, limit: null, requestId: leader.id, heldBy: 'record' } as const;
    await store.quotas.reserve({ accountId, unit: 'stt_seconds', ...reservation });
    const joined = [];
    for (let count = 0; count < JOINED; count += 1) joined.push(await join(contentSha256));
    return { contentSha256, leader, joined };
  };
  const statusesOf = async (records: readonly TranscriptionRecord[]) => {
    const found = await Promise.all(records.map(({ id }) => store.transcriptions.find(id)));
    const byStatus = Object.entries(Object.groupBy(found, (record) => record?.status ?? 'deleted'));
    return byStatus.map(([status, of]) => `${of?.length} ${status}`).toSorted();
  };
  const used = async () => (await store.quotas.used(accountId)).stt_seconds;
  const deliveries = async () => (await queue.depth()).deliver.waiting;
  /** A store of a process that is killed when it begins this transaction. */
  const endsBefore = (last: number): Store => {
    let begun = 0;
    return {
      ...store,
      transaction(work) {
        begun += 1;
        return begun < last ? store.transaction(work) : Promise.reject(new Error('killed'));
      },
    };
  };

  it('are ended once when the process is killed between them, and cost and deliver once', async () => {
    const { leader, joined } = await joinMany();
    const before = await deliveries();
    // The first transaction ends the work, and the second some that joined it.
    await expect(run(leader, completes, endsBefore(3))).rejects.toThrow('killed');
    expect(await statusesOf(joined)).toEqual(['16 completed', '24 pending']);
    expect(await deliveries()).toBe(before + 17);
    expect(await used()).toBe(3);
    await run(leader);
    expect(await statusesOf(joined)).toEqual([`${JOINED} completed`]);
    expect(await deliveries()).toBe(before + 1 + JOINED);
    await run(leader);
    expect(await deliveries()).toBe(before + 1 + JOINED);
    expect(await used()).toBe(3);
  });

  it('are ended by housekeeping when no job is left that would', async () => {
    const { leader, joined } = await joinMany();
    // As of a record without progress, whose process is killed meanwhile.
    const error = { code: 'timed_out', message: 'Too late.' } as const;
    await store.transcriptions.fail(leader.id, { error, processingSeconds: null });
    const limits = { stuckAfterMs: 3_600_000, retentionMs: null };
    const stop = startHousekeeping({ ...services(store, fails), queue }, limits);
    await expect.poll(() => statusesOf(joined)).toEqual([`${JOINED} failed`]);
    stop();
    expect(await store.transcriptions.find(joined[0]!.id)).toMatchObject({ error, processingSeconds: 0 });
    expect(await used()).toBe(0);
  });

  it('are ended by its job when another process has ended it meanwhile, and was killed', async () => {
    const { leader, joined } = await joinMany();
    const error = { code: 'timed_out', message: 'Too late.' } as const;
    const isEnded: Transcribe = async function* (_call, _bias, signal) {
      await store.transcriptions.fail(leader.id, { error, processingSeconds: null });
      yield { type: 'progress', stage: 'recognition', processedMs: 0 };
      if (!signal.aborted) await once(signal, 'abort');
      throw signal.reason;
    };
    await run(leader, isEnded);
    expect(await statusesOf(joined)).toEqual([`${JOINED} failed`]);
  });

  it('fail with it', async () => {
    const { leader, joined } = await joinMany();
    const before = await deliveries();
    await run(leader, fails);
    expect(await statusesOf(joined)).toEqual([`${JOINED} failed`]);
    expect(await deliveries()).toBe(before + 1 + JOINED);
    expect(await used()).toBe(0);
  });

  // SQLite has one connection that writes, and reads with another.
  if (database.name === 'sqlite') return;
  it('leave connections to uploads of the same recording, and to other accounts', async () => {
    const { contentSha256, leader, joined } = await joinMany();
    let ending: Promise<unknown> = Promise.resolve();
    await other.transaction(async ({ raw }) => {
      await raw.executeSql('select 1 from transcriptions where id = any($1) for update', [joined.map(({ id }) => id)]);
      ending = run(leader);
      await expect.poll(async () => (await other.transcriptions.find(leader.id))?.status).toBe('completed');
      await Promise.all(Array.from({ length: UPLOADS }, () => join(contentSha256)));
      expect(await store.accounts.find(accountId)).not.toBeNull();
    });
    await ending;
    expect(await statusesOf(joined)).toEqual([`${JOINED} completed`]);
  });
});
