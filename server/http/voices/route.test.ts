import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { measureVoiceSample } from '@jyutsing/audio/voice/measure-voice-sample';
import { form, json, send, sendRaw, withKey, type Answer } from '#testbed/clients/requests.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';
import { noise, silence, tones, wavBytes, writeSound, type FixtureFormat } from '#testbed/sound/audio.ts';
import { durationOf, joinSounds, speak, toJyutping } from '#testbed/sound/espeak-speech.ts';

type Bytes = Uint8Array<ArrayBuffer>;
type Part = [name: string, value: string | Bytes];

let server: TestServer;
let folder: string;
let sample: Bytes;
let key: string;
let publicId: string;
beforeAll(async () => {
  server = await startTestServer({ measureSample: (path) => measureVoiceSample(path, new AbortController().signal) });
  folder = await mkdtemp(join(tmpdir(), 'jyutsing-voice-samples-'));
  sample = wav(await speak(toJyutping('今日天氣好好，我哋一齊去公園行下，好唔好呀？')));
});
beforeEach(async () => {
  key = (await server.newAccount('pro', ['tts'])).key;
  publicId = String((await list())[0]?.['voice_id']);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const speech = () => speak(toJyutping('今日天氣好好，我哋一齊去公園行下，食埋晚飯先返屋企。'));
const wav = (sound: Parameters<typeof wavBytes>[0]): Bytes => new Uint8Array(wavBytes(sound));
const call = (method: string, path: string, as = key) =>
  send(`${server.baseUrl}/api/voices${path}`, { method, ...withKey(as) });
const post = (...parts: Part[]) => send(`${server.baseUrl}/api/voices`, form(...parts));
/** A valid form with changes; null omits a field. */
const create = (change: Record<string, string | Bytes | null> = {}) => {
  const fields = { api_key: key, name: '小明', consent: 'true', sample, ...change };
  return post(...Object.entries(fields).filter((part): part is Part => part[1] !== null));
};
const list = async (as = key) =>
  (await call('GET', '', as)).body['voices'] as unknown as { voice_id: string; public: boolean }[];
const privateVoices = async () => (await list()).filter((voice) => !voice.public);
const idOf = (answer: Answer) => String(answer.body['voice']?.['voice_id']);
const code = ({ status, body }: Answer) => [status, String(body['error']?.['code'])];
const nothingLeft = async (blobs: string[]) => {
  expect(await privateVoices()).toEqual([]);
  expect(await server.incoming()).toEqual([]);
  expect(await server.blobs()).toEqual(blobs);
};

test('a voice can be created, listed, shown, downloaded and deleted', async () => {
  const fields = { gender: 'Male', description: ' 溫和 ', transcript: '今日天氣好好', language: 'CANTONESE' };
  const made = await create(fields);
  expect(made.status).toBe(200);
  const id = idOf(made);
  const summary = {
    voice_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    name: '小明',
    language: 'cantonese',
    gender: 'male',
    description: '溫和',
    public: false,
  };
  expect(made.body['voice']).toEqual({
    ...summary,
    transcript: '今日天氣好好',
    sample_seconds: expect.any(Number),
    created_at: expect.any(String),
    consented_at: expect.any(String),
  });
  expect(Date.now() - Date.parse(String(made.body['voice']?.['consented_at']))).toBeLessThan(60_000);
  expect(await privateVoices()).toEqual([summary]);
  expect((await call('GET', `/${id}`)).body).toEqual(made.body);

  const download = await fetch(`${server.baseUrl}/api/voices/${id}/sample`, withKey(key));
  const bytes = Buffer.from(await download.arrayBuffer());
  expect(download.headers.get('content-type')).toBe('audio/wav');
  expect(download.headers.get('cache-control')).toMatch(/^private/);
  expect(download.headers.get('vary')).toContain('x-api-key');
  expect(download.headers.get('content-length')).toBe(String(bytes.length));
  expect([bytes.toString('latin1', 0, 4), bytes.readUInt16LE(22), bytes.readUInt32LE(24)]).toEqual(['RIFF', 1, 24_000]);
  expect(Number(made.body['voice']?.['sample_seconds'])).toBeCloseTo((bytes.length - 44) / 48_000, 2);
  const head = await fetch(`${server.baseUrl}/api/voices/${id}/sample`, { method: 'HEAD', ...withKey(key) });
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)]);
  expect(await server.incoming()).toEqual([]);

  expect((await call('DELETE', `/${id}`)).body).toEqual({ success: true });
  expect(await server.blobs()).not.toContain(`${id}.wav`);
  for (const [method, path] of [
    ['GET', `/${id}`],
    ['GET', `/${id}/sample`],
    ['DELETE', `/${id}`],
  ] as const) {
    expect(code(await call(method, path))).toEqual([404, 'voice_not_found']);
  }
});

