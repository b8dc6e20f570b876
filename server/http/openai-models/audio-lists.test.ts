import { afterAll, beforeAll, expect, test } from 'vitest';
import { send, withKey } from '#testbed/clients/requests.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';

let server: TestServer;
let distant: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  distant = await startTestServer({ isLocal: false });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await distant[Symbol.asyncDispose]();
});

const idsOf = (entries: unknown) => (entries as { id: string }[]).map(({ id }) => id);

test('/v1/audio/voices lists public voices without a key, and those of the account with one', async () => {
  const { samplePath } = server;
  const texts = { language: null, gender: null, description: null, transcript: null, engine: null };
  const { id, key } = await server.newAccount('pro', ['tts']);
  const ownVoice = await server.voices.create(id, { ...texts, name: '阿明', consent: true, samplePath });
  const anyone = await send(`${server.baseUrl}/v1/audio/voices`);
  expect(idsOf(anyone.body['voices']).slice(0, 3)).toEqual(['jasmine', 'kelvin', 'alloy']);
  const answer = await send(`${server.baseUrl}/v1/audio/voices`, withKey(key));
  expect(answer.body['voices']).toContainEqual({ id: ownVoice.id, name: '阿明' });
});

test('/v1/audio/models lists synthesis models, the best one first', async () => {
  const { body } = await send(`${server.baseUrl}/v1/audio/models`);
  expect(body['models']).toEqual(['tts-1', 'tones', 'server-tones'].map((id) => ({ id, name: id })));
});

test.each(['voices', 'models'])('/v1/audio/%s needs a key when other machines can reach the server', async (list) => {
  expect((await send(`${distant.baseUrl}/v1/audio/${list}`)).status).toBe(401);
  expect((await send(`${distant.baseUrl}/v1/audio/${list}`, withKey(distant.ownerKey))).status).toBe(200);
  expect((await send(`${server.baseUrl}/v1/audio/${list}`, withKey('nonsense'))).status).toBe(401);
});
