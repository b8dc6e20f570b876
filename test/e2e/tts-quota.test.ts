import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { charactersUsed, createAccount, errorOf, type TestAccount } from '#testbed/service/accounts.ts';
import { startServiceHere, type ServiceHere } from '#test/service-here.ts';
import { startSpeechServer, type SpeechServer } from '#test/openai/speech-server.ts';
import { startService, temporaryFolder, type Service } from '#testbed/service/service.ts';

/** Ten characters: 40 of the quota as a stream, 10 as a file. */
const TEXT = '今日天氣好好呀大家好';
const QUOTA = 400;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let plansFile: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  plansFile = join(folder.path, 'plans.json');
  const quotas = { stt_seconds: null, tts_characters: QUOTA, video_summaries: null };
  const plan = { quotas, requestsPerMinute: 1_000, pollsPerMinute: 1_000, streamingTts: true };
  const long = { ...plan, quotas: { ...quotas, tts_characters: 100_000 } };
  await writeFile(plansFile, JSON.stringify({ small: plan, large: long }));
});
afterAll(() => folder[Symbol.asyncDispose]());

type Address = Pick<Service, 'baseUrl'>;
const dataDir = () => join(folder.path, 'own');
const post = (service: Address, path: string, { key }: TestAccount, body: object, signal?: AbortSignal) =>
  fetch(`${service.baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
const stream = (service: Address, account: TestAccount, text = TEXT, signal?: AbortSignal) =>
  post(service, '/api/tts-stream', account, { text, voice_id: 'jasmine' }, signal);

/** Quota used by a request that was read to its end; null if it was refused for lack of quota. */
async function takenBy(request: Promise<Response>): Promise<number | null> {
  const response = await request;
  const isServed = response.status === 200;
  const outcome = isServed ? (await response.arrayBuffer()).byteLength > 1_000 : await errorOf(response);
  expect(outcome).toEqual(isServed ? true : [429, 'quota_exceeded']);
  return isServed ? Number(response.headers.get('x-characters-charged')) : null;
}

/** Quota used by an account once all its requests have ended. */
async function finallyUsed(service: Address, account: TestAccount, expected: number): Promise<number> {
  for (let left = 50; left > 0 && (await charactersUsed(service.baseUrl, account)) !== expected; left -= 1) {
    await sleep(100);
  }
  return charactersUsed(service.baseUrl, account);
}

describe('the speech quota of an account', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(dataDir(), { PLANS_FILE: plansFile, WORKERS: '2' });
  });
  afterAll(() => service.stop());

  it('is spent exactly by a hundred simultaneous streams', async () => {
    const account = await createAccount(service.baseUrl, 'small');
    const taken = await Promise.all(Array.from({ length: 100 }, () => takenBy(stream(service, account))));
    expect(taken.filter((amount) => amount !== null)).toEqual(Array.from({ length: 10 }, () => 40));
    expect(await charactersUsed(service.baseUrl, account)).toBe(QUOTA);
  });

  it('is shared by streams, files and OpenAI\u2019s clients', async () => {
    const account = await createAccount(service.baseUrl, 'small');
    const other = await createAccount(service.baseUrl, 'small');
    const asks = Array.from({ length: 20 }, () => [
      stream(service, account),
      post(service, '/api/tts', account, { text: TEXT }),
      post(service, '/v1/audio/speech', account, { model: 'tts-1', voice: 'nova', input: TEXT }),
    ]).flat();
    const taken = await Promise.all(asks.map(takenBy));
    expect(taken.reduce<number>((sum, amount) => sum + (amount ?? 0), 0)).toBe(QUOTA);
    expect(taken.filter((amount) => amount === null).length).toBeGreaterThan(10);
    expect(await charactersUsed(service.baseUrl, account)).toBe(QUOTA);
    expect(await charactersUsed(service.baseUrl, other)).toBe(0);
  });

  it('is charged when a client disconnects, but not when a request is refused', async () => {
    const account = await createAccount(service.baseUrl, 'large');
    const disconnect = new AbortController();
    const response = await stream(service, account, TEXT.repeat(100), disconnect.signal);
    await response.body!.getReader().read();
    disconnect.abort();
    expect(await finallyUsed(service, account, 4_000)).toBe(4_000);
    for (const [path, body, status] of [
      ['/api/tts-stream', { text: '！', voice_id: 'jasmine' }, 400],
      ['/api/tts-stream', { text: TEXT, voice_id: 'nobody' }, 404],
      ['/api/tts', { text: TEXT, duration: 0.1 }, 422],
      ['/v1/audio/speech', { input: TEXT, voice: 'nobody' }, 404],
    ] as const) {
      expect([path, (await errorOf(await post(service, path, account, body)))[0]]).toEqual([path, status]);
    }
    expect(await charactersUsed(service.baseUrl, account)).toBe(4_000);
  });

  it('reserved by a killed server is released at the next start, which serves at once', async () => {
    const account = await createAccount(service.baseUrl, 'large');
    const streams = await Promise.all(Array.from({ length: 5 }, () => stream(service, account, TEXT.repeat(50))));
    const readers = streams.map((response) => response.body!.getReader());
    await Promise.all(readers.map((reader) => reader.read()));
    const ends = Promise.allSettled(
      readers.map(async (reader) => {
        while (!(await reader.read()).done);
      }),
    );
    await service.kill();
    // Clients must not take an interrupted stream for a complete one.
    expect((await ends).map(({ status }) => status)).toEqual(readers.map(() => 'rejected'));

    const next = await startServiceHere(dataDir(), { PLANS_FILE: plansFile });
    onTestFinished(async () => void (await next.stop()));
    expect(await charactersUsed(next.baseUrl, account)).toBe(0);
    expect(await takenBy(stream(next, account))).toBe(40);
    expect(await charactersUsed(next.baseUrl, account)).toBe(40);
  });
});

describe('an external speech server', () => {
  let server: SpeechServer;
  let service: ServiceHere;
  let account: TestAccount;
  beforeAll(async () => {
    server = await startSpeechServer();
    service = await startServiceHere(join(folder.path, 'outside'), {
      PLANS_FILE: plansFile,
      TTS_ENGINE: 'openai-compatible',
      TTS_BASE_URL: server.baseUrl,
      TTS_LANGUAGES: 'cantonese=80',
      TTS_TIMEOUT_SECONDS: '2',
    });
    account = await createAccount(service.baseUrl, 'large');
  });
  afterAll(async () => {
    await service.stop();
    await server.close();
  });

  it('that fails before the first sound gives 502 and charges nothing', async () => {
    server.behave(() => ({ kind: 'sing' }));
    expect(await takenBy(stream(service, account))).toBe(40);
    const bodies: string[] = [];
    for (const reaction of [
      { kind: 'reset' },
      { kind: 'status', status: 500, body: '{"error":{"message":"CUDA out of memory at /srv/model.py"}}' },
      { kind: 'status', status: 401 },
      { kind: 'body', body: '<html>Sign in</html>', type: 'text/html' },
      { kind: 'body', body: '' },
      { kind: 'cut', afterBytes: 0 },
      { kind: 'hang', after: 'headers' },
    ] as const) {
      server.behave(() => reaction);
      const response = await stream(service, account);
      bodies.push(await response.clone().text());
      expect([reaction, ...(await errorOf(response))]).toEqual([reaction, 502, 'upstream_unavailable']);
    }
    expect(bodies.join('\n')).not.toMatch(/CUDA|model\.py|127\.0\.0\.1|Sign in/);
    expect(await charactersUsed(service.baseUrl, account)).toBe(40);
    // A file has its own status codes, and is not charged either.
    server.behave(() => ({ kind: 'reset' }));
    expect((await post(service, '/api/tts', account, { text: TEXT })).status).toBeGreaterThanOrEqual(500);
    expect((await post(service, '/v1/audio/speech', account, { input: TEXT })).status).toBe(502);
    expect(await charactersUsed(service.baseUrl, account)).toBe(40);
  });

  it('that fails during a stream breaks the connection and charges nothing', async () => {
    server.behave(() => ({ kind: 'cut', afterBytes: 40_000 }));
    const response = await stream(service, account, TEXT.repeat(20));
    expect([response.status, response.headers.get('x-characters-charged')]).toEqual([200, '800']);
    await expect(response.arrayBuffer()).rejects.toThrow(/terminated|aborted|reset|closed/i);
    expect(await finallyUsed(service, account, 40)).toBe(40);
  });

  it('is charged for when the client disconnects, even before the first sound', async () => {
    server.behave(() => ({ kind: 'drip', bytes: 4_800, everyMs: 50 }));
    const during = new AbortController();
    const response = await stream(service, account, TEXT, during.signal);
    await response.body!.getReader().read();
    during.abort();
    expect(await finallyUsed(service, account, 80)).toBe(80);
    server.behave(() => ({ kind: 'hang', after: 'nothing' }));
    const before = new AbortController();
    const postsBefore = server.posts.length;
    const waiting = stream(service, account, TEXT, before.signal);
    while (server.posts.length === postsBefore) await sleep(10);
    before.abort();
    await expect(waiting).rejects.toThrow(/abort/i);
    expect(await finallyUsed(service, account, 120)).toBe(120);
    for (let left = 50; left > 0 && server.busy() > 0; left -= 1) await sleep(50);
    expect(server.busy()).toBe(0);
  });

  it('that is down gives 502, and is used again once it is back', async () => {
    await server.close();
    expect(await errorOf(await stream(service, account))).toEqual([502, 'upstream_unavailable']);
    expect(await finallyUsed(service, account, 120)).toBe(120);
  });
});
