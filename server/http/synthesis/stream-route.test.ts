import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { json, send, sendRaw, type Answer } from '#testbed/clients/requests.ts';
import { bodyOf, disconnectWhen, openPost } from '#test/http/sound.ts';
import { FAILURES } from '#test/http/speak.ts';
import { newSpeakingState } from '#test/http/speaking-state.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';

let server: TestServer;
let account: { id: string; key: string };
beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(async () => {
  account = await server.newAccount('pro', ['tts']);
  Object.assign(server.state, newSpeakingState());
});
afterEach(() => {
  server.state.speechIsHeld = false;
});
afterAll(() => server[Symbol.asyncDispose]());

const url = () => `${server.baseUrl}/api/tts-stream`;
const REQUEST = { text: '早晨', voice_id: 'jasmine' };
const ask = (change: object = {}, key: string | null = account.key) =>
  send(url(), json('POST', { ...REQUEST, ...change }, key ?? undefined));
const open = (change: object = {}, key = account.key) => openPost(url(), { ...REQUEST, ...change }, key);
const refusal = ({ status, body }: Answer) => [status, String(body['error']?.['code'])];
const usedBy = async ({ id }: { id: string }) => (await server.store.quotas.used(id)).tts_characters;
const reservations = async () => await server.store.quotas.releaseAbandoned(Date.now() + 1_000_000);
const idle = () => vi.waitFor(() => expect(server.state.speaking).toBe(0), { timeout: 60_000, interval: 5 });

/** The parts of a speech that a request determines, as the model receives them. */
const spoken = (language: string, voice: object, sampling: object) => ({
  text: { language, fromSimplified: false },
  model: { model: 'tones' },
  voice,
  style: { ...sampling, speed: 1, pitchSemitones: 0 },
});

