import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import OpenAI, { APIError } from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administer, createAccount, errorOf, mismatches, type TestAccount } from '#testbed/service/accounts.ts';
import { OWNER_KEY, startService, temporaryFolder, type Service } from '#testbed/service/service.ts';
import { levelOf, decodeFile } from '#testbed/clients/decode-sound.ts';
import { durationOf } from '#testbed/sound/espeak-speech.ts';

/** Part of every text sent here; must not appear in the log. */
const MARK = '鼉龘靐';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: Service;
let owner: TestAccount;

beforeAll(async () => {
  folder = await temporaryFolder();
  const plans = join(folder.path, 'plans.json');
  const quotas = { stt_seconds: null, tts_characters: 40, video_summaries: null };
  const plan = { quotas, requestsPerMinute: 1_000, pollsPerMinute: 1_000, streamingTts: true };
  await writeFile(plans, JSON.stringify({ poor: plan, slow: { ...plan, requestsPerMinute: 2 } }));
  // The most verbose log level.
  const env = { PLANS_FILE: plans, LOG_LEVEL: 'trace', LOG_REQUESTS: 'true', WORKERS: '2' };
  service = await startService(join(folder.path, 'data'), env);
  owner = await createAccount(service.baseUrl, 'pro');
});
afterAll(async () => {
  await service.stop();
  await folder[Symbol.asyncDispose]();
});

