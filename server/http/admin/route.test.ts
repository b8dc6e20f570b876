import { afterAll, beforeAll, expect, test } from 'vitest';
import { json, send, withKey } from '#testbed/clients/requests.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const call = (method: string, path: string, body?: unknown) =>
  send(
    `${server.baseUrl}/api/admin${path}`,
    body === undefined ? { method, ...withKey(server.ownerKey) } : json(method, body, server.ownerKey),
  );
const code = ({ status, body }: Awaited<ReturnType<typeof send>>) => [status, String(body['error']?.['code'])];

test('an account can be created, given a key, moved to another plan and have its key revoked', async () => {
  const created = await call('POST', '/accounts', { name: ' 陳大文 ', plan: 'small' });
  const account = created.body['account']!;
  expect({ status: created.status, body: created.body }).toMatchObject({
    status: 200,
    body: { success: true, account: { name: '陳大文', plan: 'small', blocked: false } },
  });
  const id = String(account['id']);

  const made = (await call('POST', `/accounts/${id}/keys`, { name: 'phone', scopes: ['stt', 'stt'] })).body;
  expect(made).toMatchObject({ success: true, api_key: expect.stringMatching(/^jyut_/), key: { scopes: ['stt'] } });
  const key = String(made['api_key']);
  const usage = await send(`${server.baseUrl}/api/usage`, withKey(key));
  expect(usage.body).toEqual({ ...(await call('GET', `/accounts/${id}/usage`)).body, key: made['key'] });
  expect(usage.body).toMatchObject({
    success: true,
    account: { id, name: '陳大文' },
    plan: 'small',
    quotas: { stt_seconds: { used: 0, limit: 10, remaining: 10 } },
    rate_limits: { requests_per_minute: 1_000 },
  });

  const changed = await call('PATCH', `/accounts/${id}`, { plan: 'pro' });
  expect(changed.body['account']).toMatchObject({ id, plan: 'pro', blocked: false });
  expect((await send(`${server.baseUrl}/api/usage`, withKey(key))).body['quotas']).toMatchObject({
    stt_seconds: { limit: null, remaining: null },
  });

  const keyId = String(made['key']!['id']);
  expect(await call('DELETE', `/keys/${keyId}`)).toMatchObject({ status: 200, body: { success: true } });
  expect((await call('GET', `/accounts/${id}/keys`)).body['keys']).toMatchObject([{ id: keyId, revoked: true }]);
  expect((await send(`${server.baseUrl}/api/usage`, withKey(key))).status).toBe(401);
  expect(JSON.stringify((await call('GET', '/accounts')).body)).toContain(id);
});

test('the plans are listed with what they include', async () => {
  const { status, body } = await call('GET', '/plans');
  expect(status).toBe(200);
  expect(body['plans']).toContainEqual({
    name: 'free',
    quotas: { stt_seconds: 3_600, tts_characters: 10_000, video_summaries: 5 },
    streaming_speech: false,
  });
});

test('an account is deleted with its keys and data, but never by its own key', async () => {
  const { id, key } = await server.newAccount('pro');
  const other = await server.newAccount('pro');
  const corpus = { name: 'x', entries: [{ text: '蝦餃' }] };
  const made = await send(`${server.baseUrl}/api/corpora`, json('POST', corpus, key));
  expect(made.status).toBe(200);
  expect(await call('DELETE', `/accounts/${id}`)).toMatchObject({ status: 200, body: { success: true } });
  expect((await send(`${server.baseUrl}/api/usage`, withKey(key))).status).toBe(401);
  expect(code(await call('GET', `/accounts/${id}/usage`))).toEqual([404, 'not_found']);
  expect(code(await call('DELETE', `/accounts/${id}`))).toEqual([404, 'not_found']);
  expect((await send(`${server.baseUrl}/api/usage`, withKey(other.key))).status).toBe(200);

  const ownerAccount = (await send(`${server.baseUrl}/api/usage`, withKey(server.ownerKey))).body['account']!;
  expect(code(await call('DELETE', `/accounts/${String(ownerAccount['id'])}`))).toEqual([409, 'conflict']);
});

test('no request can lock out the key that asks', async () => {
  const usage = (await send(`${server.baseUrl}/api/usage`, withKey(server.ownerKey))).body;
  const [account, key] = [String(usage['account']!['id']), String(usage['key']!['id'])];
  const attempts = [
    await call('PATCH', `/accounts/${account}`, { blocked: true }),
    await call('PATCH', `/accounts/${account.toUpperCase()}`, { blocked: true, plan: 'free' }),
    await call('DELETE', `/accounts/${account}`),
    await call('DELETE', `/keys/${key}`),
    await call('DELETE', `/keys/${key.toUpperCase()}`),
  ];
  expect(attempts.map(code)).toEqual(attempts.map(() => [409, 'conflict']));
  expect((await call('PATCH', `/accounts/${account}`, { blocked: false })).status).toBe(200);
});

