import { setTimeout as sleep } from 'node:timers/promises';
import { UUID } from '@jyutsing/contracts/uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { form, send, wav, withKey, type Answer, type Json } from '#testbed/clients/requests.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const submit = (path: string, fields: Record<string, string> = {}, init: RequestInit = {}): Promise<Answer> =>
  send(server.baseUrl + path, {
    ...form(...Object.entries({ api_key: server.ownerKey, ...fields }), ['data', wav(1.5)]),
    ...init,
  });
const poll = (id: string, key = server.ownerKey): Promise<Answer> =>
  send(`${server.baseUrl}/api/speech-to-text/get-result?id=${encodeURIComponent(id)}`, withKey(key));

async function untilFinal(id: string): Promise<Json> {
  for (let left = 500; left > 0; left -= 1) {
    const record = (await poll(id)).body['transcription']!;
    if (String(record['status']) !== 'processing') return record;
    await sleep(10);
  }
  return expect.unreachable('the transcription never ended');
}

test('a submission is answered at once with an id that leads to the completed record', async () => {
  const { status, body, headers } = await submit('/api/stt');
  expect({ status, body }).toEqual({
    status: 200,
    body: { success: true, data: { request_id: expect.stringMatching(UUID), status: 'processing' } },
  });
  expect(headers.get('x-request-id')).toMatch(UUID);
  const id = String(body['data']!['request_id']);
  expect(await untilFinal(id)).toEqual({
    request_id: id,
    status: 'completed',
    duration_s: 1.5,
    output_language: 'cantonese',
    backend: 'test',
    with_diarization: false,
    include_timestamp: false,
    transcription: '早晨 你好媽',
    processing_time: 0.5,
    transcription_time: 0.25,
    fusion_time: 0,
    credits_used: 2,
  });
  expect((await poll(id.toUpperCase())).body['success']).toBe(true);
});

test('a title is one line, without what reorders the text around it', async () => {
  const titles = await Promise.all(
    [' \u202e會議\u001b[1m\n.wav ', '\u2066\n'].map(async (title) => {
      const { body } = await submit('/api/stt', { title });
      return (await untilFinal(String(body['data']!['request_id'])))['title'];
    }),
  );
  expect(titles).toEqual(['會議[1m .wav', undefined]);
});

test('a recording without a title is called by the name of its file', async () => {
  const form = new FormData();
  form.set('data', new Blob([Uint8Array.from(wav(1.5))]), '例會 11.28.m4a');
  const { body } = await send(`${server.baseUrl}/api/stt`, { method: 'POST', body: form, ...withKey(server.ownerKey) });
  expect((await untilFinal(String(body['data']!['request_id'])))['title']).toBe('例會 11.28');
});

test('a record that is still processing shows its options and no result', async () => {
  server.state.workIsHeld = true;
  const { body } = await submit('/api/stt', { context: '天氣', with_timestamp: 'TRUE' });
  const id = String(body['data']!['request_id']);
  const answer = await poll(id);
  server.state.workIsHeld = false;
  expect(answer.body).toEqual({
    success: true,
    transcription: {
      request_id: id,
      status: 'processing',
      duration_s: 1.5,
      output_language: 'cantonese',
      backend: 'test',
      with_diarization: false,
      include_timestamp: true,
      context: '天氣',
    },
  });
});

test('a failed record gives its reason, with status 200', async () => {
  const { body } = await submit('/api/stt', { context: 'FAIL' });
  const id = String(body['data']!['request_id']);
  expect(await untilFinal(id)).toEqual({
    request_id: id,
    status: 'failed',
    duration_s: 1.5,
    output_language: 'cantonese',
    context: 'FAIL',
    processing_time: 0.25,
    error: 'The audio file is damaged or incomplete.',
    error_code: 'corrupt_audio',
  });
});

test('the Retry-After of a busy outside server reaches a waiting client', async () => {
  const { status, headers, body } = await submit('/speech-to-text', { context: 'BUSY' });
  expect([status, headers.get('retry-after'), body['message']]).toEqual([503, '20', 'The server is busy.']);
});

test.each(['/', '/speech-to-text', '/api/stt'])('%s waits for the text', async (path) => {
  const { status, body, headers } = await submit(path, path === '/api/stt' ? { wait_for_completion: '1' } : {});
  expect({ status, body }).toEqual({
    status: 200,
    body: { text: '早晨 你好媽', duration: '1.500000', process_time: 0.5 },
  });
  expect((await poll(headers.get('x-request-id')!)).body['transcription']).toMatchObject({ status: 'completed' });
});

