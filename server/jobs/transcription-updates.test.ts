import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { afterAll, assert, beforeAll, expect, test } from 'vitest';
import { AppError } from '@jyutsing/contracts/errors';
import type { Segment } from '@jyutsing/contracts/transcript';
import { isFinal } from '@jyutsing/contracts/transcription';
import type { Store } from '#store/store.ts';
import { endAllJoined, newRecord, newResult } from '#test/transcription-records.ts';
import { createTranscriptionUpdates, type TranscriptionUpdates } from './transcription-updates.ts';
import { openTestStore, type TestStore } from '#test/test-store.ts';

let opened: TestStore;
let store: Store;
let accountId: string;
beforeAll(async () => {
  opened = await openTestStore();
  ({ store } = opened);
  ({ id: accountId } = await store.accounts.create({ name: 'an account', plan: 'pro' }));
});
afterAll(() => opened.close());

const FIVE = ['零', '一', '二', '三', '四'].map((text, index): Segment => ({
  text,
  startMs: index * 1_000,
  endMs: index * 1_000 + 900,
  words: [],
  speaker: null,
  confidence: null,
}));
const NEVER = new AbortController().signal;

async function started(): Promise<string> {
  const { id } = await insert();
  await store.transcriptions.start(id);
  return id;
}

async function insert() {
  const record = newRecord(accountId);
  await store.transcriptions.insert(record);
  return record;
}

async function complete(id: string, updates?: TranscriptionUpdates, segments = FIVE): Promise<void> {
  await store.transcriptions.complete(id, {
    result: { ...newResult(), segments },
    cacheKey: '',
    processingSeconds: 1,
    creditsUsed: 5,
  });
  await endAllJoined(store, id);
  updates?.publishFinal(id);
}

const publish = (updates: TranscriptionUpdates, id: string, ...indices: number[]) =>
  indices.forEach((index) => updates.publishSegment(id, FIVE[index]!, index));

/** The texts of all segments, then the final status. */
async function readAll(followed: ReturnType<TranscriptionUpdates['follow']>): Promise<string[]> {
  const texts: string[] = [];
  for (;;) {
    const { done, value } = await followed.next();
    if (done === true) return [...texts, value.status];
    texts.push(value.text);
  }
}
const WHOLE = ['零', '一', '二', '三', '四', 'completed'];

test('a segment that the result cuts by speaker is not repeated', async () => {
  const updates = createTranscriptionUpdates(store);
  const id = await started();
  const followed = updates.follow(id, NEVER);
  publish(updates, id, 0, 1);
  const [first, second, third] = FIVE as [Segment, Segment, Segment];
  const cut = [
    { ...first, endMs: 400, speaker: 'a' },
    { ...first, startMs: 400, speaker: 'b' },
  ];
  await complete(id, updates, [...cut, second, third]);
  expect(await readAll(followed)).toEqual(['零', '一', '二', 'completed']);
});

test('a segment arrives before the record is final', async () => {
  const updates = createTranscriptionUpdates(store);
  const id = await started();
  const followed = updates.follow(id, NEVER);
  const first = followed.next();
  publish(updates, id, 0);
  expect((await first).value).toMatchObject({ text: '零' });
  expect((await store.transcriptions.find(id))?.status).toBe('processing');
  publish(updates, id, 1, 2, 3, 4);
  await complete(id, updates);
  expect(await readAll(followed)).toEqual(WHOLE.slice(1));
});

test('segments published before the first read are not lost', async () => {
  const updates = createTranscriptionUpdates(store);
  const id = await started();
  const followed = updates.follow(id, NEVER);
  publish(updates, id, 0, 1, 2);
  await complete(id, updates);
  expect(await readAll(followed)).toEqual(WHOLE);
});

test.each([
  ['the work restarted', [0, 1, 0, 1, 2, 3, 4]],
  ['the work restarted and ended in another process', [0, 1, 2, 0, 1]],
  ['the first segments were missed', [2, 3, 4]],
  ['the first segments were missed and the work restarted', [3, 4, 0, 1, 2]],
  ['no segment was published', []],
])('every segment comes once and in order when %s', async (_, published) => {
  const updates = createTranscriptionUpdates(store);
  const id = await started();
  const followed = updates.follow(id, NEVER);
  const all = readAll(followed);
  for (const index of published) {
    publish(updates, id, index);
    await turn();
  }
  await complete(id, updates);
  expect(await all).toEqual(WHOLE);
});