test('a refusal for a missing scope names the scope', async () => {
  const { id } = await server.newAccount('pro');
  const made = (await call('POST', `/accounts/${id}/keys`, { scopes: ['stt'] })).body;
  const { body } = await send(`${server.baseUrl}/api/admin/accounts`, withKey(String(made['api_key'])));
  expect(body['message']).toBe('This API key has no permission for this endpoint; it lacks the scope "admin".');
});

test('a key created without scopes has all but admin, also with an empty body', async () => {
  const { id } = await server.newAccount('pro');
  for (const init of [{ method: 'POST', ...withKey(server.ownerKey) }, json('POST', {}, server.ownerKey)]) {
    const { body } = await send(`${server.baseUrl}/api/admin/accounts/${id}/keys`, init);
    expect(body['key']).toMatchObject({ scopes: ['stt', 'tts', 'pronunciation', 'video'] });
  }
});

test('the key may be in the JSON body', async () => {
  const body = { api_key: server.ownerKey, name: 'x', plan: 'free' };
  expect((await send(`${server.baseUrl}/api/admin/accounts`, json('POST', body))).status).toBe(200);
});

test.each([
  ['POST', '/accounts', {}, 400, 'invalid_request'],
  ['POST', '/accounts', [], 400, 'invalid_request'],
  ['POST', '/accounts', null, 400, 'invalid_request'],
  ['POST', '/accounts', { name: 1, plan: 'free' }, 400, 'invalid_request'],
  ['POST', '/accounts', { name: ' ', plan: 'free' }, 422, 'invalid_parameter'],
  ['POST', '/accounts', { name: 'a\0b', plan: 'free' }, 422, 'invalid_parameter'],
  ['POST', '/accounts', { name: '\u200b', plan: 'free' }, 422, 'invalid_parameter'],
  ['POST', '/accounts/ID/keys', { name: 'a\u202eb' }, 422, 'invalid_parameter'],
  ['POST', '/accounts', { name: 'a\ud800', plan: 'free' }, 422, 'invalid_parameter'],
  ['POST', '/accounts', { name: 'x'.repeat(201), plan: 'free' }, 422, 'invalid_parameter'],
  ['POST', '/accounts', { name: 'x', plan: 'gold' }, 422, 'invalid_parameter'],
  ['POST', '/accounts', { name: 'x', plan: 'constructor' }, 422, 'invalid_parameter'],
  ['POST', '/accounts', { name: 'x'.repeat(2_000_000), plan: 'free' }, 413, 'payload_too_large'],
  ['PATCH', '/accounts/ID', { blocked: 'yes' }, 400, 'invalid_request'],
  ['PATCH', '/accounts/ID', { plan: 'gold' }, 422, 'invalid_parameter'],
  ['PATCH', '/accounts/nobody', { blocked: true }, 404, 'not_found'],
  ['PATCH', `/accounts/${crypto.randomUUID()}`, { blocked: true }, 404, 'not_found'],
  ['POST', '/accounts/ID/keys', { scopes: ['root'] }, 422, 'invalid_parameter'],
  ['DELETE', `/accounts/${crypto.randomUUID()}`, undefined, 404, 'not_found'],
  ['DELETE', '/accounts/nobody', undefined, 404, 'not_found'],
  ['POST', '/accounts/ID/keys', { scopes: [] }, 400, 'invalid_request'],
  ['POST', '/accounts/nobody/keys', {}, 404, 'not_found'],
  ['DELETE', '/keys/nothing', undefined, 404, 'not_found'],
  ['DELETE', `/keys/${crypto.randomUUID()}`, undefined, 404, 'not_found'],
  ['GET', '/accounts/..%2f..%2fetc/usage', undefined, 404, 'not_found'],
])('%s %s with a bad body or id is refused in one sentence (case %#)', async (method, path, body, status, expected) => {
  const { id } = await server.newAccount('free');
  const answer = await call(method, path.replace('ID', id), body);
  expect(code(answer)).toEqual([status, expected]);
  expect(String(answer.body['message'])).toMatch(/^[A-Z].{5,200}\.$/);
});

const postText = (type: string) =>
  send(`${server.baseUrl}/api/admin/accounts`, {
    method: 'POST',
    headers: { 'content-type': type, 'x-api-key': server.ownerKey },
    body: '{"name": ',
  });

test('malformed JSON is 400 and an unsupported type 415, with the common error body', async () => {
  expect(code(await postText('application/json'))).toEqual([400, 'invalid_request']);
  expect(code(await postText('application/xml'))).toEqual([415, 'unsupported_media_type']);
});

test('a request without the admin scope reveals nothing about accounts or rules', async () => {
  for (const path of ['/accounts', `/accounts/${crypto.randomUUID()}/usage`]) {
    expect(code(await send(`${server.baseUrl}/api/admin${path}`))).toEqual([401, 'missing_api_key']);
  }
  expect(code(await send(`${server.baseUrl}/api/admin/accounts`, json('POST', {})))).toEqual([401, 'missing_api_key']);
});
