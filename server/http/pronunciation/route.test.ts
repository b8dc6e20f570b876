import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AppError } from '@jyutsing/contracts/errors';
import { readDocument } from '#test/http/openapi-document.ts';
import { form, send, sendRaw, wav, withKey, type Answer } from '#testbed/clients/requests.ts';
import { scoreForm, scoreWell, type Part, type Score, type ScoreFormChange } from '#test/http/score-well.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';
import { EXAMPLE } from './example.ts';
import { MAX_RECORDING_BYTES } from './route.ts';

const PATH = '/api/score-pronunciation';
const ALIAS = '/api/learn-cantonese/score-pronunciation';
let server: TestServer;
let key: string;
let score: Score;
let calls: (Parameters<Score>[0] & { bytes: Buffer })[];
const sound = wav(0.2);
beforeAll(async () => {
  server = await startTestServer({
    scorePronunciation(call, signal) {
      calls.push({ ...call, bytes: readFileSync(call.path) });
      return score(call, signal);
    },
  });
  key = (await server.newAccount('pro', ['pronunciation'])).key;
});
beforeEach(() => {
  score = scoreWell;
  calls = [];
});
afterAll(() => server[Symbol.asyncDispose]());

const post = (...parts: Part[]) => send(server.baseUrl + PATH, form(...parts));
const ask = (change: ScoreFormChange = {}) => post(...scoreForm(key, sound, change));
const code = ({ status, body }: Answer) => [status, String(body['error']?.['code'])];

describe('the speaker', () => {
  const register = { semitones: 90, deviation: 1 };
  const measured: Score = async (call, signal) => {
    const { target, assessment } = await scoreWell(call, signal);
    return { target, assessment: { ...assessment, register } };
  };

  test('has a register from the second recording on, which is not in the answer', async () => {
    score = measured;
    const first = await ask({ speaker: 'Mei 妹' });
    await ask({ speaker: ' Mei 妹 ' });
    expect(calls.map((call) => call.register)).toEqual([null, register]);
    expect(first.body).not.toHaveProperty('register');
  });

  test('is one of the account and the language', async () => {
    score = measured;
    const other = (await server.newAccount('pro', ['pronunciation'])).key;
    await ask({ speaker: 'Ming' });
    await ask({ speaker: 'Ming', language: 'mandarin' });
    await ask({ speaker: 'Ming', api_key: other });
    await ask({ speaker: 'ming' });
    await ask({ speaker: ' ' });
    await ask();
    expect(calls.map((call) => call.register)).toEqual(calls.map(() => null));
  });

  test('of a recording with other words is not remembered', async () => {
    score = async (call, signal) => {
      const scored = await measured(call, signal);
      const { assessment } = scored;
      if (assessment.language !== 'cantonese') return scored;
      const [syllable] = assessment.syllables;
      const onset = { ...syllable!.onset, verdict: 'wrong' as const };
      return { ...scored, assessment: { ...assessment, syllables: [{ ...syllable!, onset }] } };
    };
    await ask({ speaker: 'Fong' });
    await ask({ speaker: 'Fong' });
    expect(calls.map((call) => call.register)).toEqual([null, null]);
  });

  test('has an id of at most 128 characters', async () => {
    expect(code(await ask({ speaker: 'x'.repeat(128) }))[0]).toBe(200);
    const refused = await ask({ speaker: 'x'.repeat(129) });
    expect(code(refused)).toEqual([400, 'invalid_request']);
    expect(String(refused.body['error']?.['message'])).toContain('speaker');
  });
});

