import { afterAll, beforeAll, expect, test } from 'vitest';
import { json, send, withKey } from '#testbed/clients/requests.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const get = (key: string) => send(`${server.baseUrl}/api/webhook-secret`, withKey(key));
const rotate = (init: RequestInit) => send(`${server.baseUrl}/api/webhook-secret/rotate`, init);
const post = (key: string) => ({ method: 'POST', ...withKey(key) });

test('simultaneous requests of an account return one secret, which differs from other accounts', async () => {
  const [one, other] = [await server.newAccount('pro'), await server.newAccount('pro')];
  const answers = await Promise.all(Array.from({ length: 8 }, () => get(one.key)));
  const secrets = new Set(answers.map(({ body }) => String(body['secret'])));
  expect(secrets.size).toBe(1);
  expect(answers[0]).toMatchObject({
    status: 200,
    body: { success: true, secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) },
  });
  expect(answers[0]!.headers.get('cache-control')).toBe('no-store');
  expect(secrets).not.toContain(String((await get(other.key)).body['secret']));
});

test('a rotated secret stays valid from then on, also when no secret was read before', async () => {
  const { key } = await server.newAccount('pro');
  const first = await rotate(post(key));
  expect(first).toMatchObject({ status: 200, body: { success: true, secret: expect.stringMatching(/^whsec_/) } });
  expect((await get(key)).body).toEqual(first.body);
  const second = await rotate(json('POST', {}, key));
  expect(second.body['secret']).not.toEqual(first.body['secret']);
  expect((await get(key)).body).toEqual(second.body);
});

test('requests without a key or scope reveal and change nothing', async () => {
  const owner = await server.newAccount('pro');
  const { key } = await server.newAccount('pro', ['tts']);
  const before = (await get(owner.key)).body;
  for (const call of [get, (secretKey: string) => rotate(post(secretKey))]) {
    expect(await call('jyut_unknown')).toMatchObject({ status: 401, body: { error: { code: 'invalid_api_key' } } });
    expect(await call(key)).toMatchObject({ status: 403, body: { error: { code: 'insufficient_scope' } } });
  }
  expect((await send(`${server.baseUrl}/api/webhook-secret`)).body).toMatchObject({
    error: { code: 'missing_api_key' },
  });
  expect((await get(owner.key)).body).toEqual(before);
});
