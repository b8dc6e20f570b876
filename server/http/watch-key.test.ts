import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLive } from '#testbed/clients/live-client.ts';
import { withKey } from '#testbed/clients/requests.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';
import { newRecord } from '#test/transcription-records.ts';

/** Two seconds, and a busy machine. */
const WITHIN_MS = 5_000;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

test.each(['/v1/speak', '/v2/speak'])(
  'a revoked key ends %s in silence',
  async (path) => {
    const { key, keyId } = await server.newAccount('pro');
    const client = await openLive(server.baseUrl, path, { key });
    await server.store.keys.revoke(keyId);
    expect(await client.closed).toEqual({ code: 1008, reason: 'invalid_api_key' });
  },
  WITHIN_MS,
);

test(
  'a revoked key ends the stream of events that it opened',
  async () => {
    const { id: accountId, key, keyId } = await server.newAccount('pro');
    const record = newRecord(accountId, { status: 'processing' });
    await server.store.transcriptions.insert(record);
    const answer = await fetch(`${server.baseUrl}/api/speech-to-text/${record.id}/events`, withKey(key));
    expect(answer.status).toBe(200);
    await server.store.keys.revoke(keyId);
    await expect(answer.text()).rejects.toThrow('terminated');
  },
  WITHIN_MS,
);