describe('a score', () => {
  test('of Cantonese has exactly the documented fields', async () => {
    const answer = await ask();
    expect(answer.status).toBe(200);
    const judged = { expected: 'h', heard: 'h', score: 99, verdict: 'right' };
    expect(answer.body).toEqual({
      success: true,
      score: 94.4,
      passed: true,
      reason: null,
      insertions: [],
      omissions: [],
      language: 'cantonese',
      strictness: 'everyday',
      expectedJyutping: 'hou2',
      transcribedJyutping: 'hou2',
      syllables: [
        {
          text: '好',
          expected: 'hou2',
          heard: 'hou2',
          score: 94.4,
          verdict: 'right',
          rule: null,
          start: 0.12,
          end: 0.48,
          onset: judged,
          rime: judged,
          tone: { ...judged, expected: 2, heard: 2, contour: [-1, 0, 2.13] },
        },
      ],
    });
    expect(answer.headers.get('x-ratelimit-limit')).toBe('1000000');
  });

  test.each(['english', 'mandarin'] as const)('of %s has the scores of the interface', async (language) => {
    const { status, body } = await ask({ language, text: '  As it  was sent. ' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      success: true,
      score: 94.4,
      passed: true,
      language,
      expectedText: 'As it  was sent.',
      transcribedText: language === 'english' ? 'well' : 'hou2',
      wordScores: [{ word: language === 'english' ? 'well' : '好', score: 94.4 }],
      accuracyScore: 95,
      fluencyScore: 90,
      integrityScore: 100,
      pronunciationScore: 94.4,
    });
    expect(Object.keys(body)).toContain(language === 'english' ? 'words' : 'syllables');
    expect(body).not.toHaveProperty('expectedJyutping');
  });

  test('is computed from the recording, the trimmed text and the language', async () => {
    await ask({ text: ' \n你好 ', language: ' English ' });
    const model = expect.objectContaining({ ability: 'pronunciation-assessor' });
    const path = expect.any(String);
    const bytes = Buffer.from(sound);
    expect(calls).toEqual([
      { path, text: '你好', language: 'english', strictness: 'everyday', register: null, model, bytes },
    ]);
    expect(existsSync(calls[0]!.path)).toBe(false);
    expect(await server.incoming()).toEqual([]);
  });

  test('fields come in any order, unknown ones are ignored', async () => {
    const parts: Part[] = [
      ['api_key', key],
      ['text', '好'],
      ['language', 'mandarin'],
      ['audio', sound],
      ['accent', 'hk'],
      ['data', sound],
    ];
    for (let turn = 0; turn < parts.length; turn += 1) {
      parts.push(parts.shift()!);
      expect((await post(...parts)).status).toBe(200);
    }
    expect(new Set(calls.map(({ language }) => language))).toEqual(new Set(['mandarin']));
    expect(await server.incoming()).toEqual([]);
  });

  test.each([
    [{}, 'cantonese'],
    [{ lang: 'english' }, 'english'],
    [{ lang: 'klingon', language: 'english' }, 'english'],
    [{ lang: 'mandarin', language: ' ' }, 'mandarin'],
    [{ language: '' }, 'cantonese'],
  ])('the language of %j is %s', async (fields, language) => {
    expect((await ask(fields)).status).toBe(200);
    expect(calls).toMatchObject([{ language }]);
  });

  test('the key may be in a header', async () => {
    const init = form(['text', '好'], ['audio', sound]);
    const by = (headers: Record<string, string>) => send(server.baseUrl + ALIAS, { ...init, headers });
    expect((await by({ 'x-api-key': key })).status).toBe(200);
    expect((await by({ authorization: `Bearer ${key}` })).status).toBe(200);
    expect(code(await by({}))).toEqual([401, 'missing_api_key']);
  });

  test('a text of a thousand characters is read, of whatever planes they are', async () => {
    const text = '𠮷'.repeat(1_000);
    expect((await ask({ text })).status).toBe(200);
    expect(calls[0]!.text).toBe(text);
  });

  test('a recording of exactly 10 MiB is read', async () => {
    expect((await ask({ audio: new Uint8Array(MAX_RECORDING_BYTES) })).status).toBe(200);
    expect(calls[0]!.bytes).toHaveLength(MAX_RECORDING_BYTES);
  });

  test('simultaneous requests are not mixed up', async () => {
    score = async (call, signal) => {
      await sleep(Math.random() * 50);
      return scoreWell(call, signal);
    };
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => ask({ language: ['cantonese', 'mandarin', 'english'][i % 3]! })),
    );
    expect(answers.map(({ body }) => String(body['language']))).toEqual(
      Array.from({ length: 20 }, (_, i) => ['cantonese', 'mandarin', 'english'][i % 3]),
    );
    expect(await server.incoming()).toEqual([]);
  });

  test('the example of the documentation matches the schema', () => {
    expect(EXAMPLE.passed).toBe(EXAMPLE.score >= 90);
  });
});

