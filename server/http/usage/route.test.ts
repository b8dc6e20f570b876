import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { quotaPeriod } from '@jyutsing/contracts/quota-period';
import { send, withKey } from '#testbed/clients/requests.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterEach(() => void vi.useRealTimers());
afterAll(() => server[Symbol.asyncDispose]());

test('an account sees the usage of its own month, which begins on the day of its creation', async () => {
  const createdAtMs = Date.UTC(2026, 0, 31, 9);
  vi.setSystemTime(createdAtMs);
  const { id, key } = await server.newAccount('small', []);
  const usage = async () => (await send(`${server.baseUrl}/api/usage`, withKey(key))).body;
  const ask = { accountId: id, unit: 'stt_seconds', amount: 3, limit: null, heldBy: 'record' } as const;
  await server.store.quotas.reserve({ ...ask, requestId: 'january' });
  expect(await usage()).toMatchObject({
    period: '2026-01-31',
    period_start: '2026-01-31T00:00:00.000Z',
    period_end: '2026-02-28T00:00:00.000Z',
    quotas: { stt_seconds: { used: 3, limit: 10, remaining: 7 } },
  });
  vi.setSystemTime(quotaPeriod(createdAtMs, createdAtMs).endMs);
  expect(await usage()).toMatchObject({
    period: '2026-02-28',
    period_end: '2026-03-31T00:00:00.000Z',
    quotas: { stt_seconds: { used: 0, limit: 10, remaining: 10 } },
  });
  vi.setSystemTime(createdAtMs);
  expect(await usage()).toMatchObject({ quotas: { stt_seconds: { used: 3 } } });
});

test('a key learns what it may do', async () => {
  const { key } = await server.newAccount('small', ['tts', 'pronunciation']);
  const { body } = await send(`${server.baseUrl}/api/usage`, withKey(key));
  expect(body).toMatchObject({ key: { scopes: ['tts', 'pronunciation'], revoked: false } });
  expect(JSON.stringify(body)).not.toContain(key);
});
