import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_RETRY_POLICIES } from '#server/queue/retry-policy.ts';
import { wavBytes } from '#testbed/sound/audio.ts';
import {
  transcribed,
  LONG_UTTERANCE,
  ONE_UTTERANCE,
  SERVER_KEY,
  TWO_UTTERANCES,
} from '#test/openai/transcribe-with-server.ts';
import { startTranscriptionServer, type TranscriptionServer } from '#test/openai/transcription-server.ts';
import { startSpeechServer, type SpeechServer } from '#test/openai/speech-server.ts';
import { startSummaryServer, type SummaryServer } from '#test/summary-server.ts';
import { startServiceHere, type ServiceHere } from '#test/service-here.ts';
import {
  OWNER_KEY,
  request,
  requestIdOf,
  submission,
  temporaryFolder,
  waitForResult,
} from '#testbed/service/service.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: TranscriptionServer;
let speech: SpeechServer;
let chat: SummaryServer;
let service: ServiceHere;

beforeAll(async () => {
  folder = await temporaryFolder();
  server = await startTranscriptionServer(SERVER_KEY);
  speech = await startSpeechServer();
  chat = await startSummaryServer();
  service = await startServiceHere(join(folder.path, 'data'), {
    STT_BASE_URL: server.baseUrl,
    STT_API_KEY: SERVER_KEY,
    STT_TIMEOUT_SECONDS: '5',
    // A neural detector does not take whistling for speech.
    STT_VAD: 'webrtc',
    TTS_BASE_URL: speech.baseUrl,
    TTS_LANGUAGES: 'cantonese=80',
    LLM_BASE_URL: chat.baseUrl,
    LLM_MODEL: 'made-up',
    MODELS_DIR: join(folder.path, 'models'),
    WORKERS: '1',
  });
});
afterAll(async () => {
  await service.stop();
  await Promise.all([server.close(), speech.close(), chat.close()]);
  await folder[Symbol.asyncDispose]();
});
beforeEach(() => {
  server.imitate('speaches');
  server.uploads.length = 0;
});

const recording = (samples: Float32Array) => wavBytes({ sampleRateHz: 16_000, channels: [samples] });
const post = (samples: Float32Array, fields: Record<string, string> = {}) =>
  request(`${service.baseUrl}/api/stt`, submission(recording(samples), { skip_fusion: 'true', ...fields }));

describe('recognition by an external server', () => {
  it('is chosen automatically, as it is better than the shipped models', async () => {
    server.behave(() => transcribed('我系香港人,未呀?'));
    const submitted = await post(TWO_UTTERANCES, { context: '香港' });
    const record = await waitForResult(service.baseUrl, requestIdOf(submitted));
    expect(record).toMatchObject({ status: 'completed', backend: 'openai-compatible', output_language: 'cantonese' });
    expect(String(record['transcription']).replaceAll('\n', '')).toBe('我係香港人，未呀？'.repeat(2));
    expect(server.uploads.map(({ fields }) => fields['prompt'])).toEqual(['香港', '香港']);
  });

  it('is not believed where it hears nothing in speech, and another model answers', async () => {
    server.behave(() => transcribed(''));
    const { body } = await post(LONG_UTTERANCE, { wait_for_completion: 'true', context: 'empty' });
    expect(body['model_failures']).toEqual([
      { model: 'openai-compatible', reason: 'empty', answered_by: 'builtin', segments: 1 },
    ]);
    expect(body['text']).not.toBe('');
    const named = { model: 'openai-compatible', wait_for_completion: 'true', context: 'empty' };
    expect((await post(LONG_UTTERANCE, named)).body).toMatchObject({ text: '' });
  });

  it('reports failures without its address or key', async () => {
    server.behave(() => ({ kind: 'body', body: '<html>Sign in</html>', type: 'text/html' }));
    const failed = await post(ONE_UTTERANCE, { model: 'openai-compatible', wait_for_completion: 'true' });
    expect(failed).toMatchObject({ status: 500, body: { error: { code: 'engine_failed' } } });
    server.behave(() => ({ kind: 'hang' }));
    const late = await post(ONE_UTTERANCE, {
      model: 'openai-compatible',
      wait_for_completion: 'true',
      context: 'late',
    });
    expect(late).toMatchObject({ status: 503, body: { error: { code: 'timed_out' } } });
    server.behave(() => ({ kind: 'status', status: 401 }));
    const refused = await post(ONE_UTTERANCE, {
      model: 'openai-compatible',
      wait_for_completion: 'true',
      context: 'refused',
    });
    expect(refused).toMatchObject({ status: 503, body: { error: { code: 'engine_unavailable' } } });
    const messages = JSON.stringify([failed, late, refused]) + service.output();
    expect(messages).not.toContain(SERVER_KEY);
    expect(messages).not.toContain(new URL(server.baseUrl).host);
  });

  it('retries a busy server through the queue, and the request completes', async () => {
    server.behave((_upload, index) =>
      index === 0 ? { kind: 'status', status: 429, headers: { 'retry-after': '1' } } : transcribed('你好。'),
    );
    const answered = await post(ONE_UTTERANCE, { wait_for_completion: 'true', context: 'busy' });
    expect(answered).toMatchObject({ status: 200, body: { text: '你好。' } });
    expect(server.uploads).toHaveLength(2);
  });
});