test('blank optional fields are omitted, and the language has a default', async () => {
  const { body } = await create({ gender: '', description: ' ', language: '', transcript: '', unknown: 'x' });
  expect(Object.keys(body['voice']!).toSorted()).toEqual([
    'consented_at',
    'created_at',
    'language',
    'name',
    'public',
    'sample_seconds',
    'voice_id',
  ]);
  expect(body['voice']).toMatchObject({ language: 'cantonese' });
});

test('fields and the key may come in any order', async () => {
  const fields: Part[] = [
    ['api_key', key],
    ['name', '小明'],
    ['consent', 'TRUE'],
    ['sample', sample],
  ];
  for (let turn = 0; turn < fields.length; turn += 1) {
    fields.push(fields.shift()!);
    expect((await post(...fields)).status).toBe(200);
  }
  expect(await privateVoices()).toHaveLength(4);
});

test.each(['mp3', 'm4a', 'flac', 'ogg-vorbis', 'ogg-opus'] as const)(
  'a sample may be %s, with any file name',
  async (format: FixtureFormat) => {
    const path = join(folder, format);
    await writeSound(path, await speak(toJyutping('我哋聽日去邊度食飯呀？我想食點心。')), format);
    expect((await create({ sample: new Uint8Array(await readFile(path)) })).status).toBe(200);
  },
);

test('shipped voices can be read by every account and deleted by none', async () => {
  const { body } = await call('GET', `/${publicId}`);
  expect(body['voice']).toMatchObject({ voice_id: publicId, public: true });
  expect(body['voice']).not.toHaveProperty('consented_at');
  const download = await fetch(`${server.baseUrl}/api/voices/${publicId}/sample`, withKey(key));
  expect([download.status, (await download.arrayBuffer()).byteLength > 0]).toEqual([200, true]);
  const refused = await call('DELETE', `/${publicId}`, server.ownerKey);
  expect(code(refused)).toEqual([403, 'insufficient_scope']);
  expect(refused.body['message']).toBe('This voice is public and cannot be deleted.');
});

test('a voice of another account does not exist', async () => {
  const id = idOf(await create());
  const other = (await server.newAccount('pro', ['tts'])).key;
  for (const [method, path] of [
    ['GET', `/${id}`],
    ['GET', `/${id}/sample`],
    ['DELETE', `/${id}`],
  ] as const) {
    const answer = await call(method, path, other);
    expect(code(answer)).toEqual([404, 'voice_not_found']);
    const unknown = await call(method, path.replace(id, crypto.randomUUID()), other);
    expect(answer.body['message']).toEqual(unknown.body['message']);
  }
  expect(JSON.stringify(await list(other))).not.toContain(id);
  expect((await call('GET', `/${id}`)).status).toBe(200);
});

test('a missing key, a missing scope and a blocked account are reported before anything else', async () => {
  const id = idOf(await create());
  const blocked = await server.newAccount('pro');
  await server.store.accounts.update(blocked.id, { blocked: true });
  const other = (await server.newAccount('pro', ['stt'])).key;
  for (const [method, path] of [
    ['GET', ''],
    ['GET', `/${id}`],
    ['GET', `/${id}/sample`],
    ['DELETE', `/${id}`],
  ] as const) {
    expect(code(await send(`${server.baseUrl}/api/voices${path}`, { method }))).toEqual([401, 'missing_api_key']);
    expect(code(await call(method, path, 'jyut_wrong'))).toEqual([401, 'invalid_api_key']);
    expect(code(await call(method, path, blocked.key))).toEqual([401, 'account_blocked']);
    expect(code(await call(method, path, other))).toEqual([403, 'insufficient_scope']);
  }
  const bad = { consent: 'maybe', name: null };
  expect(code(await create({ ...bad, api_key: null }))).toEqual([401, 'missing_api_key']);
  expect(code(await create({ ...bad, api_key: 'jyut_wrong' }))).toEqual([401, 'invalid_api_key']);
  expect(code(await create({ ...bad, api_key: other }))).toEqual([403, 'insufficient_scope']);
  expect(await server.incoming()).toEqual([]);
});

