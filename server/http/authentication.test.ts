import { afterAll, beforeAll, expect, test } from 'vitest';
import { form, json, send, wav, withKey } from '#testbed/clients/requests.ts';
import { keyWithSecret } from '#server/features/accounts/api-keys.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const usage = (headers: Record<string, string> = {}) => send(`${server.baseUrl}/api/usage`, { headers });
const poll = (key: string) => send(`${server.baseUrl}/api/speech-to-text/get-result?id=x`, withKey(key));
const code = ({ status, body }: Awaited<ReturnType<typeof send>>) => [status, String(body['error']?.['code'])];

test('a key is taken from x-api-key, else from Authorization', async () => {
  const { ownerKey } = server;
  expect((await usage({ 'x-api-key': ownerKey })).status).toBe(200);
  expect((await usage({ 'x-api-key': ` ${ownerKey} ` })).status).toBe(200);
  expect((await usage({ authorization: `Bearer ${ownerKey}` })).status).toBe(200);
  expect((await usage({ authorization: `bearer ${ownerKey}`, 'x-api-key': ' ' })).status).toBe(200);
  expect(code(await usage({ authorization: `Bearer ${ownerKey}`, 'x-api-key': 'bad' }))).toEqual([
    401,
    'invalid_api_key',
  ]);
});

test.each([
  [{}, 'missing_api_key'],
  [{ 'x-api-key': '' }, 'missing_api_key'],
  [{ 'x-api-key': '   ' }, 'missing_api_key'],
  [{ authorization: 'Basic dTpw' }, 'missing_api_key'],
  [{ authorization: 'Bearer ' }, 'missing_api_key'],
  [{ 'x-api-key': 'x'.repeat(10_000) }, 'invalid_api_key'],
  [{ 'x-api-key': "' or '1'='1" }, 'invalid_api_key'],
])('a request without a valid key is 401 (case %#)', async (headers: Record<string, string>, expected) => {
  const answer = await usage(headers);
  expect(code(answer)).toEqual([401, expected]);
  expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  expect(answer.headers.get('x-ratelimit-limit')).toBeNull();
});

test('a key in the URL is ignored, because URLs are logged', async () => {
  expect(code(await send(`${server.baseUrl}/api/usage?api_key=${server.ownerKey}`))).toEqual([401, 'missing_api_key']);
});

test('revoking a key and blocking or unblocking an account take effect at once', async () => {
  const { id, key, keyId } = await server.newAccount('pro');
  const admin = `${server.baseUrl}/api/admin`;
  expect((await poll(key)).status).toBe(200);
  await send(`${admin}/accounts/${id}`, json('PATCH', { blocked: true }, server.ownerKey));
  expect(code(await poll(key))).toEqual([401, 'account_blocked']);
  await send(`${admin}/accounts/${id}`, json('PATCH', { blocked: false }, server.ownerKey));
  expect((await poll(key)).status).toBe(200);
  await send(`${admin}/keys/${keyId}`, { method: 'DELETE', ...withKey(server.ownerKey) });
  expect(code(await poll(key))).toEqual([401, 'invalid_api_key']);
});

test('a key without the scope is 403', async () => {
  const { key } = await server.newAccount('pro', ['tts']);
  expect(code(await poll(key))).toEqual([403, 'insufficient_scope']);
  expect(code(await send(`${server.baseUrl}/api/stt`, form(['api_key', key], ['data', wav(1)])))).toEqual([
    403,
    'insufficient_scope',
  ]);
  expect(code(await send(`${server.baseUrl}/api/admin/accounts`, withKey(key)))).toEqual([403, 'insufficient_scope']);
  expect((await usage({ 'x-api-key': key })).status).toBe(200);
});

test('the database contains only the hash and the beginning of a key', async () => {
  const { id, key } = await server.newAccount('pro');
  const kept = JSON.stringify(await server.store.keys.list(id));
  expect(kept).not.toContain(key);
  expect(kept).toContain(key.slice(0, 11));
  expect(key).toMatch(/^jyut_[0-9A-Za-z]{40}$/);
});

test('all keys of an account share its rate limits, with a separate one for polls and a Retry-After', async () => {
  const { key } = await server.newAccount('slow');
  for (const remaining of ['2', '1', '0']) {
    const { status, headers } = await usage({ 'x-api-key': key });
    expect([status, headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]).toEqual([
      200,
      '3',
      remaining,
    ]);
  }
  const refused = await usage({ 'x-api-key': key });
  expect(code(refused)).toEqual([429, 'rate_limit_exceeded']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(20);
  expect(Number(refused.headers.get('x-ratelimit-reset'))).toBeGreaterThan(30);
  const upload = await send(`${server.baseUrl}/api/stt`, form(['api_key', key], ['data', wav(1)]));
  expect(code(upload)).toEqual([429, 'rate_limit_exceeded']);
  expect((await poll(key)).headers.get('x-ratelimit-remaining')).toBe('3');
});

test('an account whose plan is not configured any more is refused as plan_required', async () => {
  const account = await server.store.accounts.create({ name: 'x', plan: 'forgotten' });
  const { issueKey } = await import('#features/accounts/api-keys.ts');
  const issued = issueKey('x', ['stt']);
  await server.store.keys.create(account.id, issued.stored);
  expect(code(await poll(issued.secret))).toEqual([403, 'plan_required']);
});

test('invalid keys are rate-limited by IP address, valid keys from the same address are not', async () => {
  await using roomyServer = await startTestServer({ connectionsPerAddress: 1_000 });
  const attempt = () => send(`${roomyServer.baseUrl}/api/usage`, withKey('guess'));
  // 600 are free, and ten more with every second that this takes.
  const answers = await Promise.all(Array.from({ length: 900 }, attempt));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(20);
  expect(refused[0]?.headers.get('retry-after')).toBe('1');
  expect((await send(`${roomyServer.baseUrl}/api/usage`, withKey(roomyServer.ownerKey))).status).toBe(200);
});

test('the key of the documentation opens nothing from elsewhere, whatever the database holds', async () => {
  for (const changes of [{ isLocal: false }, { trustProxy: 1 }]) {
    await using distant = await startTestServer(changes);
    const { id } = await distant.newAccount('pro');
    await distant.store.keys.create(id, keyWithSecret('first', ['stt'], 'jyut_my-first-key').stored);
    const ask = (headers: Record<string, string>) => send(`${distant.baseUrl}/api/usage`, { headers });
    const answer = await ask({ 'x-api-key': 'jyut_my-first-key', 'x-forwarded-for': '203.0.113.9' });
    expect([...code(answer), answer.body['message']]).toEqual([
      401,
      'invalid_api_key',
      expect.stringContaining('keys create'),
    ]);
    expect((await ask({ 'x-api-key': 'jyut_my-first-key' })).status).toBe(changes.isLocal === false ? 401 : 200);
  }
});
