import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { form, send, wav, withKey, type Answer } from '#testbed/clients/requests.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

type Account = { id: string; key: string };
const AUDIO = wav(2);
/** Waits for the text; such a transcription has the id of its request. */
const transcribe = ({ key }: Account, audio: Uint8Array<ArrayBuffer>, headers: Record<string, string>) =>
  send(`${server.baseUrl}/`, { ...form(['api_key', key], ['data', audio]), headers });
const remove = async (path: string, key: string) => {
  expect((await send(server.baseUrl + path, { method: 'DELETE', ...withKey(key) })).status).toBe(200);
};
const idOf = ({ headers }: Answer) => headers.get('x-request-id') ?? '';

test('a repeated request never gets the record of another account that has the same id', async () => {
  const [account, other] = [await server.newAccount('pro'), await server.newAccount('pro')];
  const id = randomUUID();
  const headers = { 'idempotency-key': 'k', 'x-request-id': id };
  expect(idOf(await transcribe(account, AUDIO, headers))).toBe(id);
  await remove(`/api/speech-to-text/${id}`, account.key);
  const taken = await transcribe(other, wav(3), { 'x-request-id': id });
  expect([taken.status, idOf(taken) === id]).toEqual([200, false]);
  const repeated = await transcribe(account, AUDIO, headers);
  expect(repeated.status).toBe(200);
  const record = await server.store.transcriptions.find(idOf(repeated));
  expect(record).toMatchObject({ accountId: account.id, sizeBytes: AUDIO.length });
});

test.each(['deleted', 'deleted with its account'])('work of a record that was %s ends no other one', async (how) => {
  const account = await server.newAccount('pro');
  const id = randomUUID();
  server.state.workIsHeld = true;
  const interrupted = transcribe(account, wav(30), { 'x-request-id': id });
  await expect.poll(() => server.store.transcriptions.find(id)).not.toBeNull();
  if (how === 'deleted') await remove(`/api/speech-to-text/${id}`, account.key);
  else await remove(`/api/admin/accounts/${account.id}`, server.ownerKey);
  const next = how === 'deleted' ? account : await server.newAccount('pro');
  const waiting = transcribe(next, AUDIO, { 'x-request-id': id });
  await expect.poll(() => server.store.transcriptions.list(next.id, { limit: 1 })).toHaveLength(1);
  server.state.workIsHeld = false;
  const answer = await waiting;
  expect([answer.status, idOf(answer) === id]).toEqual([200, false]);
  expect((await interrupted).status).toBeGreaterThanOrEqual(400);
  expect(await server.store.transcriptions.find(id)).toBeNull();
  expect(await server.store.transcriptions.find(idOf(answer))).toMatchObject({ durationMs: 2_000, creditsUsed: 2 });
});