describe('invalid requests are refused in one sentence and leave nothing behind', () => {
  test.each([
    ['no name', { name: null }, 400, 'invalid_request'],
    ['no sample', { sample: null }, 400, 'missing_file'],
    ['a sample that is text', { sample: 'RIFF' }, 400, 'missing_file'],
    ['no consent', { consent: null }, 400, 'invalid_request'],
    ['an empty consent', { consent: ' ' }, 400, 'invalid_request'],
    ['consent refused', { consent: 'false' }, 422, 'invalid_parameter'],
    ['a consent of 0', { consent: '0' }, 422, 'invalid_parameter'],
    ['an invalid consent', { consent: 'yes, sort of' }, 422, 'invalid_parameter'],
    ['an empty name', { name: '' }, 422, 'invalid_parameter'],
    ['a blank name', { name: ' \u3000\t' }, 422, 'invalid_parameter'],
    ['a name with a null character', { name: 'a\0b' }, 422, 'invalid_parameter'],
    ['a name with control characters', { name: 'a\u{1b}[2Jb' }, 422, 'invalid_parameter'],
    ['a name of two lines', { name: 'a\r\nSet-Cookie: b' }, 422, 'invalid_parameter'],
    ['a name that shows nothing', { name: '\u{200B}\u{AD}' }, 422, 'invalid_parameter'],
    ['a name that reorders text', { name: 'a\u{202E}b' }, 422, 'invalid_parameter'],
    ['a name with a separator of lines', { name: 'a\u{2028}b' }, 422, 'invalid_parameter'],
    ['the name of the voice of the server', { name: 'Ｄefault' }, 422, 'invalid_parameter'],
    ['a name of 5000 emoji', { name: '\u{1F35C}'.repeat(5_000) }, 422, 'invalid_parameter'],
    ['a description too long', { description: '字'.repeat(2_001) }, 422, 'invalid_parameter'],
    ['a transcript with a null character', { transcript: 'a\0' }, 422, 'invalid_parameter'],
    ['an unknown language', { language: 'klingon' }, 422, 'invalid_parameter'],
    ['an unknown gender', { gender: '__proto__' }, 422, 'invalid_parameter'],
  ] as const)('%s', async (_, change, status, expected) => {
    const blobs = await server.blobs();
    const answer = await create(change);
    expect(code(answer)).toEqual([status, expected]);
    expect(String(answer.body['message'])).toMatch(/^[A-Z][^\n]{15,300}\.$/);
    await nothingLeft(blobs);
  });

  const samples: [string, () => Promise<Bytes> | Bytes, number, string][] = [
    ['nothing', () => new Uint8Array(), 415, 'unsupported_audio_format'],
    ['text', () => new TextEncoder().encode('ffconcat version 1.0\nfile /etc/passwd'), 415, 'unsupported_audio_format'],
    [
      'a picture',
      () => Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0]),
      415,
      'unsupported_audio_format',
    ],
    ['half a second', () => wav(tones([{ frequencyHz: 200, durationMs: 500 }])), 422, 'unsuitable_sample'],
    ['silence', () => wav(silence(6_000)), 422, 'unsuitable_sample'],
    ['noise', () => wav(noise(6_000, 0.3)), 422, 'unsuitable_sample'],
    ['a tone', () => wav(tones([{ frequencyHz: 220, durationMs: 6_000 }])), 422, 'unsuitable_sample'],
    [
      'more than half a minute',
      async () => wav(joinSounds(await Promise.all(Array.from({ length: 10 }, speech)), 300)),
      422,
      'unsuitable_sample',
    ],
    [
      'overdriven speech',
      async () => {
        const { sampleRateHz, channels } = await speech();
        const loud = channels.map((channel) => channel.map((value) => Math.max(-1, Math.min(1, value * 40))));
        return wav({ sampleRateHz, channels: loud });
      },
      422,
      'unsuitable_sample',
    ],
    [
      'speech in noise',
      async () => {
        const sound = await speech();
        const hiss = noise(durationOf(sound), 0.25, sound.sampleRateHz).channels[0]!;
        const channels = sound.channels.map((channel) => channel.map((value, i) => value * 0.5 + (hiss[i] ?? 0)));
        return wav({ ...sound, channels });
      },
      422,
      'unsuitable_sample',
    ],
    [
      'a file whose frames are damaged',
      async () => {
        const path = join(folder, 'damaged.flac');
        await writeSound(path, await speech(), 'flac');
        return new Uint8Array(await readFile(path)).fill(0x55, 10_000);
      },
      422,
      'corrupt_audio',
    ],
    ['more than 20 MiB', () => new Uint8Array(20 * 1024 ** 2 + 1), 413, 'payload_too_large'],
  ];
  test.each(samples)('a sample of %s', async (_, bytesOf, status, expected) => {
    const blobs = await server.blobs();
    const answer = await create({ sample: await bytesOf() });
    expect(code(answer)).toEqual([status, expected]);
    expect(String(answer.body['message'])).toMatch(/^[A-Z][^\n]{15,300}\.$/);
    await nothingLeft(blobs);
  });

  test('a body that is not a form, or a malformed one', async () => {
    const url = `${server.baseUrl}/api/voices`;
    expect(code(await send(url, json('POST', { name: 'x', consent: true }, key)))).toEqual([
      415,
      'unsupported_media_type',
    ]);
    expect(code(await send(url, { method: 'POST', ...withKey(key) }))).toEqual([415, 'unsupported_media_type']);
    const type = { 'content-type': 'multipart/form-data; boundary=x', 'x-api-key': key };
    const cut = await send(url, {
      method: 'POST',
      headers: type,
      body: '--x\r\nContent-Disposition: form-data; name="na',
    });
    expect(code(cut)).toEqual([400, 'invalid_request']);
    await nothingLeft(await server.blobs());
  });

  test('two names that differ', async () => {
    const parts: Part[] = [
      ['api_key', key],
      ['name', 'a'],
      ['name', 'b'],
      ['consent', '1'],
      ['sample', sample],
    ];
    expect(code(await post(...parts))).toEqual([400, 'invalid_request']);
    await nothingLeft(await server.blobs());
  });
});

