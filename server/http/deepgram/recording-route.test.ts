import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DeepgramClient, DeepgramError } from '@deepgram/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { json, send, sendRaw, wav, withKey, type Answer } from '#testbed/clients/requests.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';
import { viewCallback } from './view-callback.ts';

const PATH = '/v1/listen';

let server: TestServer;
let guarded: TestServer;
let files: Server;
beforeAll(async () => {
  server = await startTestServer({ webhooksAllowPrivate: true, maxUploadBytes: 1024 ** 2 });
  guarded = await startTestServer({ bodyPace: { intervalMs: 100, minBytesPerSecond: 1_000, wholeMs: 60_000 } });
  files = createServer((_request, response) => response.end(wav(1.5)));
  await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await Promise.all([server[Symbol.asyncDispose](), guarded[Symbol.asyncDispose]()]);
  files.closeAllConnections();
  files.close();
});

const fileUrl = () => `http://127.0.0.1:${(files.address() as AddressInfo).port}/recording.wav`;
const client = (key = server.ownerKey) => {
  const { baseUrl: base } = server;
  const environment = { base, production: base, agent: base, agentRest: base };
  return new DeepgramClient({ apiKey: key, environment, maxRetries: 0 }).listen.v1.media;
};
const post = (query: string, body: string | Uint8Array<ArrayBuffer>, at = server, key = at.ownerKey): Promise<Answer> =>
  send(`${at.baseUrl}${PATH}?${query}`, { method: 'POST', body, headers: { authorization: `Token ${key}` } });
const codeOf = ({ status, body }: Answer) => [status, String(body['error']?.['code'])];

describe("Deepgram's client", () => {
  it('gets the text of a file', async () => {
    const answer = await client().transcribeFile(Buffer.from(wav(1.5)), {
      model: 'nova-3',
      language: 'zh-HK',
      smart_format: true,
      utterances: true,
      keyterm: ['茶樓', '蝦餃'],
    });
    expect(answer).toMatchObject({
      metadata: { duration: 1.5, channels: 1, models: ['test'], model_info: { test: { name: 'test' } } },
      results: {
        channels: [{ detected_language: 'yue', alternatives: [{ transcript: '早晨 你好媽', words: [] }] }],
        utterances: [
          { transcript: '早晨', start: 0, end: 0.4, channel: 0 },
          { transcript: '你好媽', start: 0.5, end: 1 },
        ],
      },
    });
    const id = 'metadata' in answer ? String(answer.metadata?.request_id) : '';
    const record = await server.store.transcriptions.find(id);
    expect(record?.options).toMatchObject({ language: 'cantonese', context: '茶樓、蝦餃', model: null });
    expect(await server.incoming()).toEqual([]);
  });

  it('gets the text of an address, without utterances unless it asks for them', async () => {
    const answer = await client().transcribeUrl({ url: fileUrl(), detect_language: true });
    expect(answer).toMatchObject({ results: { channels: [{ alternatives: [{ transcript: '早晨 你好媽' }] }] } });
    expect(JSON.stringify(answer)).not.toContain('utterances');
    expect(await server.incoming()).toEqual([]);
  });

  it('is answered at once with a callback, which gets what a waiting client gets', async () => {
    const options = { callback: 'http://127.0.0.1:1/hook', utterances: true, model: 'nova-3' } as const;
    const answer = await client().transcribeFile(Buffer.from(wav(1.25)), options);
    const id = 'request_id' in answer ? answer.request_id : '';
    await expect.poll(async () => (await server.store.transcriptions.find(id))?.status).toBe('completed');
    const record = (await server.store.transcriptions.find(id))!;
    expect(record.callbackUrl).toBe(options.callback);
    expect(viewCallback(record)).toMatchObject({
      metadata: { request_id: id, duration: 1.25 },
      results: { channels: [{ alternatives: [{ transcript: '早晨 你好媽' }] }], utterances: [{}, {}] },
    });
    const error = { code: 'corrupt_audio', message: 'It is cut off.' } as const;
    const failed = { ...record, status: 'failed', error, result: null } as never;
    expect(viewCallback(failed)).toEqual({ request_id: id, err_code: 'corrupt_audio', err_msg: error.message });
    await expect(client().transcribeFile(Buffer.from(wav(1)), { callback: 'ftp://example.org' })).rejects.toThrow(
      /422/,
    );
  });

  it('gets numbers as words unless it asks for numerals or smart formatting', async () => {
    for (const [query, numerals] of [
      [{}, false],
      [{ numerals: true }, undefined],
      [{ smart_format: true }, undefined],
    ] as const) {
      const answer = await client().transcribeFile(Buffer.from(wav(1)), { language: 'zh-HK', ...query });
      const { metadata } = answer as { metadata: { request_id: string } };
      expect((await server.store.transcriptions.find(metadata.request_id))?.options.numerals).toBe(numerals);
    }
    expect(await server.incoming()).toEqual([]);
  });

  it('gets the reason of a refusal', async () => {
    const refusal = await client('jyut_wrong')
      .transcribeFile(Buffer.from(wav(1)), {})
      .catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(DeepgramError);
    expect(refusal).toMatchObject({ statusCode: 401, body: { error: { code: 'invalid_api_key' } } });
  });
});

/** The beginning of a request whose body does not follow. */
const head = (port: number, key: string) =>
  `POST ${PATH} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Token ${key}\r\nContent-Length: 32000\r\n\r\nRIFF`;

