import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { probeAudio } from '@jyutsing/audio/probe';
import { json, send, type Answer } from '#testbed/clients/requests.ts';
import { bodyOf, disconnectWhen, openPost } from '#test/http/sound.ts';
import { FAILURES } from '#test/http/speak.ts';
import { newSpeakingState } from '#test/http/speaking-state.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';

let server: TestServer;
let folder: string;
let account: { id: string; key: string };
beforeAll(async () => {
  server = await startTestServer();
  folder = await mkdtemp(join(tmpdir(), 'jyutsing-tts-'));
});
beforeEach(async () => {
  account = await server.newAccount('pro', ['tts']);
  Object.assign(server.state, newSpeakingState());
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const url = () => `${server.baseUrl}/api/tts`;
const ask = (body: object, key: string | null = account.key) => send(url(), json('POST', body, key ?? undefined));
const refusal = ({ status, body }: Answer) => [status, String(body['error']?.['code'])];
/** Files are deleted after their last byte was sent. */
const nothingLeft = () => vi.waitFor(async () => expect(await server.incoming()).toEqual([]), 120_000);
const usedBy = async ({ id }: { id: string }) => (await server.store.quotas.used(id)).tts_characters;

/** The file of an answer with its decoded properties. */
async function fileOf(body: object) {
  const answer = await openPost(url(), body, account.key);
  expect(answer.status).toBe(200);
  const { bytes, complete } = await bodyOf(answer);
  expect(complete).toBe(true);
  return { headers: answer.headers, bytes, info: await probed(bytes) };
}

async function probed(bytes: Buffer) {
  const path = join(folder, 'answer');
  await writeFile(path, bytes);
  const info = await probeAudio(path, { maxDurationMs: 3_600_000 });
  return { ...info, durationMs: info.declaredDurationMs ?? 0 };
}

describe('a file', () => {
  test('is 24 kHz WAV by default, costs one unit per character, and leaves nothing on the disk', async () => {
    const { headers, bytes, info } = await fileOf({ text: ' 早晨呀 ' });
    expect(headers).toMatchObject({
      'content-type': 'audio/wav',
      'content-length': String(bytes.length),
      'content-disposition': 'attachment; filename="speech.wav"',
      'x-characters-charged': '3',
    });
    expect(bytes.readUInt32LE(24)).toBe(24_000);
    expect(info.durationMs).toBeCloseTo(300, -1);
    expect(await usedBy(account)).toBe(3);
    await nothingLeft();
    expect(server.state.calls).toMatchObject([
      { voice: { id: 'jasmine' }, text: { language: 'cantonese' }, style: { speed: 1 } },
    ]);
  });

  test.each([
    ['wav', 'audio/wav', 'wav'],
    ['MP3', 'audio/mpeg', 'mp3'],
    ['ogg', 'audio/ogg', 'ogg'],
    ['flac', 'audio/flac', 'flac'],
  ])('of the format %s has that container and type', async (output_extension, type, container) => {
    for (const frame_rate of ['16000', 44_100, 48_000]) {
      const { headers, info } = await fileOf({
        text: '今日天氣好好',
        output_extension,
        frame_rate,
        voice_id: 'kelvin',
      });
      expect(headers['content-type']).toBe(type);
      expect(info.container).toBe(container);
      expect(Math.abs(info.durationMs - 600)).toBeLessThan(60);
    }
  });

  test.each([
    ['wav', '8000', 8_000],
    ['wav', 22_050, 22_050],
    ['flac', '11111', 11_111],
    ['ogg', 32_000, 32_000],
    ['mp3', 11_111, 12_000],
    ['mp3', ' 47999 ', 48_000],
  ])(
    'of the format %s has the rate %s, or the next one of the format',
    async (output_extension, frame_rate, rateHz) => {
      const { info } = await fileOf({ text: '今日天氣好好', output_extension, frame_rate });
      expect(info.sampleRateHz).toBe(rateHz);
      expect(Math.abs(info.durationMs - 600)).toBeLessThan(60);
    },
  );

  test.each([
    [{ speed: '2' }, 300, 2],
    [{ speed: 0.5 }, 1_200, 0.5],
    [{ pitch: -12 }, 600, 1],
    [{ duration: 1 }, 1_000, 0.6],
    [{ duration: '0.25', speed: 3 }, 250, 2.4],
    [{ should_enhance: 'TRUE' }, 600, 1],
    [{ model_id: 'server-tones', speed: 2, language: 'mandarin' }, 300, 1],
    [{ model_id: 'server-tones', duration: 0.5 }, 500, 1],
  ])('has the expected duration: %j', async (change, durationMs, spokenSpeed) => {
    const { info } = await fileOf({ text: '今日天氣好好', ...change });
    expect(Math.abs(info.durationMs / durationMs - 1)).toBeLessThan(0.03);
    expect(server.state.calls.at(-1)?.style.speed).toBeCloseTo(spokenSpeed);
  });

  test.each([
    [{ text: '早<break time="1s"/>晨' }, 1_200],
    [{ text: '<break time="400ms"/>早晨<break strength="strong"/>' }, 1_350],
    // The test voice speaks each letter of jyutping for 100 ms.
    [{ jyutping: 'zou2 <break time="1s"/> san4' }, 1_800],
    [{ text: '早<break/>晨', jyutping: 'zou2<break/>san4' }, 700],
    [{ text: '早<break time="1s"/>晨', model_id: 'server-tones' }, 1_200],
    [{ text: '早<break time="1s"/>晨', speed: 2 }, 600],
  ])('has pauses for break tags, which are not spoken: %j', async (body, durationMs) => {
    const { info } = await fileOf(body);
    expect(Math.abs(info.durationMs / durationMs - 1)).toBeLessThan(0.03);
    expect(server.state.calls.flatMap(({ text }) => text.parts).map((part) => JSON.stringify(part))).not.toContainEqual(
      expect.stringContaining('break'),
    );
  });

  test('says how much silence a duration needed that is too long for speech', async () => {
    const { headers, info } = await fileOf({ text: '早晨', duration: 2 });
    expect(info.durationMs).toBeCloseTo(2_000, -1);
    expect(Number(headers['x-duration-padding'])).toBeCloseTo(1.6);
    expect(server.state.calls.map(({ style }) => style.speed)).toEqual([1, 0.5]);
    const timed = { text: '早晨', should_return_timestamp: true };
    expect((await ask({ ...timed, duration: 2 })).body).toMatchObject({
      duration_padding: Number(headers['x-duration-padding']),
      timestamps: [
        { start: 0, end: 0.2, text: '早' },
        { start: 0.2, end: 0.4, text: '晨' },
      ],
    });
    const fitting = await ask({ ...timed, duration: 0.4 });
    expect([fitting.body['duration_padding'], fitting.headers.get('x-duration-padding')]).toEqual([undefined, null]);
  });

  test('accepts its fields in all spellings', async () => {
    await fileOf({
      text: '台湾',
      lang: 'Chinese',
      should_convert_from_simplified_to_traditional: 1,
      should_enhance: '0',
      should_return_timestamp: null,
      model_id: 'auto',
      voice_id: null,
    });
    expect(server.state.calls).toMatchObject([
      { text: { language: 'cantonese', fromSimplified: true }, model: { model: 'tones' } },
    ]);
  });

  test('is synthesized with the voice sample when the model uses one', async () => {
    await fileOf({ text: '早晨', language: 'mandarin' });
    const reference = server.state.calls[0]?.voice.reference;
    expect([reference?.transcript, Buffer.from(reference?.wav ?? []).toString('latin1', 0, 4)]).toEqual([
      '早晨',
      'RIFF',
    ]);
  });
});

describe('jyutping', () => {
  test('without text is synthesized as it is, and costs one unit per syllable', async () => {
    const { headers } = await fileOf({ jyutping: 'nei5 hou2 aa3' });
    expect(headers['x-characters-charged']).toBe('3');
    const readings = server.state.calls.flatMap(({ text }) =>
      text.parts.flatMap((part) =>
        'phrases' in part ? part.phrases.flatMap(({ words }) => words.flatMap(({ reading }) => reading)) : [],
      ),
    );
    expect(readings).toEqual(['nei5', 'hou2', 'aa3']);
  });

  test('with a text is its reading, and the text is charged', async () => {
    const { headers } = await fileOf({ text: '你好', jyutping: 'lei5 hou2' });
    expect(headers['x-characters-charged']).toBe('2');
  });

  test.each([
    'hello',
    'nei9',
    'nei5 zzz1',
    '你好',
    '5',
    '\u0000',
    '\u202eiel',
    "'; drop table",
    'xx1 '.repeat(5_000),
    '__proto__',
  ])('that is invalid is refused: %j', async (jyutping) => {
    const answer = await ask({ jyutping });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(423);
    expect(await usedBy(account)).toBe(0);
    expect(server.state.calls).toEqual([]);
  });

  test('is limited to Cantonese, to models that support it, and to the length of a text', async () => {
    expect(refusal(await ask({ jyutping: 'nei5', model_id: 'server-tones' }))).toEqual([422, 'invalid_parameter']);
    expect(refusal(await ask({ jyutping: 'nei5 '.repeat(5_001) }))).toEqual([400, 'invalid_request']);
    expect(refusal(await ask({ jyutping: 'nei5', language: 'english' }))).toEqual([400, 'invalid_request']);
  });
});

describe('times', () => {
  test('are one entry per word in seconds, the same in SubRip, with the file', async () => {
    const { status, headers, body } = await ask({
      text: '早晨',
      should_return_timestamp: true,
      speed: 0.5,
      output_extension: 'mp3',
    });
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(headers.get('x-characters-charged')).toBe('2');
    const { file, ...rest } = body;
    expect(rest).toEqual({
      success: true,
      request_id: headers.get('x-request-id'),
      timestamps: [
        { start: 0, end: 0.2, text: '早' },
        { start: 0.2, end: 0.4, text: '晨' },
      ],
      srt_timestamp: '1\n00:00:00,000 --> 00:00:00,200\n早\n\n2\n00:00:00,200 --> 00:00:00,400\n晨\n\n',
    });
    expect((await probed(Buffer.from(String(file), 'base64'))).container).toBe('mp3');
    await nothingLeft();
  });

  test('follow the tempo of the file, and are estimated for models without word times', async () => {
    const requestBody = { text: '早晨。你好！', should_return_timestamp: '1', model_id: 'server-tones', duration: 1.2 };
    const { body } = await ask(requestBody);
    const times = body['timestamps'] as unknown as { start: number; end: number; text: string }[];
    expect(times.map(({ text }) => text).join('')).toBe('早晨你好');
    expect([times[0]?.start, times.at(-1)?.end]).toEqual([0, 1.2]);
  });

  test('of words with quotes and line breaks are valid JSON', async () => {
    const { body } = await ask({ text: '“早\\"\n晨', should_return_timestamp: true });
    expect((body['timestamps'] as unknown as { text: string }[]).map(({ text }) => text)).toEqual([
      '“',
      '早',
      '\\',
      '"',
      '\n',
      '晨',
    ]);
  });
});

const names = (headers: object) =>
  Object.keys(headers)
    .filter((name) => name !== 'x-request-id')
    .toSorted();
/** A voice of another service. */
const UNKNOWN_ID = '2725cf0f-efe2-4132-9e06-62ad84b2973d';

describe('names of other services', () => {
  test.each([
    [{ voice_id: UNKNOWN_ID }, 'jasmine', UNKNOWN_ID, null],
    [{ voice_id: UNKNOWN_ID.toUpperCase() }, 'jasmine', UNKNOWN_ID.toUpperCase(), null],
    [{ voice: 'kelvin', model: 'v6' }, 'kelvin', null, 'v6'],
    [{ voice_id: 'male' }, 'kelvin', null, null],
    [{ voice_id: 'female-young', model_id: 'V9', model: 'v2' }, 'jasmine', null, 'V9'],
    [{ voice_id: 'default', model_id: 'server-tones' }, 'jasmine', null, null],
  ])('%j speaks as %s', async (change, voice, substituted, ignored) => {
    const { headers } = await fileOf({ text: '早晨', ...change });
    expect([headers['x-voice-id-substituted'] ?? null, headers['x-model-id-ignored'] ?? null]).toEqual([
      substituted,
      ignored,
    ]);
    expect(server.state.calls[0]?.voice.id).toBe(voice);
  });

  test('the ids of another account cannot be told from ids of nobody', async () => {
    const texts = { language: null, gender: null, description: null, transcript: null, engine: null };
    const owner = await server.newAccount('pro', ['tts']);
    const { id } = await server.voices.create(owner.id, {
      ...texts,
      name: '我',
      consent: true,
      samplePath: server.samplePath,
    });
    const [stolen, unknown] = [
      await fileOf({ text: '早', voice_id: id }),
      await fileOf({ text: '早', voice_id: UNKNOWN_ID }),
    ];
    expect(stolen.headers['x-voice-id-substituted']).toBe(id);
    expect(names(stolen.headers)).toEqual(names(unknown.headers));
    expect(server.state.calls.map(({ voice }) => voice.id)).toEqual(['jasmine', 'jasmine']);
  });

  test.each(['/tts', '/v1/tts', '/v1/text-to-speech'])('%s is another path of /api/tts', async (path) => {
    for (const field of ['output_extension', 'output_format', 'format']) {
      const answer = await openPost(`${server.baseUrl}${path}`, { text: '早晨', [field]: 'mp3' }, account.key);
      expect([answer.status, answer.headers['content-type']]).toEqual([200, 'audio/mpeg']);
      await bodyOf(answer);
    }
  });
});

describe('a refusal', () => {
  test.each<[string, object, number, string]>([
    ['nothing to say', {}, 400, 'invalid_request'],
    ['empty text', { text: ' ' }, 400, 'invalid_request'],
    ['text that is none', { text: ['早晨'] }, 400, 'invalid_request'],
    ['too much text', { text: '好'.repeat(5_001) }, 413, 'payload_too_large'],
    ['pauses alone', { text: '<break time="1s"/>' }, 400, 'invalid_request'],
    ['pauses in one of two', { text: '早<break/>晨', jyutping: 'zou2 san4' }, 400, 'invalid_request'],
    ['no speakable text', { text: '\u{1F600}'.repeat(5_000) }, 400, 'invalid_request'],
    ['an unknown voice', { text: '早', voice_id: '../jasmine' }, 404, 'voice_not_found'],
    ['a voice that is almost a UUID', { text: '早', voice_id: `${UNKNOWN_ID}0` }, 404, 'voice_not_found'],
    ['a description of no voice', { text: '早', voice_id: 'robot' }, 404, 'voice_not_found'],
    ['an unknown language', { text: '早', language: 'french' }, 400, 'invalid_request'],
    ['a rate that is too low', { text: '早', frame_rate: '7999' }, 400, 'invalid_request'],
    ['a rate that is too high', { text: '早', frame_rate: 48_001 }, 400, 'invalid_request'],
    ['a rate that is not whole', { text: '早', frame_rate: 24_000.5 }, 400, 'invalid_request'],
    ['too fast', { text: '早', speed: 3.1 }, 400, 'invalid_request'],
    ['too high', { text: '早', pitch: 12.5 }, 400, 'invalid_request'],
    ['no time at all', { text: '早', duration: 0 }, 400, 'invalid_request'],
    ['for ever', { text: '早', duration: 1e9 }, 400, 'invalid_request'],
    ['another kind of file', { text: '早', output_extension: 'exe' }, 400, 'invalid_request'],
    ['yes', { text: '早', should_enhance: 'yes' }, 400, 'invalid_request'],
    ['an object as a switch', { text: '早', should_return_timestamp: {} }, 400, 'invalid_request'],
    ['a duration that is too short', { text: '今日天氣好好', duration: 0.1 }, 422, 'invalid_parameter'],
    ['a duration that is too long', { text: '今日天氣好好', duration: 122 }, 422, 'invalid_parameter'],
    ['pauses of hours', { text: '早<break time="10s"/>'.repeat(13) }, 400, 'invalid_request'],
    [
      'a model that does not know the language',
      { text: '早', model_id: 'server-tones', language: 'english' },
      422,
      'invalid_parameter',
    ],
    ['a speaker that is not there', { text: FAILURES.atOnce }, 502, 'upstream_unavailable'],
    ['a speaker that says nothing', { text: FAILURES.silent }, 502, 'upstream_unavailable'],
    ['a speaker that breaks off', { text: `${FAILURES.later}ING NEWS` }, 500, 'engine_failed'],
  ])('costs nothing and leaves nothing: %s', async (_, body, status, code) => {
    expect(refusal(await ask(body))).toEqual([status, code]);
    expect(await usedBy(account)).toBe(0);
    await nothingLeft();
  });

  test('is for the key first, and does not require a streaming plan', async () => {
    expect(refusal(await ask({}, null))).toEqual([401, 'missing_api_key']);
    const free = await server.newAccount('free', ['tts']);
    expect((await ask({ text: '早晨' }, free.key)).status).toBe(200);
    const listener = await server.newAccount('pro', ['stt']);
    expect(refusal(await ask({ text: '早晨' }, listener.key))).toEqual([403, 'insufficient_scope']);
    server.state.isSynthesisMissing = true;
    expect(refusal(await ask({ text: '早晨' }, free.key))).toEqual([503, 'engine_unavailable']);
  });
});

test('100 simultaneous requests for the last of the quota it shares with streams get exactly what it covers', async () => {
  const poor = await server.newAccount('talkative', ['tts']);
  const stream = await send(
    `${server.baseUrl}/api/tts-stream`,
    json('POST', { text: '好'.repeat(90), voice_id: 'jasmine' }, poor.key),
  );
  expect(stream.headers.get('x-characters-charged')).toBe('360');
  const answers = await Promise.all(Array.from({ length: 100 }, () => ask({ text: '飲茶嘅' }, poor.key)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(13);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(87);
  expect(await usedBy(poor)).toBe(399);
  await nothingLeft();
});

test('a disconnect stops the synthesis, is charged, and leaves nothing on the disk', async () => {
  server.state.paceMs = 20;
  await disconnectWhen(url(), { text: '好'.repeat(1_000) }, account.key, () =>
    vi.waitFor(() => expect(server.state.speaking).toBe(1), 60_000),
  );
  await vi.waitFor(() => expect(server.state.speaking).toBe(0), { timeout: 60_000 });
  await nothingLeft();
  expect(server.state.spokenSamples).toBeLessThan(500 * 2_400);
  expect(await usedBy(account)).toBe(1_000);
});