test('with_timestamp gives numbered blocks, also under the misspelling that clients copied', async () => {
  const blocks = '1\n00:00:00,000 --> 00:00:01,000\n早晨 你好媽\n\n';
  expect((await submit('/', { with_timestamp: 'true' })).body['text']).toBe(blocks);
  expect((await submit('/', { with_timestmap: '1' })).body['text']).toBe(blocks);
  expect((await submit('/', { with_timestmap: '1', with_timestamp: '0' })).body['text']).toBe('早晨 你好媽');
});

test('a blocking call whose work fails has the status of that error', async () => {
  const { status, body } = await submit('/', { context: 'FAIL' });
  expect({ status, body }).toMatchObject({ status: 422, body: { success: false, error: { code: 'corrupt_audio' } } });
});

test.each(['0f8fad5b-d9cb-469f-a165-70867728950e', 'my-call.1'])(
  'a blocking call that loses its connection goes on, and is found under the id it sent (%s)',
  async (id) => {
    server.state.workIsHeld = true;
    const disconnect = new AbortController();
    const call = submit('/', {}, { headers: { 'x-request-id': id }, signal: disconnect.signal });
    await expect.poll(async () => (await poll(id)).body['success']).toBe(true);
    disconnect.abort();
    await expect(call).rejects.toThrow('aborted');
    server.state.workIsHeld = false;
    expect(await untilFinal(id)).toMatchObject({ status: 'completed', request_id: expect.stringMatching(UUID) });
    expect((await poll(id, (await server.newAccount('pro')).key)).body['success']).toBe(false);
  },
);

test('an X-Request-Id that is used twice never leads to the wrong record', async () => {
  const id = crypto.randomUUID();
  const first = await submit('/', {}, { headers: { 'x-request-id': id } });
  const second = await submit('/', { with_timestamp: '1' }, { headers: { 'x-request-id': id } });
  expect(first.headers.get('x-request-id')).toBe(id);
  const secondId = second.headers.get('x-request-id')!;
  expect(secondId).not.toBe(id);
  expect((await poll(secondId)).body['transcription']).toMatchObject({ include_timestamp: true });
  expect((await poll(id)).body['transcription']).toMatchObject({ include_timestamp: false });
});

test.each(['', 'x', '../../etc/passwd', "' or 1=1 --", '\0', 'a'.repeat(5_000), '早晨', crypto.randomUUID()])(
  'an id that leads nowhere is success: false with status 200 (case %#)',
  async (id) => {
    const { status, body } = await poll(id);
    expect({ status, body }).toEqual({ status: 200, body: { success: false, message: expect.any(String) } });
  },
);

test('a poll without an id, with two, or for a record of another account is success: false', async () => {
  const { body } = await submit('/api/stt');
  const id = String(body['data']!['request_id']);
  const other = await server.newAccount('pro');
  expect((await poll(id, other.key)).body['success']).toBe(false);
  for (const query of ['', '?id', `?id=${id}&id=${id}`]) {
    const answer = await send(`${server.baseUrl}/api/speech-to-text/get-result${query}`, withKey(server.ownerKey));
    expect({ status: answer.status, success: answer.body['success'] }).toEqual({ status: 200, success: false });
  }
});

test.each([
  [{ with_timestamp: 'yes' }, 422, 'invalid_parameter'],
  [{ with_diarization: 'no' }, 422, 'invalid_parameter'],
  [{ skip_fusion: '2' }, 422, 'invalid_parameter'],
  [{ wait_for_completion: 'maybe' }, 422, 'invalid_parameter'],
  [{ lang: 'klingon' }, 422, 'invalid_parameter'],
  [{ corpus_ids: 'nowhere' }, 422, 'invalid_parameter'],
  [{ corpus_ids: 'none,nowhere' }, 422, 'invalid_parameter'],
  [{ context: 'x'.repeat(10_001) }, 422, 'invalid_parameter'],
  [{ context: 'x'.repeat(1_000_000) }, 422, 'invalid_parameter'],
  [{ context: 'a\0b' }, 422, 'invalid_parameter'],
  [{ lang: 'english' }, 503, 'engine_unavailable'],
  [{ with_diarization: 'true' }, 503, 'engine_unavailable'],
  [{ with_diarization: 'true', speakers: '0' }, 422, 'invalid_parameter'],
  [{ with_diarization: 'true', speakers: 'two' }, 422, 'invalid_parameter'],
  [{ with_diarization: 'true', max_speakers: '1.5' }, 422, 'invalid_parameter'],
  [{ with_diarization: 'true', max_speakers: '61' }, 422, 'invalid_parameter'],
  [{ with_diarization: 'true', min_speakers: '3', max_speakers: '2' }, 422, 'invalid_parameter'],
  [{ with_diarization: 'true', speakers: '2', min_speakers: '3' }, 422, 'invalid_parameter'],
  [{ with_diarization: 'true', diarization_threshold: '0' }, 422, 'invalid_parameter'],
])('a bad value is refused and nothing is kept (case %#)', async (fields: Record<string, string>, status, code) => {
  const [blobs, uses] = [await server.blobs(), await server.store.transcriptions.countByStatus()];
  const answer = await submit('/api/stt', fields);
  expect({ status: answer.status, body: answer.body }).toEqual({
    status,
    body: {
      success: false,
      message: expect.any(String),
      error: { code, type: expect.any(String), message: answer.body['message'] },
      request_id: answer.headers.get('x-request-id'),
    },
  });
  expect(await server.blobs()).toHaveLength(blobs.length);
  expect(Object.values(await server.store.transcriptions.countByStatus()).reduce((a, b) => a + b)).toBe(
    Object.values(uses).reduce((a, b) => a + b),
  );
  expect(await server.incoming()).toEqual([]);
});