const post = (path: string, body: RequestInit['body'], headers: Record<string, string> = {}) =>
  fetch(`${service.baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': owner.key, ...headers },
    body: body ?? null,
  });
const ASK = { text: `你好${MARK}`, voice_id: 'jasmine' };
const stream = (fields: object, headers?: Record<string, string>) =>
  post('/api/tts-stream', JSON.stringify({ ...ASK, ...fields }), headers);

const VALUES = [null, 0, 1.5, -1, true, false, [], {}, ['a'], { text: 'a' }, '', ' ', '\0', '\u{d800}'] as const;
const IDS = [
  '../../etc/passwd',
  '..\\..\\windows',
  '%2e%2e%2f%2e%2e',
  'C:\\voices\\jasmine',
  '/etc/passwd',
  'jasmine/',
  'jasmine\0',
  'jasmine/sample.wav',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'JASMINE',
  "' OR 1=1 --",
  '${jndi:ldap://x}',
  '\u202eenimsaj',
  'x'.repeat(5_000),
  '𠮷'.repeat(199),
];

const file = (fields: object) => post('/api/tts', JSON.stringify({ ...ASK, ...fields }));

/** Expected error: an unknown string is not found; other types are invalid. */
function refusalOfValue({ voice_id: id }: { text?: unknown; voice_id?: unknown }): [number, string] {
  return typeof id === 'string' && id.trim() !== '' ? [404, 'voice_not_found'] : [400, 'invalid_request'];
}

describe('a refused stream request', () => {
  it('is checked in the documented order with the documented status codes', async () => {
    const { baseUrl } = service;
    const bad = { text: '', voice_id: '' };
    const [revoked, blocked, free, poor, slow, hearing] = [
      await createAccount(baseUrl, 'pro'),
      await createAccount(baseUrl, 'pro'),
      await createAccount(baseUrl, 'free'),
      await createAccount(baseUrl, 'poor'),
      await createAccount(baseUrl, 'slow', ['stt']),
      await createAccount(baseUrl, 'free', ['stt', 'pronunciation', 'video', 'admin']),
    ];
    await administer(baseUrl, 'DELETE', `keys/${revoked.keyId}`);
    await administer(baseUrl, 'PATCH', `accounts/${blocked.id}`, { blocked: true });
    const by = (key: string, fields: object = bad) => stream(fields, { 'x-api-key': key }).then(errorOf);
    expect(await by('')).toEqual([401, 'missing_api_key']);
    expect(await by('jyut_nonsense')).toEqual([401, 'invalid_api_key']);
    expect(await by(revoked.key)).toEqual([401, 'invalid_api_key']);
    expect(await by(blocked.key)).toEqual([401, 'account_blocked']);
    for (let i = 0; i < 2; i += 1) expect(await by(slow.key)).toEqual([403, 'insufficient_scope']);
    const tooMany = await stream(bad, { 'x-api-key': slow.key });
    expect(Number(tooMany.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(tooMany.headers.get('x-ratelimit-limit')).toBe('2');
    expect(await errorOf(tooMany)).toEqual([429, 'rate_limit_exceeded']);
    expect(await by(hearing.key)).toEqual([403, 'insufficient_scope']);
    expect(await by(free.key)).toEqual([403, 'plan_required']);
    expect(await by(poor.key)).toEqual([400, 'invalid_request']);
    expect(await by(poor.key, { text: '好'.repeat(11), voice_id: 'nobody' })).toEqual([404, 'voice_not_found']);
    expect(await by(poor.key, { text: '！'.repeat(11) })).toEqual([400, 'invalid_request']);
    expect(await by(poor.key, { text: '好'.repeat(11) })).toEqual([429, 'quota_exceeded']);
    expect(await by(poor.key, { text: '好' })).toEqual([200, 'none']);
  });

  it('uses the key in the body when there are two', async () => {
    expect(await errorOf(await stream({ api_key: 'jyut_nonsense' }))).toEqual([401, 'invalid_api_key']);
    const other = { 'x-api-key': 'jyut_nonsense' };
    expect(await errorOf(await stream({ api_key: owner.key }, other))).toEqual([200, 'none']);
    // A key of another type is ignored.
    expect(await errorOf(await stream({ api_key: [owner.key] }, other))).toEqual([401, 'invalid_api_key']);
    const bearer = { 'x-api-key': '', authorization: `bearer ${owner.key}` };
    expect(await errorOf(await stream({ api_key: ' ' }, bearer))).toEqual([200, 'none']);
  });

  it('is 400 for every invalid value of text and voice_id', async () => {
    const cases = VALUES.flatMap((value) => [{ text: value }, { voice_id: value }]);
    expect(await mismatches(cases, refusalOfValue, stream)).toEqual([]);
    const long = [{ text: '好'.repeat(5_001) }, { text: '😀'.repeat(5_001) }, { text: '😀'.repeat(5_000) }];
    expect(await mismatches(long, () => [400, 'invalid_request'], stream)).toEqual([]);
  });

  it('is 400 for other fields of a wrong type or out of range', async () => {
    const numbers = [-0.1, 'warm', true, [], {}, '', '0x', 'NaN', 'Infinity', '1e309'];
    const sampling = [
      ...[...numbers, 2.01, '3'].map((temperature) => ({ temperature })),
      ...[...numbers, 0, 1.01, '0'].map((top_p) => ({ top_p })),
    ];
    expect(await mismatches(sampling, () => [400, 'invalid_request'], file)).toEqual([]);
    const cases = [
      ...sampling,
      ...['klingon', 'zz', '', '__proto__', 'constructor', 1, true, [], {}, ['English']].flatMap((language) => [
        { language },
        { lang: language },
      ]),
    ];
    expect(await mismatches(cases, () => [400, 'invalid_request'], stream)).toEqual([]);
  });

  it('is 404 for ids that are paths, object properties, or no ids at all', async () => {
    expect(
      await mismatches(
        IDS,
        () => [404, 'voice_not_found'],
        (voice_id) => stream({ voice_id }),
      ),
    ).toEqual([]);
  });

  it('explains what is wrong with a body that is no JSON object', async () => {
    const json = 'application/json';
    const form = new FormData();
    form.append('text', 'x');
    const cases: [string, NonNullable<RequestInit['body']>, string, number, string][] = [
      ['nothing', '', json, 400, 'invalid_request'],
      ['half', '{"text": "x"', json, 400, 'invalid_request'],
      ['a list', '[]', json, 400, 'invalid_request'],
      ['null', 'null', json, 400, 'invalid_request'],
      ['comments', '{/* */}', json, 400, 'invalid_request'],
      ['NaN', '{"temperature": NaN}', json, 400, 'invalid_request'],
      ['depth', `${'['.repeat(200_000)}`, json, 400, 'invalid_request'],
      ['depth in a field', `{"text": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`, json, 400, 'invalid_request'],
      ['bytes', new Uint8Array([0xff, 0xfe, 0, 1]), json, 400, 'invalid_request'],
      ['UTF-16', new Uint8Array(Buffer.from('{"text":"x"}', 'utf16le')), json, 400, 'invalid_request'],
      ['a form', 'text=x&voice_id=jasmine', 'application/x-www-form-urlencoded', 415, 'unsupported_media_type'],
      ['XML', '<text/>', 'application/xml', 415, 'unsupported_media_type'],
      ['gzip', new Uint8Array([0x1f, 0x8b, 8, 0]), 'application/gzip', 415, 'unsupported_media_type'],
      ['10 MB', `{"text": "${'x'.repeat(10_000_000)}"}`, json, 413, 'payload_too_large'],
    ];
    const wrong = await mismatches(
      cases,
      ([, , , status, code]) => [status, code],
      ([, body, type]) => post('/api/tts-stream', body, { 'content-type': type }),
    );
    expect(wrong).toEqual([]);
    const headers = { 'x-api-key': owner.key };
    const multipart = await fetch(`${service.baseUrl}/api/tts-stream`, { method: 'POST', headers, body: form });
    expect(await errorOf(multipart)).toEqual([415, 'unsupported_media_type']);
  });

  it('names the allowed method for other methods', async () => {
    for (const path of ['/api/tts-stream', '/api/tts', '/v1/audio/speech']) {
      for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const response = await fetch(`${service.baseUrl}${path}`, { method });
        expect(response.headers.get('allow'), `${method} ${path}`).toBe('POST');
        expect(await errorOf(response)).toEqual([405, 'method_not_allowed']);
      }
      const head = await fetch(`${service.baseUrl}${path}`, { method: 'HEAD' });
      expect([head.status, head.headers.get('allow'), await head.text()]).toEqual([405, 'POST', '']);
    }
  });
});

describe('unusual but valid speech requests', () => {
  it('are served: repeated keys, prototype keys, a byte order mark, unknown fields, other types', async () => {
    const json = JSON.stringify({ ...ASK, model_id: { a: [1] }, temperature: '0.5', top_p: '1', language: null });
    const bodies = [
      `{"text": "x", ${JSON.stringify(ASK).slice(1)}`,
      `{"__proto__": {"text": ""}, "constructor": {"prototype": {}}, ${JSON.stringify(ASK).slice(1)}`,
      `\ufeff${json}`,
      `\n\n${json}\t `,
      json.replace('{', '{"stream": false, "nothing": [[[]]],'),
    ];
    for (const type of ['application/json', 'application/json; charset=latin1', 'application/x-www-form-urlencoded']) {
      for (const body of bodies) {
        const response = await post('/api/tts-stream', body, { 'content-type': type });
        expect([type, body.slice(0, 40), response.status]).toEqual([type, body.slice(0, 40), 200]);
        await response.arrayBuffer();
      }
    }
  });

  it('return an unknown model id in X-Model-Id-Ignored without harm', async () => {
    const cases: [unknown, string | null][] = [
      ['V8.2', 'V8.2'],
      ['a\r\nset-cookie: x=1', 'a%0D%0Aset-cookie: x=1'],
      ['聲', '%E8%81%B2'],
      [' ', '%20'],
      ['', ''],
      [null, null],
      [7, '7'],
      [{ a: [true] }, '{"a":[true]}'],
      ['x'.repeat(100_000), 'x'.repeat(1_024)],
      ['\u{d800}', '%EF%BF%BD'],
    ];
    for (const [model_id, expected] of cases) {
      const { headers, status, body } = await stream({ model_id });
      expect([status, headers.get('x-model-id-ignored')]).toEqual([200, expected]);
      expect(headers.has('set-cookie')).toBe(false);
      await body!.cancel();
    }
  });
});

describe('a request for an audio file', () => {
  it('is refused for fields of a wrong type or out of range with the documented status codes', async () => {
    const numbers = ['fast', true, [], {}, '', 'NaN', '1e309', '--1'];
    const cases: object[] = [
      ...[0.49, 3.01, 0, -1, ...numbers].map((speed) => ({ speed })),
      ...[-12.01, 13, ...numbers].map((pitch) => ({ pitch })),
      ...[0, -1, 1e9, 3_600.1, ...numbers].map((duration) => ({ duration })),
      ...[7_999, '192000', 24_000.5, '24k', true, [24_000]].map((frame_rate) => ({ frame_rate })),
      ...['exe', '', '.wav', 'wav\0', 'pcm', '../mp3', 'constructor', 1, []].map((output_extension) => ({
        output_extension,
      })),
      ...['should_convert_from_simplified_to_traditional', 'should_enhance', 'should_return_timestamp'].flatMap(
        (name) => ['maybe', 'yes', 2, [], {}].map((value) => ({ [name]: value })),
      ),
      ...['klingon', '', 'toString', 1, []].map((language) => ({ language })),
      ...VALUES.filter((value) => typeof value !== 'string').map((text) => ({ text })),
      { text: null },
      { text: '', jyutping: ' ' },
      { text: 1, jyutping: 'hou2' },
      { jyutping: 'xyz9', text: null },
      { jyutping: 'hou7', text: null },
      { jyutping: '[[h@l]]', text: null },
      { jyutping: 'hou2 hou2 hou2' },
      { jyutping: 'hou2 '.repeat(5_001), text: null },
      { jyutping: 'x'.repeat(40_001), text: null },
      { jyutping: ['hou2'], text: null },
      { jyutping: 'hou2', text: null, language: 'english' },
      { voice_id: 1 },
      { model_id: 7 },
      { model_id: 'x'.repeat(201) },
    ];
    expect(await mismatches(cases, () => [400, 'invalid_request'], file)).toEqual([]);
    expect(await mismatches([{ text: '好'.repeat(5_001) }], () => [413, 'payload_too_large'], file)).toEqual([]);
    const ids = IDS.map((voice_id) => ({ voice_id }));
    expect(await mismatches(ids, () => [404, 'voice_not_found'], file)).toEqual([]);
    const models = ['gpt-9', '../builtin', '__proto__', 'constructor', 'builtin\0'].map((model_id) => ({ model_id }));
    expect(await mismatches(models, () => [200, 'none'], file)).toEqual([]);
    expect(await mismatches([{ duration: 0.01 }, { duration: 3_600 }], () => [422, 'invalid_parameter'], file)).toEqual(
      [],
    );
  });

  it('gives a complete, decodable file at every limit', async () => {
    const text = '早晨，你好嗎？';
    const cases: object[] = [
      ...[0.5, '3'].flatMap((speed) => [-12, '12'].map((pitch) => ({ speed, pitch, should_enhance: 1 }))),
      ...['wav', 'MP3', 'ogg', 'flac'].map((output_extension) => ({ output_extension, frame_rate: 16_000 })),
      { frame_rate: '44100', should_convert_from_simplified_to_traditional: 'TRUE', text: '门前学习' },
      { language: ' ENGLISH ', text: 'good morning' },
      { text: null, jyutping: 'nei5  hou2\n' },
      { voice_id: null, model_id: null, output_extension: null, speed: null, duration: null },
    ];
    const wrong: unknown[] = [];
    await Promise.all(
      cases.map(async (fields) => {
        const response = await file({ text, ...fields });
        const bytes = new Uint8Array(await response.arrayBuffer());
        const sound = response.status === 200 ? await decodeFile(bytes) : null;
        const isHeard = sound !== null && levelOf(sound) > 0.01 && durationOf(sound) > 200;
        if (!isHeard || Number(response.headers.get('content-length')) !== bytes.length) {
          wrong.push([fields, response.status, sound && [levelOf(sound), durationOf(sound)]]);
        }
      }),
    );
    expect(wrong).toEqual([]);
  });
});

describe("OpenAI's client", () => {
  it('gets each refused speech request as the matching error of its library', async () => {
    const client = (apiKey: string) => new OpenAI({ apiKey, baseURL: `${service.baseUrl}/v1`, maxRetries: 0 });
    const good = { model: 'tts-1', voice: 'nova', input: `早晨${MARK}` };
    const hearing = await createAccount(service.baseUrl, 'free', ['stt']);
    const poor = await createAccount(service.baseUrl, 'poor');
    const cases: [object, string, number, string][] = [
      [{}, 'jyut_nonsense', 401, 'invalid_api_key'],
      [{}, hearing.key, 403, 'insufficient_scope'],
      [{ input: '好'.repeat(41) }, poor.key, 429, 'quota_exceeded'],
      ...VALUES.map((input): [object, string, number, string] => [{ input }, owner.key, 400, 'invalid_request']),
      [{ input: '好'.repeat(5_001) }, owner.key, 400, 'invalid_request'],
      [{ input: '🙂' }, owner.key, 400, 'invalid_request'],
      [{ voice: 7 }, owner.key, 400, 'invalid_request'],
      [{ voice: [] }, owner.key, 400, 'invalid_request'],
      [{ voice: { id: 7 } }, owner.key, 400, 'invalid_request'],
      ...IDS.filter((id) => id !== 'JASMINE').map((voice): [object, string, number, string] => [
        { voice },
        owner.key,
        404,
        'voice_not_found',
      ]),
      [{ voice: { id: '../../etc/passwd' } }, owner.key, 404, 'voice_not_found'],
      [{ model: 7 }, owner.key, 400, 'invalid_request'],
      ...[0.24, 4.01, 'fast', true, []].map((speed): [object, string, number, string] => [
        { speed },
        owner.key,
        400,
        'invalid_request',
      ]),
      ...['exe', '', 'toString', [], 1].map((format): [object, string, number, string] => [
        { response_format: format },
        owner.key,
        400,
        'invalid_request',
      ]),
      [{ stream_format: 'websocket' }, owner.key, 400, 'invalid_request'],
      [{ language: 'xx' }, owner.key, 400, 'invalid_request'],
    ];
    const wrong: unknown[] = [];
    await Promise.all(
      cases.map(async ([fields, key, status, code]) => {
        const speech = client(key).audio.speech.create({ ...good, ...fields });
        const failure: unknown = await speech.then(
          (response) => response.status,
          (error: unknown) => error,
        );
        const got = failure instanceof APIError ? [failure.status, failure.code] : [failure];
        if (got[0] !== status || got[1] !== code) wrong.push([JSON.stringify(fields).slice(0, 80), ...got]);
      }),
    );
    expect(wrong).toEqual([]);
  });
});

it('no text and no key of speech requests is logged at the most verbose level', () => {
  const lines = service.output().split('\n');
  expect(lines.length).toBeGreaterThan(100);
  expect(lines.filter((line) => line.includes(MARK) || line.includes(owner.key) || line.includes(OWNER_KEY))).toEqual(
    [],
  );
});
