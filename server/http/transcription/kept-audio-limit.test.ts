import { afterAll, beforeAll, expect, test } from 'vitest';
import { form, send, wav, withKey, type Answer } from '#testbed/clients/requests.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

type Account = { id: string; key: string };
/** The plan `keeps-little` keeps three of these, and not four. */
const AUDIO = wav(1);
const submit = ({ key }: Account, audio = AUDIO, ...more: [string, string][]) =>
  send(`${server.baseUrl}/api/stt`, form(['api_key', key], ...more, ['data', audio]));
const keep = (account: Account, audio = AUDIO) => submit(account, audio, ['keep_audio', 'true']);
const idOf = ({ body }: Answer) => String(body['data']!['request_id']);
const usageOf = async ({ key }: Account) => (await send(`${server.baseUrl}/api/usage`, withKey(key))).body;

test('one recording sent again and again is kept until the limit of the plan', async () => {
  const account = await server.newAccount('keeps-little');
  const answers = [];
  for (let i = 0; i < 5; i += 1) answers.push(await keep(account));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
  expect(answers[3]?.body).toMatchObject({ error: { code: 'storage_exceeded' } });
  // The refused upload leaves no file.
  expect(await server.blobs()).toHaveLength(3);
  expect(await server.incoming()).toEqual([]);
  expect(await usageOf(account)).toMatchObject({ kept_audio: { used_mb: 0.1, limit_mb: 0.1 } });
  expect((await submit(account)).status).toBe(200);

  const [first] = answers;
  const path = `${server.baseUrl}/api/speech-to-text/${idOf(first!)}`;
  expect((await send(path, { method: 'DELETE', ...withKey(account.key) })).status).toBe(200);
  expect((await keep(account)).status).toBe(200);
  expect((await keep(account)).status).toBe(429);
});

test('neither simultaneous requests nor several recordings in one keep more', async () => {
  const account = await server.newAccount('keeps-little');
  const before = (await server.blobs()).length;
  const furtherUploads = Array.from({ length: 8 }, (_, index) => keep(account, wav(1 - index / 1_000)));
  const statuses = (await Promise.all(furtherUploads)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(3);
  expect(statuses.filter((status) => status === 429)).toHaveLength(5);
  const both = [1, 2].map((index): [string, Uint8Array<ArrayBuffer>] => ['data', wav(0.5 + index / 1_000)]);
  const other = await server.newAccount('keeps-little');
  for (let i = 0; i < 2; i += 1) expect((await keep(other)).status).toBe(200);
  const batch = form(['api_key', other.key], ['keep_audio', 'true'], ...both, ['data', AUDIO]);
  expect((await send(`${server.baseUrl}/api/stt`, batch)).body).toMatchObject({ error: { code: 'storage_exceeded' } });
  expect((await server.blobs()).length - before).toBe(5);
});

test('a plan without a limit keeps everything', async () => {
  const account = await server.newAccount('pro');
  for (let i = 0; i < 5; i += 1) expect((await keep(account)).status).toBe(200);
  expect(await usageOf(account)).toMatchObject({ kept_audio: { used_mb: 0.2, limit_mb: null } });
});