test.each(['', 'none', ' NONE '])('corpus_ids %j is no error', async (corpusIds) => {
  expect((await submit('/api/stt', { corpus_ids: corpusIds, unknown: 'x', lang: 'AUTO' })).status).toBe(200);
});

test('of 200 simultaneous submissions exactly as many pass as the quota has seconds', async () => {
  const { key, id } = await server.newAccount('small');
  const answers = await Promise.all(
    Array.from({ length: 200 }, () => send(`${server.baseUrl}/api/stt`, form(['api_key', key], ['data', wav(0.9)]))),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
  const refused = answers.filter(({ status }) => status !== 200);
  expect(new Set(refused.map(({ body }) => String(body['error']!['code'])))).toEqual(new Set(['quota_exceeded']));
  expect((await server.store.quotas.used(id)).stt_seconds).toBe(10);
  expect(await server.incoming()).toEqual([]);
});

test('the option for older clients makes the submit endpoint wait unless the request says otherwise', async () => {
  await using older = await startTestServer({ blockingByDefault: true });
  const call = (...fields: [string, string][]) =>
    send(`${older.baseUrl}/api/stt`, form(['api_key', older.ownerKey], ...fields, ['data', wav(1.5)]));
  expect((await call()).body['text']).toBe('早晨 你好媽');
  expect((await call(['wait_for_completion', 'false'])).body['success']).toBe(true);
});

test.each([
  ['with_timestamp', 'true', '', true],
  ['with_timestamp', '', 'true', true],
  ['with_timestamp', ' ', '1', true],
  ['with_timestamp', '', '', false],
  ['with_timestamp', 'false', '', false],
])('of a field %s that was sent as %j and %j the value counts', async (name, first, second, include_timestamp) => {
  const parts: [string, string][] = [
    ['api_key', server.ownerKey],
    [name, first],
    [name, second],
  ];
  const { status, body } = await send(`${server.baseUrl}/api/stt`, form(...parts, ['data', wav(1.5)]));
  expect(status).toBe(200);
  expect(await untilFinal(String(body['data']!['request_id']))).toMatchObject({ include_timestamp });
});

test('a field with two different values is refused', async () => {
  const parts: [string, string][] = [
    ['api_key', server.ownerKey],
    ['with_timestamp', 'true'],
    ['with_timestamp', 'false'],
  ];
  const { status, body } = await send(`${server.baseUrl}/api/stt`, form(...parts, ['data', wav(1.5)]));
  expect([status, String(body['error']!['code'])]).toEqual([400, 'invalid_request']);
});

test.each(['/stt', '/v1/speech-to-text', '/speech-to-text'])(
  '%s waits, and takes the file as "audio"',
  async (path) => {
    const { status, body } = await send(server.baseUrl + path, form(['api_key', server.ownerKey], ['audio', wav(1.5)]));
    expect([status, String(body['text'])]).toEqual([200, '早晨 你好媽']);
  },
);

/** Submits a second of samples that claim this shape. */
async function submitShaped(sampleRateHz: number, channels: number): Promise<[status: number, message: string]> {
  const audio = wav(1);
  const view = new DataView(audio.buffer);
  view.setUint16(22, channels, true);
  view.setUint32(24, sampleRateHz, true);
  view.setUint32(28, sampleRateHz * channels * 2, true);
  view.setUint16(32, channels * 2, true);
  const { status, body } = await submit('/', {}, form(['api_key', server.ownerKey], ['data', audio]));
  return [status, String(body['message'] ?? '')];
}

test('sound with far more samples than seconds is refused with what is accepted', async () => {
  // 24 KB of compressed silence in such a shape cost seconds of work.
  const [status, message] = await submitShaped(768_000, 8);
  expect([status, message]).toEqual([
    415,
    expect.stringContaining('8 channels at 768000 Hz; at most 768000 samples per second'),
  ]);
  expect((await submitShaped(96_000, 8))[0]).toBe(200);
  expect((await submitShaped(192_000, 2))[0]).toBe(200);
});
