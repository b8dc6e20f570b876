import { afterAll, beforeAll, expect, it } from 'vitest';
import { DeepgramClient } from '@deepgram/sdk';
import { openLive } from '#testbed/clients/live-client.ts';
import { json, send } from '#testbed/clients/requests.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

it('the client of Deepgram gets a token that opens streams, and nothing else', async () => {
  const base = server.baseUrl;
  const environment = { base, production: base, agent: base, agentRest: base };
  const deepgram = new DeepgramClient({ apiKey: server.ownerKey, environment });
  expect(await deepgram.auth.v1.tokens.grant()).toMatchObject({ expires_in: 30 });
  const { access_token: key, expires_in } = await deepgram.auth.v1.tokens.grant({ ttl_seconds: 60 });
  expect(expires_in).toBe(60);
  const live = await openLive(base, '/v1/listen?encoding=linear16', { key });
  live.send({ type: 'CloseStream' });
  expect(await live.closed).toMatchObject({ code: 1000 });
  expect((await send(`${base}/v1/projects`, { headers: { authorization: `Bearer ${key}` } })).status).toBe(403);
});

it.each([0, 3_601, 1.5, 'soon'])('a time to live of %j is refused', async (seconds) => {
  const request = json('POST', { ttl_seconds: seconds, api_key: server.ownerKey });
  expect((await send(`${server.baseUrl}/v1/auth/grant`, request)).status).toBe(400);
});