describe('an answer', () => {
  test('has exactly the headers of the interface and the synthesized audio', async () => {
    const answer = await open({ text: ' \n早晨呀\t', model_id: 'V9' });
    expect(answer.status).toBe(200);
    const headers: [string, string][] = [];
    for (let i = 0; i < answer.rawHeaders.length; i += 2) {
      headers.push([answer.rawHeaders[i]!, answer.rawHeaders[i + 1]!]);
    }
    expect(headers).toEqual(
      expect.arrayContaining([
        ['Content-Type', 'application/octet-stream'],
        ['Transfer-Encoding', 'chunked'],
        ['X-Sample-Rate', '24000'],
        ['X-Audio-Format', 'pcm_s16le'],
        ['X-Channels', '1'],
        ['X-Characters-Charged', '12'],
        ['X-Model-Id-Ignored', 'V9'],
      ]),
    );
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers['x-ratelimit-limit']).toBe('1000000');
    const { bytes, complete } = await bodyOf(answer);
    expect([bytes.length, complete]).toEqual([3 * 2_400 * 2, true]);
    const samples = new Int16Array(new Uint8Array(bytes).buffer);
    // The tone exceeds the range of 16 bits: it must be clipped, never wrapped around.
    expect([Math.max(...samples), Math.min(...samples)]).toEqual([32_767, -32_768]);
    expect(Math.max(...samples.slice(1, 2_400).map((value, i) => Math.abs(value - samples[i]!)))).toBeLessThan(6_000);
    expect(await usedBy(account)).toBe(12);
    expect(await reservations()).toBe(0);
  });

  test('has no X-Model-Id-Ignored without model_id', async () => {
    for (const change of [{}, { model_id: null }]) {
      expect((await ask(change)).headers.has('x-model-id-ignored')).toBe(false);
    }
  });

  test.each([
    ['', ''],
    [42, '42'],
    [false, 'false'],
    [['a', { b: 'é' }], '["a",{"b":"%C3%A9"}]'],
    ['v8\r\nSet-Cookie: a=b', 'v8%0D%0ASet-Cookie: a=b'],
    ['\u0000\u001b[31m\u007f', '%00%1B[31m%7F'],
    [' 8.2 beta ', '%208.2 beta%20'],
    ['模型\u{1F600}', '%E6%A8%A1%E5%9E%8B%F0%9F%98%80'],
    ['100%', '100%'],
    ['\u{D800}', '%EF%BF%BD'],
    ['x'.repeat(100_000), 'x'.repeat(1_024)],
  ])('reports an ignored model: %j', async (modelId, header) => {
    const answer = await open({ model_id: modelId });
    expect(answer.status).toBe(200);
    expect(answer.headers['x-model-id-ignored']).toBe(header);
    await bodyOf(answer);
  });

  test('uses the requested voice, language and sampling', async () => {
    await ask({ temperature: '1.5', top_p: 0.5, language: 'english', voice_id: ' kelvin ' });
    await ask({ lang: 'English', temperature: 0, top_p: 1 });
    await ask({ language: 'Chinese', lang: 'English', temperature: null });
    expect(server.state.calls).toMatchObject([
      spoken('english', { id: 'kelvin', reference: null }, { temperature: 1.5, topP: 0.5 }),
      spoken('english', { id: 'jasmine' }, { temperature: 0, topP: 1 }),
      spoken('cantonese', { id: 'jasmine' }, { temperature: 0.9, topP: 0.95 }),
    ]);
  });

  test('is complete for a client that declares a form, half-closes its connection or uses HTTP/1.0', async () => {
    const body = JSON.stringify({ ...REQUEST, api_key: account.key });
    const { status } = await send(url(), {
      method: 'POST',
      body: `\uFEFF${body}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(status).toBe(200);
    const raw = await sendRaw(
      server.port,
      `POST /api/tts-stream HTTP/1.0\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    expect(raw).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });
});

describe('the quota', () => {
  test('of 400 units serves exactly those of 100 simultaneous requests that it covers', async () => {
    const poor = await server.newAccount('talkative', ['tts']);
    server.state.paceMs = 5;
    const answers = await Promise.all(Array.from({ length: 100 }, () => ask({ text: '飲茶嘅' }, poor.key)));
    const served = answers.filter(({ status }) => status === 200);
    expect(served).toHaveLength(33);
    expect(new Set(answers.filter(({ status }) => status !== 200).map((answer) => refusal(answer).join(' ')))).toEqual(
      new Set(['429 quota_exceeded']),
    );
    expect(answers.find(({ status }) => status === 429)?.headers.has('retry-after')).toBe(true);
    expect(await usedBy(poor)).toBe(396);
    expect((await ask({ text: '茶' }, poor.key)).headers.get('x-characters-charged')).toBe('4');
    expect(refusal(await ask({ text: '茶' }, poor.key))).toEqual([429, 'quota_exceeded']);
  });

  test('is charged for each of several requests with one id', async () => {
    const headers = { 'content-type': 'application/json', 'x-api-key': account.key, 'x-request-id': 'the-same' };
    const body = JSON.stringify(REQUEST);
    await Promise.all(Array.from({ length: 5 }, () => send(url(), { method: 'POST', headers, body })));
    expect(await usedBy(account)).toBe(5 * 8);
  });
});

describe('a synthesizer that fails', () => {
  test.each([FAILURES.atOnce, FAILURES.silent])('before its first audio is 502 and costs nothing: %s', async (text) => {
    const answer = await ask({ text });
    expect(refusal(answer)).toEqual([502, 'upstream_unavailable']);
    expect(answer.headers.has('x-characters-charged')).toBe(false);
    expect(await usedBy(account)).toBe(0);
    await idle();
  });

  test('after its first audio cuts the connection, so that no client takes a part for the whole, and costs nothing', async () => {
    const answer = await open({ text: `${FAILURES.later}ING` });
    expect(answer.status).toBe(200);
    const { bytes, complete } = await bodyOf(answer);
    expect(bytes.length).toBeGreaterThan(0);
    expect(complete).toBe(false);
    await vi.waitFor(async () => expect(await usedBy(account)).toBe(0), 120_000);
    await idle();
    await expect(
      fetch(url(), json('POST', { ...REQUEST, text: `${FAILURES.later}ING` }, account.key)).then((r) =>
        r.arrayBuffer(),
      ),
    ).rejects.toThrow('terminated');
  });

  test('in its second piece cuts the connection too', async () => {
    const { bytes, complete } = await bodyOf(await open({ text: `早晨。今日天氣好好。${FAILURES.atOnce}。` }));
    expect([bytes.length > 0, complete]).toEqual([true, false]);
  });
});

describe('a client that disconnects', () => {
  test('before the first audio stops the synthesis and is charged', async () => {
    server.state.speechIsHeld = true;
    await disconnectWhen(url(), REQUEST, account.key, () =>
      vi.waitFor(() => expect(server.state.calls).toHaveLength(1), 120_000),
    );
    await idle();
    expect(server.state.calls).toHaveLength(1);
    expect(await usedBy(account)).toBe(8);
    expect(await reservations()).toBe(0);
  });

  test('during the stream stops the synthesis at once and is charged', async () => {
    Object.assign(server.state, { paceMs: 20 });
    const answer = await open({ text: '好'.repeat(500) });
    answer.response.once('data', () => answer.disconnect());
    answer.response.on('error', () => {});
    await vi.waitFor(() => expect(answer.response.destroyed).toBe(true), 120_000);
    await idle();
    const { spokenSamples } = server.state;
    await sleep(100);
    expect(server.state.spokenSamples).toBe(spokenSamples);
    await vi.waitFor(async () => expect(await reservations()).toBe(0), 120_000);
    expect(await usedBy(account)).toBe(2_000);
  });

  test('hundreds of times leaves nothing behind', async () => {
    const warnings: Error[] = [];
    const keep = (warning: Error) => void warnings.push(warning);
    process.on('warning', keep);
    Object.assign(server.state, { paceMs: 1 });
    for (let round = 0; round < 10; round += 1) {
      await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          i % 2 === 0
            ? ask({ text: '早晨呀' })
            : disconnectWhen(url(), { ...REQUEST, text: '好'.repeat(300) }, account.key, () => sleep(10 + i)),
        ),
      );
    }
    await idle();
    process.off('warning', keep);
    expect(warnings).toEqual([]);
    await vi.waitFor(async () => expect(await reservations()).toBe(0), 120_000);
  });
});

