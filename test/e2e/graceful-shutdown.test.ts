import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { STEP_LIMIT_MS } from '#server/process/stop-steps.ts';
import { wavBytes } from '#testbed/sound/audio.ts';
import { startRecognizer } from '#test/openai/transcription-server.ts';
import { startServiceHere } from '#test/service-here.ts';
import { databasesToTest } from '#testbed/servers/postgres.ts';
import {
  OWNER_KEY,
  request,
  requestIdOf,
  startService,
  submission,
  temporaryFolder,
  waitForResult,
} from '#testbed/service/service.ts';
import { openDatabaseProxy } from '#testbed/servers/tcp-proxy.ts';
import { joinSounds, speak, toJyutping } from '#testbed/sound/espeak-speech.ts';

const SENTENCE = '圖書館星期一唔開門。';

async function secondsOfSpeech(sentences: number): Promise<Uint8Array> {
  const spoken = await speak(toJyutping(SENTENCE));
  return wavBytes(joinSounds(Array<typeof spoken>(sentences).fill(spoken), 400));
}

/** Work ends within this drain time on a busy machine, too. */
const UNHURRIED = { DRAIN_SECONDS: '100', WORKERS: '1' };

/** A recognizer that answers nothing before `release`; `firstRequest` resolves at the first. */
async function startSlowRecognizer() {
  const recognizer = await startRecognizer();
  onTestFinished(recognizer.close);
  const { promise: until, resolve: release } = Promise.withResolvers<void>();
  const { promise: firstRequest, resolve: arrive } = Promise.withResolvers<void>();
  recognizer.behave(() => {
    arrive();
    return { kind: 'held', until, next: { kind: 'transcription', text: SENTENCE.repeat(2) } };
  });
  return { ...recognizer, firstRequest, release };
}

it('a stopping server answers the calls that wait', async () => {
  await using folder = await temporaryFolder();
  const { settings, firstRequest, release } = await startSlowRecognizer();
  const service = await startService(join(folder.path, 'data'), { ...UNHURRIED, ...settings });
  const answer = request(`${service.baseUrl}/speech-to-text`, submission(await secondsOfSpeech(1)));
  // A job that no worker has begun by then is done after the next start, and its call is refused.
  await firstRequest;
  const exit = service.stop();
  release();
  const { status, body } = await answer;
  expect(status).toBe(200);
  expect(Array.from(String(body['text'])).length).toBeGreaterThan(12);
  expect(await exit).toBe(0);
});

it('work interrupted by a stop is finished after the next start', async () => {
  await using folder = await temporaryFolder();
  const dataDir = join(folder.path, 'data');
  const { settings, release } = await startSlowRecognizer();
  const service = await startServiceHere(dataDir, { ...settings, DRAIN_SECONDS: '0' });
  const audio = await secondsOfSpeech(1);
  const submitted = await Promise.all(
    // Unique hints make three requests.
    ['a', 'b', 'c'].map((context) =>
      request(`${service.baseUrl}/api/stt`, submission(audio, { context, skip_fusion: 'true' })),
    ),
  );
  expect(await service.stop()).toBe(true);
  release();
  const again = await startServiceHere(dataDir, settings);
  for (const answer of submitted) {
    expect(await waitForResult(again.baseUrl, requestIdOf(answer))).toMatchObject({ status: 'completed' });
  }
  expect(await again.stop()).toBe(true);
});

/** A POST whose body is sent in parts, on a connection of its own. */
async function beginPost(baseUrl: string, path: string, headers: Record<string, string>, part: Uint8Array | string) {
  const call = httpRequest(`${baseUrl}${path}`, { method: 'POST', agent: false, headers });
  call.on('error', () => {});
  await new Promise<void>((resolve) => call.write(part, () => resolve()));
  // Nothing shows when the part has arrived.
  await sleep(500);
  return call;
}

// Both wait for limits of time.
it.concurrent('a stopping server accepts an upload that takes a part of the drain time', async ({ expect }) => {
  await using folder = await temporaryFolder();
  const service = await startServiceHere(join(folder.path, 'data'));
  const form = new Response(submission(await secondsOfSpeech(1)).body);
  const type = form.headers.get('content-type') ?? '';
  const body = new Uint8Array(await form.arrayBuffer());
  const headers = { 'content-type': type, 'content-length': String(body.length), 'x-api-key': OWNER_KEY };
  const upload = await beginPost(service.baseUrl, '/api/stt', headers, body.subarray(0, 2_000));
  const stopped = service.stop();
  // Longer than the time for a part of the service to end.
  await sleep(STEP_LIMIT_MS + 1_000);
  const answered = once(upload, 'response');
  upload.end(body.subarray(2_000));
  expect(((await answered) as [IncomingMessage])[0].statusCode).toBe(200);
  expect(await stopped).toBe(true);
});

it.concurrent('half a request without a key does not make a stop fail', async ({ expect }) => {
  await using folder = await temporaryFolder();
  const service = await startServiceHere(join(folder.path, 'data'), { DRAIN_SECONDS: '1' });
  const headers = { 'content-type': 'application/json', 'content-length': '40' };
  await beginPost(service.baseUrl, '/api/tts', headers, '{"te');
  expect(await service.stop()).toBe(true);
});

const postgres = databasesToTest().filter(({ name }) => name === 'postgres');

it.each(postgres)(
  'a stopping server lets speech end while its $name is away, and says what failed',
  async (database) => {
    await using folder = await temporaryFolder();
    const opened = await database.open();
    onTestFinished(opened.close);
    const proxy = await openDatabaseProxy(opened.databaseUrl ?? '');
    onTestFinished(proxy.close);
    const env = { DATABASE_URL: proxy.databaseUrl, LOG_LEVEL: 'error', ...UNHURRIED };
    const service = await startService(join(folder.path, 'data'), env);
    const response = await fetch(`${service.baseUrl}/api/tts-stream`, {
      method: 'POST',
      headers: { 'x-api-key': OWNER_KEY, 'content-type': 'application/json' },
      body: JSON.stringify({ text: SENTENCE.repeat(30), voice_id: 'jasmine' }),
    });
    const reader = response.body!.getReader();
    let bytes = (await reader.read()).value!.length;
    await proxy.refuse();
    const exit = service.stop();
    for (let next = await reader.read(); !next.done; next = await reader.read()) bytes += next.value.length;
    // 270 syllables of at least 0.1 s, 16-bit samples
    expect(bytes).toBeGreaterThan(27 * 24_000 * 2);
    expect(await exit).toBe(1);
    expect(service.output()).toMatch(/stopping: .* failed/);
  },
);