describe('POST /v1/listen', () => {
  it.each([
    ['no sound', '', 'not audio at all', 415, 'unsupported_audio_format'],
    ['no body', '', '', 422, 'empty_audio'],
    ['a larger file than allowed', '', wav(60), 413, 'payload_too_large'],
    ['an unknown language', 'language=xx', wav(1), 422, 'invalid_parameter'],
    ['a bad flag', 'diarize=perhaps', wav(1), 422, 'invalid_parameter'],
    ['a bad rate', 'encoding=linear16&sample_rate=7', wav(1), 422, 'invalid_parameter'],
    ['no samples', 'encoding=linear16&sample_rate=8000', '', 422, 'empty_audio'],
    ['a callback that is no address', 'callback=example', wav(1), 422, 'invalid_parameter'],
    [
      'a callback by another method',
      'callback=https://example.com&callback_method=put',
      wav(1),
      422,
      'invalid_parameter',
    ],
    ['a failed transcription', 'keyterm=FAIL', wav(1), 422, 'corrupt_audio'],
    ['speakers that cannot be told', 'diarize=true', wav(1), 503, 'engine_unavailable'],
  ])('answers to %s', async (_name, query, body, status, code) => {
    expect(codeOf(await post(query, body))).toEqual([status, code]);
    expect(await server.incoming()).toEqual([]);
  });

  it('stops a file of unknown length that becomes too large', async () => {
    const answer = new Promise<number>((resolve, reject) => {
      const headers = { authorization: `Token ${server.ownerKey}`, 'transfer-encoding': 'chunked' };
      const clientRequest = request(`${server.baseUrl}${PATH}`, { method: 'POST', headers }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      clientRequest.on('error', reject);
      for (let part = 0; part < 24; part += 1) clientRequest.write(Buffer.alloc(64 * 1024));
      clientRequest.end();
    });
    expect(await answer).toBe(413);
    expect(await server.incoming()).toEqual([]);
  });

  it('refuses a body that stops, and forgets one whose client leaves', async () => {
    expect(await sendRaw(guarded.port, head(guarded.port, guarded.ownerKey), 5_000)).toMatch(/^HTTP\/1\.1 408 /);
    await sendRaw(server.port, head(server.port, server.ownerKey), 50);
    await expect.poll(() => server.incoming()).toEqual([]);
  });

  it.each(['http://127.0.0.1/a.wav', 'file:///etc/passwd', 'a.wav'])('never calls %s', async (url) => {
    const { status, body } = await send(`${guarded.baseUrl}${PATH}`, json('POST', { url }, guarded.ownerKey));
    expect([status, String(body['message'])]).toEqual([422, expect.stringContaining('"url"')]);
  });

  it.each([
    ['16-bit samples', 'encoding=linear16&sample_rate=8000', 48_000, 3],
    ['stereo', 'encoding=linear16&sample_rate=8000&channels=2', 48_000, 1.5],
    ['telephone sound', 'encoding=mulaw&sample_rate=8000', 16_000, 2],
    ['European telephone sound', 'encoding=alaw&sample_rate=8000', 16_000, 2],
  ])('takes %s without a container', async (_name, query, bytes, seconds) => {
    // The samples are no silence, with which MPEG's start code and other formats begin.
    const samples = Uint8Array.from({ length: bytes }, (_, at) => (at * 7) % 251);
    const { status, body } = await post(query, samples);
    expect([status, body['metadata']?.['duration']]).toEqual([200, seconds]);
    expect((await post(query, new Uint8Array(bytes))).body['metadata']?.['duration']).toBe(seconds);
    expect(await server.incoming()).toEqual([]);
  });

  it('prefers what the file says of itself to the query', async () => {
    for (const encoding of ['linear16', 'flac', 'opus']) {
      const { status, body } = await post(`encoding=${encoding}&sample_rate=8000`, wav(1.5));
      expect([status, body['metadata']?.['duration']]).toEqual([200, 1.5]);
    }
  });

  it('refuses JSON without an address', async () => {
    expect((await send(`${server.baseUrl}${PATH}`, json('POST', {}, server.ownerKey))).status).toBe(400);
  });

  it('takes seconds from the quota, and refuses what exceeds it', async () => {
    const { id, key } = await server.newAccount('small');
    expect((await post('', wav(4), server, key)).status).toBe(200);
    expect((await server.store.quotas.used(id)).stt_seconds).toBe(4);
    expect(codeOf(await post('', wav(7), server, key))).toEqual([429, 'quota_exceeded']);
  });

  it('counts as a call that waits', async () => {
    const { key } = await server.newAccount('one-at-a-time');
    server.state.workIsHeld = true;
    const first = post('', wav(1), server, key);
    await expect.poll(async () => inUse(key)).toBe(1);
    expect(codeOf(await post('', wav(1), server, key))).toEqual([429, 'concurrency_exceeded']);
    server.state.workIsHeld = false;
    expect((await first).status).toBe(200);
  });

  it('needs a key with the scope stt before it reads a byte', async () => {
    const { key } = await server.newAccount('pro', ['tts']);
    expect(codeOf(await post('', wav(60), server, key))).toEqual([403, 'insufficient_scope']);
    expect((await post('', wav(1), server, '')).status).toBe(401);
  });
});

async function inUse(key: string): Promise<number> {
  const { body } = await send(`${server.baseUrl}/api/usage`, withKey(key));
  return Number(body['concurrent']!['waits']!['in_use']);
}