test('a disconnect during the upload leaves nothing behind', async () => {
  const blobs = await server.blobs();
  const head =
    `POST /api/voices HTTP/1.1\r\nHost: x\r\nx-api-key: ${key}\r\nContent-Length: 1000000\r\n` +
    'Content-Type: multipart/form-data; boundary=x\r\n\r\n' +
    '--x\r\nContent-Disposition: form-data; name="sample"; filename="a"\r\n\r\n';
  await sendRaw(server.port, Buffer.concat([Buffer.from(head), sample.subarray(0, 50_000)]), 200);
  await expect.poll(() => server.incoming()).toEqual([]);
  await nothingLeft(blobs);
});

test('markup, symbols and letters of any direction are plain text', async () => {
  const name = `<script>alert(1)</script> "'; DROP TABLE voices;-- abc عربى \u{1F468}\u{200D}\u{1F469}`;
  const answer = await create({ name, description: '${7*7} {{x}}\r\n\t../../etc/passwd', transcript: '\u{1F3A4}' });
  expect(answer.body['voice']).toMatchObject({ name, description: '${7*7} {{x}}\r\n\t../../etc/passwd' });
  expect((await call('GET', `/${idOf(answer)}`)).body).toEqual(answer.body);
});

test.each([
  ['GET', '/..%2f..%2f..%2fetc%2fpasswd', 404, 'voice_not_found'],
  ['GET', '/..%2f..%2fuploads/sample', 404, 'voice_not_found'],
  ['GET', '/PUBLIC%00', 404, 'voice_not_found'],
  ['GET', '/PUBLIC%00/sample', 404, 'voice_not_found'],
  ['GET', "/'%20or%201=1--", 404, 'voice_not_found'],
  ['GET', '/__proto__', 404, 'voice_not_found'],
  ['GET', '/%F0%9F%8D%9C', 404, 'voice_not_found'],
  ['GET', `/${'%F0%9F%8D%9C'.repeat(20)}`, 404, 'voice_not_found'],
  ['GET', `/${'x'.repeat(5_000)}`, 404, 'not_found'],
  ['GET', '/%ff', 400, 'invalid_request'],
  ['DELETE', '/constructor', 404, 'voice_not_found'],
  ['DELETE', '/..%2f..%2f', 404, 'voice_not_found'],
  ['DELETE', '', 405, 'method_not_allowed'],
  ['PUT', '/PUBLIC', 405, 'method_not_allowed'],
  ['POST', '/PUBLIC/sample', 405, 'method_not_allowed'],
])('%s %s is answered %d', async (method, path, status, expected) => {
  const answer = await call(method, path.replace('PUBLIC', publicId));
  expect(code(answer)).toEqual([status, expected]);
  expect(String(answer.body['message'])).toMatch(/^[A-Z][^\n]{10,300}\.$/);
});

test('the documentation lists every path and the fields of the form', async () => {
  const paths = (await send(`${server.baseUrl}/openapi.json`)).body['paths']!;
  expect(Object.keys(paths).filter((path) => path.startsWith('/api/voices'))).toEqual([
    '/api/voices',
    '/api/voices/{id}',
    '/api/voices/{id}/sample',
    '/api/voices/check',
  ]);
  const schema = paths['/api/voices']!['post']!['requestBody']!['content']!['multipart/form-data']!['schema']!;
  expect(schema).toMatchObject({
    required: ['name', 'sample', 'consent'],
    properties: { sample: { $ref: '#/components/schemas/Sample' } },
  });
  const shown = paths['/api/voices/{id}/sample']!['get']!['responses']!;
  expect(Object.keys(shown['200']!['content']!)).toEqual(['audio/wav']);
});
