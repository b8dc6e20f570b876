import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { form, send, wav, withKey } from '#testbed/clients/requests.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';

// The same recording, sent again before its transcription has ended.

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

type Account = { id: string; key: string };
const newAccount = (plan = 'pro'): Promise<Account> => server.newAccount(plan);
const usedSeconds = async ({ id }: Account) => (await server.store.quotas.used(id)).stt_seconds;
const call = (method: string, path: string, { key }: Account) =>
  send(server.baseUrl + path, { method, ...withKey(key) });

/** Submits a recording `count` times at once; returns the ids. */
const submit = async (
  count: number,
  account: Account,
  audio: Uint8Array<ArrayBuffer>,
  fields: Record<string, string> = {},
) => {
  const parts = Object.entries({ api_key: account.key, ...fields });
  const answers = await Promise.all(
    Array.from({ length: count }, () => send(`${server.baseUrl}/api/stt`, form(...parts, ['data', audio]))),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  return answers.map(({ body }) => String(body['data']!['request_id']));
};
const recordsOf = (ids: readonly string[]) => Promise.all(ids.map((id) => server.store.transcriptions.find(id)));
const haveEnded = async (ids: readonly string[], status: string) => {
  const statuses = async () => (await recordsOf(ids)).map((record) => record?.status);
  await expect.poll(statuses).toEqual(ids.map(() => status));
};
const remove = (id: string, account: Account) => call('DELETE', `/api/speech-to-text/${id}`, account);
/** The record whose job does the work: the only one that was started. */
const workingOn = async (ids: readonly string[]) => {
  const started = async () =>
    (await recordsOf(ids)).flatMap((record) => (record === null || record.startedAtMs === null ? [] : [record.id]));
  await expect.poll(started).toHaveLength(1);
  return String((await started())[0]);
};
beforeEach(() => {
  server.state.workIsHeld = true;
});
afterEach(() => {
  server.state.workIsHeld = false;
  server.state.deletionIsHeld = false;
});

test('it is transcribed once and charged once; each request has its own record', async () => {
  // Ten seconds of quota would not do for two.
  const account = await newAccount('small');
  const ids = await submit(3, account, wav(9.5), { callback_url: 'https://example.com/heard' });
  expect(new Set(ids).size).toBe(3);
  expect(await usedSeconds(account)).toBe(10);
  server.state.workIsHeld = false;
  await haveEnded(ids, 'completed');
  expect(await usedSeconds(account)).toBe(10);
  const records = await recordsOf(ids);
  const outcomes = records.map((record) =>
    record?.status === 'completed' ? [record.creditsUsed, record.result.isCached] : [],
  );
  expect(outcomes.toSorted()).toEqual([
    [0, true],
    [0, true],
    [10, false],
  ]);
  for (const id of ids) {
    expect((await call('GET', `/api/speech-to-text/${id}.txt`, account)).body['text']).toBe('早晨 你好媽\n');
  }
});

test('it passes to the others before the audio of a deleted record goes', async () => {
  const account = await newAccount('small');
  const ids = await submit(2, account, wav(9.5));
  const first = await workingOn(ids);
  const [record] = await recordsOf([first]);
  // Storage that fails shows the order: what comes after it would not be done.
  await server.breakBlob(record!.blobKey!);
  expect((await remove(first, account)).status).toBe(200);
  expect(await server.store.transcriptions.find(first)).toBeNull();
  server.state.workIsHeld = false;
  await haveEnded(
    ids.filter((id) => id !== first),
    'completed',
  );
});

test('it is transcribed for the others when the first is deleted, and charged once', async () => {
  const account = await newAccount('small');
  const ids = await submit(3, account, wav(9.5));
  const first = await workingOn(ids);
  expect((await remove(first, account)).status).toBe(200);
  const otherIds = ids.filter((id) => id !== first);
  const second = await workingOn(otherIds);
  expect(await usedSeconds(account)).toBe(10);
  expect((await remove(second, account)).status).toBe(200);
  server.state.workIsHeld = false;
  await haveEnded(
    otherIds.filter((id) => id !== second),
    'completed',
  );
  expect(await usedSeconds(account)).toBe(10);
});

test('it is charged as if sent once when one that waits is deleted, and given back when all are', async () => {
  const account = await newAccount();
  const ids = await submit(2, account, wav(9.5));
  const first = await workingOn(ids);
  const second = ids.find((id) => id !== first) ?? '';
  expect((await remove(second, account)).status).toBe(200);
  expect(await usedSeconds(account)).toBe(10);
  expect((await remove(first, account)).status).toBe(200);
  expect(await usedSeconds(account)).toBe(0);
});

/** Twenty records of it: the first is failed, as when a process has not ended the others yet. */
const endFirst = async (account: Account) => {
  const ids = await submit(20, account, wav(9.5));
  const first = await workingOn(ids);
  const otherIds = ids.filter((id) => id !== first);
  const error = { code: 'corrupt_audio', message: 'The audio file is damaged or incomplete.' } as const;
  await server.store.transcriptions.fail(first, { error, processingSeconds: 1 });
  expect(new Set((await recordsOf(otherIds)).map((record) => record?.status))).toEqual(new Set(['processing']));
  return { first, others: otherIds };
};

test('its outcome reaches the others before the record that has it is deleted', async () => {
  const account = await newAccount();
  const { first, others } = await endFirst(account);
  expect((await remove(first, account)).status).toBe(200);
  expect((await recordsOf(others)).map((record) => record?.status)).toEqual(others.map(() => 'failed'));
});

test('its outcome reaches the others although the storage of files does not answer', async () => {
  const account = await newAccount();
  const { first, others } = await endFirst(account);
  server.state.deletionIsHeld = true;
  const removed = remove(first, account);
  await haveEnded(others, 'failed');
  await expect.poll(() => server.store.transcriptions.find(first)).toBeNull();
  server.state.deletionIsHeld = false;
  expect((await removed).status).toBe(200);
  const kept = (await recordsOf(others)).map((record) => record?.blobKey?.split('/').at(-1));
  expect((await server.blobs()).filter((name) => kept.includes(name))).toEqual([]);
});

test('it fails for all when the first fails, and costs nothing', async () => {
  const account = await newAccount();
  const ids = await submit(3, account, wav(9.5), { context: 'FAIL' });
  server.state.workIsHeld = false;
  await haveEnded(ids, 'failed');
  expect(await usedSeconds(account)).toBe(0);
  const errors = (await recordsOf(ids)).map((record) => (record?.status === 'failed' ? record.error.code : ''));
  expect(errors).toEqual(ids.map(() => 'corrupt_audio'));
});

test('it shows the progress of the work in every record', async () => {
  const account = await newAccount();
  const ids = await submit(2, account, wav(9.5));
  await server.store.transcriptions.progress(await workingOn(ids), { stage: 'recognition', processedMs: 4_000 });
  const found = await server.store.transcriptions.findProgress(ids);
  for (const id of ids) {
    expect(found.get(id)).toMatchObject({ status: 'processing', stage: 'recognition', processedMs: 4_000 });
  }
});

test('it is transcribed for each account, and for each set of options', async () => {
  const [account, other] = [await newAccount(), await newAccount()];
  const audio = wav(9.5);
  await submit(2, account, audio);
  await submit(1, account, audio, { context: 'another' });
  await submit(1, other, audio);
  expect([await usedSeconds(account), await usedSeconds(other)]).toEqual([20, 10]);
});