describe('a client that disconnects', () => {
  test('during the upload leaves nothing behind', async () => {
    const head =
      `POST ${PATH} HTTP/1.1\r\nHost: x\r\nx-api-key: ${key}\r\nContent-Length: 1000000\r\n` +
      'Content-Type: multipart/form-data; boundary=x\r\n\r\n' +
      '--x\r\nContent-Disposition: form-data; name="audio"; filename="a"\r\n\r\n';
    await sendRaw(server.port, Buffer.concat([Buffer.from(head), sound]), 200);
    await expect.poll(() => server.incoming()).toEqual([]);
    expect(calls).toEqual([]);
  });

  test('during scoring aborts it, and its recording is deleted', async () => {
    const stopped = Promise.withResolvers<unknown>();
    score = (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          stopped.resolve(signal.reason);
          reject(signal.reason);
        });
      });
    const leaving = fetch(server.baseUrl + PATH, {
      ...form(['api_key', key], ['text', '好'], ['audio', sound]),
      signal: AbortSignal.timeout(300),
    });
    await expect(leaving).rejects.toThrow(/abort|timeout/i);
    expect(await stopped.promise).toMatchObject({ code: 'client_closed_request' });
    await expect.poll(() => server.incoming()).toEqual([]);
    score = scoreWell;
    expect((await ask()).status).toBe(200);
  });
});

test.each([PATH, ALIAS])('%s supports only POST', async (path) => {
  for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    const answer = await send(server.baseUrl + path, { method, ...withKey(key) });
    expect([method, ...code(answer), answer.headers.get('allow')]).toEqual([method, 405, 'method_not_allowed', 'POST']);
  }
  const head = await fetch(server.baseUrl + path, { method: 'HEAD' });
  expect([head.status, head.headers.get('allow'), await head.text()]).toEqual([405, 'POST', '']);
});

test('both addresses are documented, with the form and every answer', async () => {
  const document = await readDocument(server.baseUrl);
  for (const path of [PATH, ALIAS]) {
    const { requestBody, responses } = document['paths']![path]!['post']!;
    const { schema } = requestBody!['content']!['multipart/form-data']!;
    expect(schema).toMatchObject({
      required: ['audio', 'text'],
      properties: {
        audio: { format: 'binary' },
        text: { type: 'string', minLength: 1, maxLength: 1_000 },
        language: { enum: ['cantonese', 'mandarin', 'english'], default: 'cantonese' },
      },
    });
    expect(Object.keys(responses!).map(Number)).toEqual([200, 400, 401, 403, 413, 415, 422, 429, 500, 503]);
    expect(JSON.stringify(responses!['200'])).toContain('"hoeng1 gong4"');
  }
});

test('metrics count scores by language and outcome', async () => {
  await ask({ language: 'mandarin' });
  score = () => Promise.reject(new AppError('no_speech'));
  await ask({ language: 'mandarin' });
  const { body } = await send(`${server.baseUrl}/metrics`);
  const text = String(body['text']);
  expect(text).toMatch(/jyutsing_pronunciation_scores_total\{language="mandarin",outcome="no_speech"\} \d/);
  expect(text).toMatch(/jyutsing_pronunciation_score_duration_seconds_count\{language="mandarin"\} \d/);
});