test('every segment arrives when the record is already final, or becomes final in another process', async () => {
  const updates = createTranscriptionUpdates(store);
  const before = await started();
  await complete(before);
  expect(await readAll(updates.follow(before, NEVER))).toEqual(WHOLE);
  const otherProcess = await started();
  const all = readAll(updates.follow(otherProcess, NEVER));
  await turn();
  await complete(otherProcess);
  expect(await all).toEqual(WHOLE);
});

test('a failure ends the segments with the failed record', async () => {
  const updates = createTranscriptionUpdates(store);
  const id = await started();
  const followed = updates.follow(id, NEVER);
  publish(updates, id, 0);
  await store.transcriptions.fail(id, {
    error: { code: 'corrupt_audio', message: 'It is cut off.' },
    processingSeconds: 1,
  });
  updates.publishFinal(id);
  expect(await readAll(followed)).toEqual(['零', 'failed']);
});

test('simultaneous followers get all segments of their own transcription', async () => {
  const updates = createTranscriptionUpdates(store);
  const [one, other] = [await started(), await started()];
  const both = [one, one, other].map((id) => readAll(updates.follow(id, NEVER)));
  for (const index of [0, 1, 2, 3, 4]) {
    publish(updates, one, index);
    updates.publishSegment(other, { ...FIVE[index]!, text: String(index) }, index);
    await turn();
  }
  await complete(one, updates);
  const numbered = FIVE.map((segment, index) => ({ ...segment, text: String(index) }));
  await complete(other, updates, numbered);
  expect(await Promise.all(both)).toEqual([WHOLE, WHOLE, ['0', '1', '2', '3', '4', 'completed']]);
});

/** Inserts records of the same work; the first leads, the others join it. */
async function startedTogether(count: number): Promise<string[]> {
  const cacheKey = crypto.randomUUID();
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const record = newRecord(accountId, { cacheKey, status: 'processing', createdAtMs: Date.now() + index });
    assert(!isFinal(record));
    expect(await store.transcriptions.insertOrJoin(record)).toBe(ids[0] ?? null);
    ids.push(record.id);
  }
  return ids;
}

test('a record that joined another gets its segments as they come, the earlier ones too', async () => {
  const updates = createTranscriptionUpdates(store);
  const [leader = '', joined = '', late = ''] = await startedTogether(3);
  const followed = updates.follow(joined, NEVER);
  const first = followed.next();
  publish(updates, leader, 0, 1);
  expect((await first).value).toMatchObject({ text: '零' });
  const followedLate = updates.follow(late, NEVER);
  expect((await followedLate.next()).value).toMatchObject({ text: '零' });
  expect((await store.transcriptions.find(leader))?.status).toBe('processing');
  publish(updates, leader, 2, 3, 4);
  await complete(leader, updates);
  expect(await Promise.all([readAll(followed), readAll(followedLate)])).toEqual([WHOLE.slice(1), WHOLE.slice(1)]);
});

test('a record that joined another goes on with its successor when that one is deleted', async () => {
  const updates = createTranscriptionUpdates(store);
  const [leader = '', successor = '', joined = ''] = await startedTogether(3);
  const followed = updates.follow(joined, NEVER);
  publish(updates, leader, 0, 1);
  expect([(await followed.next()).value, (await followed.next()).value]).toMatchObject([
    { text: '零' },
    { text: '一' },
  ]);
  await store.transcriptions.delete(leader, accountId);
  updates.forgetSegments(leader);
  const next = followed.next();
  publish(updates, successor, 0, 1, 2);
  expect((await next).value).toMatchObject({ text: '二' });
  await complete(successor, updates);
  expect(await readAll(followed)).toEqual(WHOLE.slice(3));
});

test('an abort ends following, and so does deleting the record', async () => {
  const updates = createTranscriptionUpdates(store);
  const id = await started();
  const leaving = new AbortController();
  const followed = updates.follow(id, leaving.signal);
  publish(updates, id, 0);
  leaving.abort(new AppError('client_closed_request'));
  await expect(readAll(followed)).rejects.toMatchObject({ code: 'client_closed_request' });
  const gone = updates.follow(id, NEVER);
  await store.transcriptions.delete(id, accountId);
  await expect(readAll(gone)).rejects.toMatchObject({ code: 'not_found' });
});