test('a slow client slows the synthesis down and still gets every sample', async () => {
  // 40 minutes of sound, 115 MB.
  Object.assign(server.state, { characterMs: 500 });
  const answer = await open({ text: '好。'.repeat(2_400) });
  let made: number;
  do {
    made = server.state.spokenSamples * 2;
    await sleep(500);
  } while (server.state.spokenSamples * 2 > made);
  // At most the buffers of both sockets and two pieces.
  expect(made).toBeLessThan(30_000_000);
  const { bytes, complete } = await bodyOf(answer);
  expect(complete).toBe(true);
  expect(bytes.length).toBe(server.state.spokenSamples * 2);
  expect(server.state.maxSpeaking).toBe(1);
});

test('a stopping server lets streams end, cuts off longer ones and releases their quota', async () => {
  await using drainedServer = await startTestServer();
  const { id, key } = await drainedServer.newAccount('pro', ['tts']);
  Object.assign(drainedServer.state, { paceMs: 20 });
  const post = (text: string) => openPost(`${drainedServer.baseUrl}/api/tts-stream`, { ...REQUEST, text }, key);
  const short = await post('早晨呀你好');
  const long = await post('好'.repeat(1_000));
  drainedServer.state.isReady = false;
  expect((await post('早晨')).status).toBe(503);
  const bodies = Promise.all([bodyOf(short), bodyOf(long)]);
  await drainedServer.drainSpeech(500);
  const [ended, cut] = await bodies;
  expect([ended.complete, cut.complete]).toEqual([true, false]);
  expect(drainedServer.state.speaking).toBe(0);
  await vi.waitFor(async () => expect((await drainedServer.store.quotas.used(id)).tts_characters).toBe(20), 120_000);
});

test('a server that closes without draining cuts off streams', async () => {
  const drainedServer = await startTestServer();
  const { key } = await drainedServer.newAccount('pro', ['tts']);
  Object.assign(drainedServer.state, { paceMs: 20 });
  const answer = await openPost(
    `${drainedServer.baseUrl}/api/tts-stream`,
    { ...REQUEST, text: '好'.repeat(3_000) },
    key,
  );
  const body = bodyOf(answer);
  const beganMs = performance.now();
  await drainedServer[Symbol.asyncDispose]();
  expect(performance.now() - beganMs).toBeLessThan(8_000);
  expect((await body).complete).toBe(false);
});