const postJson = (path: string, body: object) =>
  request(`${service.baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': OWNER_KEY },
    body: JSON.stringify(body),
  });

/** Lets the job that waits for its second attempt make its last one, at once. */
async function skipToLastAttempt(): Promise<void> {
  const database = new Sqlite(join(folder.path, 'data/jyutsing.db'));
  try {
    const last = DEFAULT_RETRY_POLICIES.transcribe.maxAttempts;
    const skip = database.prepare("update jobs set attempt = ?, run_at_ms = 0 where state = 'waiting' and attempt = 1");
    await expect.poll(() => skip.run(last - 1).changes).toBe(1);
  } finally {
    database.close();
  }
}

describe('the wait that a busy outside server asks for reaches the client', () => {
  it.each([
    ['/api/stt', 'data', { status: 429, wait: '17' }],
    ['/v1/audio/transcriptions', 'file', { status: 503, wait: '31' }],
  ])('of recognition, at %s', async (path, part, { status, wait }) => {
    server.behave(() => ({ kind: 'status', status, headers: { 'retry-after': wait } }));
    const fields = { wait_for_completion: 'true', context: `busy ${status}`, skip_fusion: 'true', model: 'whisper-1' };
    const answering = request(`${service.baseUrl}${path}`, submission(recording(ONE_UTTERANCE), fields, part));
    await skipToLastAttempt();
    const answer = await answering;
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, wait]);
    expect(answer.body['error']).toMatchObject({
      code: 'service_unavailable',
      message: 'The recognition server is busy; try again shortly.',
    });
    expect(server.uploads).toHaveLength(2);
  });

  it.each([
    ['/api/tts-stream', { text: '早晨', voice_id: 'jasmine' }],
    ['/api/tts', { text: '早晨' }],
    ['/v1/audio/speech', { input: '早晨', model: 'tts-1', voice: 'alloy' }],
  ])('of speech, at %s', async (path, body) => {
    speech.behave(() => ({ kind: 'status', status: 429, headers: { 'retry-after': '23' } }));
    const { status, headers } = await postJson(path, body);
    expect([status, headers.get('retry-after')]).toEqual([502, '23']);
  });

  it('of a language model, with the failure of a summary', async () => {
    chat.behave('busy');
    const transcript = '今日我哋去大嶼山行山，之後去大澳食飯。'.repeat(20);
    const { status, headers, body } = await postJson('/api/video-summary/summarize-from-url', {
      url: 'dQw4w9WgXcQ',
      transcript,
    });
    expect([status, body['message'], headers.get('retry-after')]).toEqual([200, 'Failed to summarize', '20']);
  });
});
