import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { createRandom } from '@jyutsing/numeric/random';
import { randomWhisperRequest } from '#testbed/clients/random-doors.ts';
import { form, send, wav } from '#testbed/clients/requests.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';

/*
 * The requests of morpheus65535/bazarr, custom_libs/subliminal_patch/providers/whisperai.py, and
 * the answers of ahmetoner/whisper-asr-webservice, app/webservice.py and app/utils.py; none of
 * their code is here.
 */

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

/** Without the header of the file: 16 kHz, 16 bit, mono. */
const samples = (seconds: number) => new Uint8Array(wav(seconds).subarray(44));
const basic = (key = server.ownerKey) => ({ authorization: `Basic ${Buffer.from(`any:${key}`).toString('base64')}` });

async function ask(path: string, bytes: Uint8Array<ArrayBuffer>, headers: Record<string, string> = basic()) {
  const body = form(['audio_file', bytes]);
  const answer = await fetch(server.baseUrl + path, { method: 'POST', ...body, headers });
  return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text(), answer };
}

it('bare samples become subtitles', async () => {
  const path = '/asr?task=transcribe&language=zh&output=srt&encode=false&video_file=%2Ffilms%2Fa.mkv';
  const { status, text, type, answer } = await ask(path, samples(1.5));
  expect([status, type, answer.headers.get('asr-engine')]).toEqual([200, 'text/plain; charset=utf-8', 'jyutsing']);
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="recording.wav.srt"');
  expect(text).toMatch(/^1\n00:00:00,\d{3} --> 00:00:0\d,\d{3}\n早晨/);
});

test.each([
  ['', /^早晨.*\n$/s],
  ['txt', /^早晨.*\n$/s],
  ['tsv', /^start\tend\ttext\n\d+\t\d+\t早晨/],
  ['vtt', /^WEBVTT\n\n/],
  ['json', /^\{"text":"早晨.*"segments":\[\{"id":0,.*"language":"yue"\}$/],
])('a file is written down as %s', async (output, expected) => {
  const { status, text } = await ask(`/asr?output=${output}`, wav(1.5));
  expect([status, text]).toEqual([200, expect.stringMatching(expected)]);
});

it('a file that is said to be samples stays a file, and words have times', async () => {
  const { text } = await ask('/asr?encode=false&output=json&word_timestamps=true', wav(1.5));
  const { segments } = JSON.parse(text) as { segments: { words: unknown[] }[] };
  expect(segments[0]!.words[0]).toMatchObject({ word: expect.stringMatching(/^早/) as string, start: 0 });
});

describe('the language', () => {
  it('is Chinese for Cantonese, by the first half minute of samples', async () => {
    const { id, key } = await server.newAccount('pro', ['stt']);
    const { text } = await ask('/detect-language?encode=false', samples(45), basic(key));
    expect(JSON.parse(text)).toEqual({ detected_language: 'chinese', language_code: 'zh' });
    expect((await server.store.quotas.used(id)).stt_seconds).toBe(30);
  });

  it('is told for a whole file too', async () => {
    const { text } = await ask('/detect-language', wav(1.5), { 'x-api-key': server.ownerKey });
    expect(JSON.parse(text)).toMatchObject({ language_code: 'zh' });
  });
});

describe('refused', () => {
  it.each([
    ['a key in no header', '/asr?encode=false&output=nonsense', {}, 401],
    ['a wrong key', '/detect-language?encode=false', { authorization: 'Basic YTpi' }, 401],
    ['no password', '/asr', { authorization: `Basic ${Buffer.from('key:').toString('base64')}` }, 401],
  ])('is %s', async (_what, path, headers, status) => {
    expect((await ask(path, samples(1), headers)).status).toBe(status);
  });

  it.each([
    ['/asr?output=docx', /output.*txt, vtt, srt, tsv, json/],
    ['/asr?task=sing', /task.*transcribe, translate/],
    ['/asr?language=klingon', /language/],
    ['/asr?encode=perhaps', /encode/],
    ['/detect-language?encode=perhaps', /encode/],
  ])('is %s', async (path, message) => {
    const { status, text } = await ask(path, samples(1));
    expect([status, text]).toEqual([422, expect.stringMatching(message)]);
  });

  it('is a translation without a language model, before anything is charged', async () => {
    const { id, key } = await server.newAccount('pro', ['stt']);
    const { status, text } = await ask('/asr?task=translate&output=srt', wav(1.5), basic(key));
    expect([status, text]).toEqual([503, expect.stringContaining('language_model_required')]);
    expect((await server.store.quotas.used(id)).stt_seconds).toBe(0);
  });

  it('is a form without the file', async () => {
    const { status, body } = await send(`${server.baseUrl}/asr`, {
      ...form(['file', wav(1)]),
      headers: { 'x-api-key': server.ownerKey },
    });
    expect([status, body['message']]).toEqual([400, expect.stringContaining('"audio_file"')]);
  });
});

it('no other route takes such a header', async () => {
  const answer = await fetch(`${server.baseUrl}/api/usage`, { headers: basic() });
  expect(answer.status).toBe(401);
});

test('random requests are answered, never with a failure of the server', async () => {
  const random = createRandom(41);
  const failures: unknown[] = [];
  for (let attempt = 0; attempt < 60; attempt += 1) {
    const { query, parts } = randomWhisperRequest(random);
    const body = new FormData();
    for (const [name, value] of parts) {
      if (typeof value === 'string') body.append(name, value);
      else body.append(name, new Blob([new Uint8Array(value)]), 'file');
    }
    const path = attempt % 4 === 0 ? '/detect-language' : '/asr';
    const answer = await fetch(`${server.baseUrl}${path}?${query}`, { method: 'POST', body, headers: basic() });
    const text = await answer.text();
    if (answer.status >= 500 && !text.includes('language_model_required')) failures.push([answer.status, query, text]);
  }
  expect(failures).toEqual([]);
});