/** `stage processed/duration` of every update, then the final status. */
async function readProgress(followed: ReturnType<TranscriptionUpdates['followProgress']>): Promise<string[]> {
  const reports: string[] = [];
  for (;;) {
    const { done, value } = await followed.next();
    if (done === true) return [...reports, value.status];
    reports.push(`${value.stage} ${value.processedMs}/${value.durationMs}`);
  }
}

test('progress comes from this process and the database, never decreases, and ends with the record', async () => {
  const updates = createTranscriptionUpdates(store);
  const id = await started();
  const followed = updates.followProgress(id, NEVER);
  const next = async () => (await followed.next()).value;
  expect(await next()).toEqual({ stage: 'queued', processedMs: 0, durationMs: 3_000 });
  updates.publishProgress(id, { stage: 'recognition', processedMs: 700 });
  updates.publishProgress(id, { stage: 'recognition', processedMs: 800 });
  expect(await next()).toMatchObject({ stage: 'recognition', processedMs: 800 });
  await store.transcriptions.progress(id, { stage: 'recognition', processedMs: 2_000 });
  expect(await next()).toMatchObject({ stage: 'recognition', processedMs: 2_000 });
  // The work restarts: no update until it is further than before.
  await store.transcriptions.start(id);
  updates.publishProgress(id, { stage: 'recognition', processedMs: 100 });
  const rest = readProgress(followed);
  await sleep(1_200);
  updates.publishProgress(id, { stage: 'fusion', processedMs: 0 });
  await sleep(600);
  await complete(id, updates);
  expect(await rest).toEqual(['fusion 0/3000', 'completed']);
});

test('the progress of a record ends when it is final, also in another process', async () => {
  const updates = createTranscriptionUpdates(store);
  const before = await started();
  await complete(before);
  expect(await readProgress(updates.followProgress(before, NEVER))).toEqual(['completed']);
  const otherProcess = await started();
  const rest = readProgress(updates.followProgress(otherProcess, NEVER));
  await turn();
  await complete(otherProcess);
  expect(await rest).toEqual(['queued 0/3000', 'completed']);
});

test('all followers are read together, and each gets its own progress', async () => {
  const reads: number[] = [];
  const { transcriptions } = store;
  const findProgress: typeof transcriptions.findProgress = (ids) => {
    reads.push(ids.length);
    return transcriptions.findProgress(ids);
  };
  const updates = createTranscriptionUpdates({ ...store, transcriptions: { ...transcriptions, findProgress } });
  const ids = await Promise.all(Array.from({ length: 200 }, () => started()));
  const followed = ids.map((id) => updates.followProgress(id, NEVER));
  await Promise.all(followed.map((updates) => updates.next()));
  expect(reads).toEqual([200]);
  const next = followed.map((updates) => updates.next());
  for (const [index, id] of ids.entries()) {
    await store.transcriptions.progress(id, { stage: 'recognition', processedMs: index + 1 });
    updates.publishFinal(id);
  }
  const progress = (await Promise.all(next)).map(({ value }) => value);
  expect(progress).toEqual(
    ids.map((_, index) => ({ stage: 'recognition', processedMs: index + 1, durationMs: 3_000 })),
  );
  for (const id of ids) await complete(id);
  const ends = await Promise.all(followed.map(readProgress));
  expect(ends).toEqual(ids.map(() => ['completed']));
});

test('an abort ends following progress at once, and so does deleting the record', async () => {
  const updates = createTranscriptionUpdates(store);
  const id = await started();
  const leaving = new AbortController();
  const followed = updates.followProgress(id, leaving.signal);
  await followed.next();
  const rest = followed.next();
  leaving.abort(new AppError('client_closed_request'));
  await expect(rest).rejects.toMatchObject({ code: 'client_closed_request' });
  const other = updates.followProgress(id, NEVER);
  await other.next();
  await store.transcriptions.delete(id, accountId);
  await expect(other.next()).rejects.toMatchObject({ code: 'not_found' });
});
