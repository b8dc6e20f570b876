import { afterAll, beforeAll, expect, test } from 'vitest';
import { form, json, send, wav, withKey, type Answer } from '#testbed/clients/requests.ts';
import { scoreWell } from '#test/http/score-well.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';

let server: TestServer;
let scoring = 0;
let scoresAreHeld = Promise.resolve();
beforeAll(async () => {
  server = await startTestServer({
    async scorePronunciation(call, signal) {
      scoring += 1;
      await scoresAreHeld;
      return scoreWell(call, signal);
    },
  });
});
afterAll(() => server[Symbol.asyncDispose]());

type Account = { key: string };
const refusal = ({ status, headers, body }: Answer) => [
  status,
  headers.get('retry-after'),
  String(body['error']?.['code']),
];
const REFUSED = [429, '1', 'concurrency_exceeded'];
const speak = (path: string, { key }: Account) =>
  send(server.baseUrl + path, json('POST', { text: '好', input: '好', voice_id: 'jasmine' }, key));
const submit = (path: string, { key }: Account, ...fields: [string, string][]) =>
  send(server.baseUrl + path, form(['api_key', key], ...fields, ['data', wav(1)], ['file', wav(1)]));

test('speech at the same time is limited by the plan, over all its routes and for each account alone', async () => {
  const [account, other] = [await server.newAccount('one-at-a-time'), await server.newAccount('one-at-a-time')];
  server.state.speechIsHeld = true;
  const first = speak('/api/tts-stream', account);
  await expect.poll(() => server.state.speaking).toBe(1);
  for (const path of ['/api/tts-stream', '/api/tts', '/v1/audio/speech']) {
    expect([path, ...refusal(await speak(path, account))]).toEqual([path, ...REFUSED]);
  }
  const second = speak('/api/tts', other);
  await expect.poll(() => server.state.speaking).toBe(2);
  const usage = async () => (await send(`${server.baseUrl}/api/usage`, withKey(account.key))).body['concurrent'];
  expect(await usage()).toEqual({
    speech: { in_use: 1, limit: 1 },
    scores: { in_use: 0, limit: 1 },
    waits: { in_use: 0, limit: 1 },
    event_streams: { in_use: 0, limit: 1 },
    live: { in_use: 0, limit: 1 },
  });
  server.state.speechIsHeld = false;
  expect([(await first).status, (await second).status]).toEqual([200, 200]);
  await expect.poll(usage).toMatchObject({ speech: { in_use: 0 } });
  expect((await speak('/api/tts', account)).status).toBe(200);
  // Refused requests cost nothing.
  expect((await server.store.quotas.used(account.id)).tts_characters).toBe(4 + 1);
});

test('an unlimited plan shows what runs, and no limit', async () => {
  const account = await server.newAccount('talkative');
  server.state.speechIsHeld = true;
  const before = server.state.speaking;
  const first = speak('/api/tts', account);
  await expect.poll(() => server.state.speaking).toBe(before + 1);
  const path = `/api/admin/accounts/${account.id}/usage`;
  const { body } = await send(server.baseUrl + path, withKey(server.ownerKey));
  expect(body['concurrent']).toMatchObject({ speech: { in_use: 1, limit: null } });
  server.state.speechIsHeld = false;
  expect((await first).status).toBe(200);
});

test('scores at the same time are limited by the plan', async () => {
  const account = await server.newAccount('one-at-a-time');
  const held = Promise.withResolvers<void>();
  scoresAreHeld = held.promise;
  const ask = () =>
    send(
      `${server.baseUrl}/api/score-pronunciation`,
      form(['api_key', account.key], ['text', '好'], ['audio', wav(0.2)]),
    );
  const before = scoring;
  const first = ask();
  await expect.poll(() => scoring).toBe(before + 1);
  expect(refusal(await ask())).toEqual(REFUSED);
  held.resolve();
  expect([(await first).status, (await ask()).status]).toEqual([200, 200]);
});

test('calls that wait and event streams are limited by the plan; submitting and polling are not', async () => {
  const account = await server.newAccount('one-at-a-time');
  server.state.workIsHeld = true;
  const submitted = await submit('/api/stt', account);
  const id = String(submitted.body['data']!['request_id']);
  const waiting = submit('/', account);
  await expect.poll(async () => (await server.store.transcriptions.list(account.id, { limit: 9 })).length).toBe(2);
  for (const path of ['/', '/speech-to-text', '/v1/audio/transcriptions']) {
    expect([path, ...refusal(await submit(path, account))]).toEqual([path, ...REFUSED]);
  }
  expect(refusal(await submit('/api/stt', account, ['wait_for_completion', 'true']))).toEqual(REFUSED);
  expect((await submit('/api/stt', account)).status).toBe(200);
  // A refused recording is neither stored nor charged.
  expect(await server.store.transcriptions.list(account.id, { limit: 9 })).toHaveLength(3);
  expect(await server.incoming()).toEqual([]);

  const events = `${server.baseUrl}/api/speech-to-text/${id}/events`;
  const leaving = new AbortController();
  const followed = await fetch(events, { ...withKey(account.key), signal: leaving.signal });
  expect(followed.status).toBe(200);
  expect(refusal(await send(events, withKey(account.key)))).toEqual(REFUSED);
  leaving.abort();
  server.state.workIsHeld = false;
  expect((await waiting).status).toBe(200);
  // The place is free once the server has noticed that the client left.
  await expect.poll(async () => (await send(events, withKey(account.key))).status).toBe(200);
});
