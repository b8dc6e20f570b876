import { readdir, readFile, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { descendants } from '#testbed/service/process-tree.ts';
import { administer, createAccount, errorOf, mismatches, type TestAccount } from '#testbed/service/accounts.ts';
import { noise, silence, tones, wavBytes, writeSound, type Sound } from '#testbed/sound/audio.ts';
import { killProcess } from '#test/processes.ts';
import {
  organMusic,
  repeatSound,
  synthesize,
  SCORE_PATHS,
  scoreRequest,
} from '#testbed/clients/pronunciation-scoring.ts';
import { startService, temporaryFolder, type Service } from '#testbed/service/service.ts';

/** Part of many texts sent here; must not appear in the log. */
const MARK = '鼉龘靐';
const TEXT = '今日天氣好好';
const [PATH] = SCORE_PATHS;
const MAX_BYTES = 10 * 1024 ** 2;
const REQUESTS_A_MINUTE = 12;

type Fields = Record<string, string | null>;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: Service;
let learner: TestAccount;
let sound: Sound;
let audio: Buffer;

beforeAll(async () => {
  folder = await temporaryFolder();
  const plans = join(folder.path, 'plans.json');
  const quotas = { stt_seconds: null, tts_characters: null, video_summaries: null };
  const slow = { quotas, requestsPerMinute: REQUESTS_A_MINUTE, pollsPerMinute: 1_000, streamingTts: true };
  await writeFile(plans, JSON.stringify({ slow }));
  // The most verbose log level; a single process for scoring.
  const env = { PLANS_FILE: plans, LOG_LEVEL: 'trace', LOG_REQUESTS: 'true', WORKERS: '1' };
  service = await startService(join(folder.path, 'data'), env);
  learner = await createAccount(service.baseUrl, 'pro', ['pronunciation']);
  sound = await synthesize(service, { text: TEXT });
  audio = wavBytes(sound);
});
afterAll(async () => {
  await service.stop();
  await folder[Symbol.asyncDispose]();
});

const ask = (fields: Fields = {}, sound: Uint8Array | null = audio, path: string = PATH) =>
  fetch(service.baseUrl + path, scoreRequest(sound, { api_key: learner.key, text: TEXT, ...fields }));
const post = (body: RequestInit['body'], headers: Record<string, string>, path: string = PATH) =>
  fetch(service.baseUrl + path, { method: 'POST', body: body ?? null, headers });
/** Upload files of every server process in this test. */
const uploads = async () => {
  const incoming = join(folder.path, 'data/incoming');
  const entries = await readdir(incoming, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
};
const isServed = async () => expect(await errorOf(await ask())).toEqual([200, 'none']);

describe.each(SCORE_PATHS)('%s', (path) => {
  it('answers with the documented status codes', async () => {
    const blocked = await createAccount(service.baseUrl, 'pro', ['pronunciation']);
    const revoked = await createAccount(service.baseUrl, 'pro', ['pronunciation']);
    const hearing = await createAccount(service.baseUrl, 'pro', ['stt', 'tts', 'video', 'admin']);
    await administer(service.baseUrl, 'PATCH', `accounts/${blocked.id}`, { blocked: true });
    await administer(service.baseUrl, 'DELETE', `keys/${revoked.keyId}`);
    const bad = { text: '', language: 'klingon' };
    const cases: [number, string, Fields, Uint8Array | null][] = [
      [200, 'none', {}, audio],
      [200, 'none', { language: 'Cantonese', model: 'x', api_version: '7' }, audio],
      [400, 'missing_file', {}, null],
      [400, 'invalid_request', { text: null }, audio],
      [400, 'invalid_request', { text: ' \t ' }, audio],
      [400, 'invalid_request', { text: '好'.repeat(1_001) }, audio],
      [400, 'invalid_request', { language: 'japanese' }, audio],
      [400, 'text_not_readable', { text: '🙂🙂' }, audio],
      [401, 'missing_api_key', { ...bad, api_key: null }, null],
      [401, 'missing_api_key', { ...bad, api_key: '' }, audio],
      [401, 'invalid_api_key', { ...bad, api_key: 'jyut_nonsense' }, null],
      [401, 'invalid_api_key', { ...bad, api_key: revoked.key }, audio],
      [401, 'account_blocked', { ...bad, api_key: blocked.key }, audio],
      [403, 'insufficient_scope', { ...bad, api_key: hearing.key }, audio],
      [413, 'payload_too_large', {}, new Uint8Array(MAX_BYTES + 1)],
      [422, 'empty_audio', {}, new Uint8Array(0)],
      [422, 'corrupt_audio', {}, Buffer.from('This is a text.')],
      [200, 'none', {}, audio.subarray(0, audio.length / 2)],
      [422, 'no_speech', {}, wavBytes(silence(2_000))],
    ];
    const wrong = await mismatches(
      cases,
      ([status, code]) => [status, code],
      ([, , fields, sound]) => ask(fields, sound, path),
    );
    expect(wrong).toEqual([]);
  });

  it('answers other methods than POST with 405', async () => {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const response = await fetch(service.baseUrl + path, { method, headers: { 'x-api-key': learner.key } });
      expect([method, response.headers.get('allow')]).toEqual([method, 'POST']);
      expect(await errorOf(response)).toEqual([405, 'method_not_allowed']);
    }
    const head = await fetch(service.baseUrl + path, { method: 'HEAD' });
    expect([head.status, head.headers.get('allow'), await head.text()]).toEqual([405, 'POST', '']);
  });

  it('explains the expected form when the body is none', async () => {
    const json = { 'content-type': 'application/json' };
    const body = JSON.stringify({ api_key: learner.key, text: TEXT, audio: audio.toString('base64') });
    const response = await post(body, json, path);
    expect(response.status).toBe(415);
    expect(((await response.json()) as { message: string }).message).toContain('multipart/form-data');
    const key = { 'x-api-key': learner.key };
    expect(await errorOf(await post('{', json, path))).toEqual([401, 'missing_api_key']);
    expect(await errorOf(await post('{', { ...json, ...key }, path))).toEqual([415, 'unsupported_media_type']);
    const wav = { 'content-type': 'audio/wav', ...key };
    expect(await errorOf(await post(new Uint8Array(audio), wav, path))).toEqual([415, 'unsupported_media_type']);
    const half = { 'content-type': 'multipart/form-data; boundary=x', ...key };
    const cut = '--x\r\nContent-Disposition: form-data; name="audio"; filename="a"\r\n\r\nRIFF';
    expect(await errorOf(await post(cut, half, path))).toEqual([400, 'invalid_request']);
  });
});

describe('recordings to score', () => {
  it('without speech get no score', async () => {
    const flat = { ...silence(1_000), channels: [new Float32Array(16_000).fill(0.7)] };
    const cases: [string, Uint8Array][] = [
      ['silence', wavBytes(silence(3_000))],
      ['a constant', wavBytes(flat)],
      ['noise', wavBytes(noise(3_000, 0.3))],
      ['quiet noise', wavBytes(noise(3_000, 0.002))],
      ['a tone', wavBytes(tones([{ frequencyHz: 220, durationMs: 3_000 }]))],
      ['music', wavBytes(organMusic(4_000))],
      [
        'a click',
        wavBytes(
          tones([
            { frequencyHz: 0, durationMs: 800 },
            { frequencyHz: 2_000, durationMs: 5 },
          ]),
        ),
      ],
    ];
    expect(
      await mismatches(
        cases,
        () => [422, 'no_speech'],
        ([, sound]) => ask({}, sound),
      ),
    ).toEqual([]);
  });

  it('that are no audio or damaged give 422, and those that end too early a score', async () => {
    const [flac, mp3] = [await written('flac'), await written('mp3')];
    const [m4a, ogg] = [await written('m4a'), await written('ogg-opus')];
    const header = wavBytes(silence(100));
    const headerOf = (change: (bytes: Buffer) => void) => {
      const bytes = Buffer.from(header);
      change(bytes);
      return bytes;
    };
    const noAudio: [string, Uint8Array][] = [
      ['text', Buffer.from('RIFF is what a wav begins with. '.repeat(100))],
      ['a page', Buffer.from('<!doctype html><title>404</title>')],
      ['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
      ['a playlist', Buffer.from('#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n')],
      ['zeros', new Uint8Array(100_000)],
    ];
    const damaged: [string, Uint8Array][] = [
      ['a header alone', header.subarray(0, 40)],
      ['no channels', headerOf((bytes) => bytes.writeUInt16LE(0, 22))],
      ['no rate', headerOf((bytes) => bytes.writeUInt32LE(0, 24))],
      ['an unknown codec', headerOf((bytes) => bytes.writeUInt16LE(0x4242, 20))],
      // Its index is at the end.
      ['half m4a', firstHalf(m4a)],
      ['m4a shot through', shotThrough(m4a)],
      ['flac shot through', shotThrough(flac)],
    ];
    const shorter: [string, Uint8Array][] = [
      ['half a wav', audio.subarray(0, audio.length / 2)],
      ['half flac', firstHalf(flac)],
      ['half ogg', firstHalf(ogg)],
      // Pages and frames that are broken are passed over.
      ['ogg shot through', shotThrough(ogg)],
      ['mp3 shot through', shotThrough(mp3)],
    ];
    const wrong: unknown[] = [];
    for (const [status, cases] of [
      [422, noAudio],
      [422, damaged],
      [200, shorter],
    ] as const) {
      for (const [name, sound] of cases) {
        const got = await errorOf(await ask({}, sound));
        if (got[0] !== status) wrong.push([name, ...got]);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('must last long enough for a syllable, and at most a minute', async () => {
    expect((await ask({}, wavBytes(repeatSound(sound, 60_000)))).status).toBe(200);
    const cases: [number, string[]][] = [
      [61_000, ['audio_too_long']],
      [120_000, ['audio_too_long']],
      [50, ['no_speech', 'empty_audio']],
      [1, ['no_speech', 'empty_audio']],
    ];
    for (const [durationMs, codes] of cases) {
      const [status, code] = await errorOf(await ask({}, wavBytes(repeatSound(sound, durationMs))));
      expect([durationMs, status]).toEqual([durationMs, 422]);
      expect(codes).toContain(code);
    }
  });

  it('larger than 10 MiB are refused before they are read completely, with and without a length', async () => {
    for (const [declared, refusedFrom, ceiling] of [
      [200 * 1024 ** 2, 0, 2 * 1024 ** 2],
      [null, 10 * 1024 ** 2, 14 * 1024 ** 2],
    ] as const) {
      const { status, sentBytes } = await sendEndlessly(declared, refusedFrom);
      expect(status).toBe(413);
      expect(sentBytes).toBeLessThan(ceiling);
    }
    await isServed();
  });
});

async function written(format: 'flac' | 'mp3' | 'm4a' | 'ogg-opus'): Promise<Buffer> {
  const path = join(folder.path, format);
  await writeSound(path, repeatSound(sound, 6_000), format);
  return readFile(path);
}

/** Does not end between two pages of an Ogg file, where a valid shorter file ends. */
function firstHalf(bytes: Buffer): Buffer {
  const middle = Math.floor(bytes.length / 2);
  const startsPage = bytes.toString('latin1', middle, middle + 4) === 'OggS';
  return bytes.subarray(0, startsPage ? middle + 1 : middle);
}

/** Replaces the second half of a file by noise. */
function shotThrough(bytes: Buffer): Buffer {
  const shot = Buffer.from(bytes);
  for (let i = Math.floor(shot.length / 2); i < shot.length; i += 1) shot[i] = (shot[i]! * 31 + i * 17) & 0xff;
  return shot;
}

/**
 * Sends an endless file until it is answered; `declared` null: chunked. From `refusedFrom` bytes on
 * it is sent slowly, so that a busy server has the time to refuse it.
 */
async function sendEndlessly(
  declared: number | null,
  refusedFrom: number,
): Promise<{ status: number; sentBytes: number }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; sentBytes: number }>();
  let sentBytes = 0;
  const length = declared === null ? {} : { 'content-length': declared };
  const headers = { 'content-type': 'multipart/form-data; boundary=x', ...length };
  const request = httpRequest(service.baseUrl + PATH, { method: 'POST', headers, agent: false }, (response) => {
    resolve({ status: response.statusCode ?? 0, sentBytes });
    request.destroy();
  });
  request.on('error', reject);
  request.write(
    `--x\r\nContent-Disposition: form-data; name="api_key"\r\n\r\n${learner.key}\r\n` +
      '--x\r\nContent-Disposition: form-data; name="audio"; filename="a.wav"\r\n\r\n',
  );
  const piece = Buffer.alloc(64 * 1024);
  const write = () => {
    if (request.destroyed) return;
    sentBytes += piece.length;
    request.write(piece, () => setTimeout(write, sentBytes > refusedFrom ? 100 : 1));
  };
  write();
  return promise;
}

describe('texts to score', () => {
  it('without anything to read in their language give 400', async () => {
    const cases: [string, string][] = [
      ['。，！？…', 'cantonese'],
      ['🙂👨‍👩‍👧', 'cantonese'],
      ['こんにちは', 'cantonese'],
      ['Good morning', 'cantonese'],
      ['Good morning', 'mandarin'],
      ['早晨', 'english'],
      ['Добрый день', 'english'],
      ['---', 'english'],
      ['\u0000\u0001\u202e', 'english'],
    ];
    const wrong = await mismatches(
      cases,
      () => [400, 'text_not_readable'],
      ([text, language]) => ask({ text, language }),
    );
    expect(wrong).toEqual([]);
  });

  it('with unusual characters are scored or refused, and never cause a failure', async () => {
    const texts = [
      `${MARK}${MARK}`,
      'constructor prototype toString __proto__ hasOwnProperty',
      '<script>alert(1)</script> \u202e今日\u202c {{7*7}} ${x} ../../etc/passwd',
      "'; DROP TABLE keys;-- 好",
      '好'.repeat(1_000),
      'a'.repeat(1_000),
      '9'.repeat(1_000),
      '1,234,567.89 -0.5 1/2 50% $3.20 2026-11-21 12:53 +852 2345 6789',
      `好${'\u0301'.repeat(900)}`,
      '㐀𠮷𪚥豈㈱①½',
      'ㄅㄆㄇ hello 你好 안녕 سلام',
      '\0好\0',
      '\u{d800}好',
      'xq zzyzx brrrr pneumonoultramicroscopicsilicovolcanoconiosis',
    ];
    const wrong: unknown[] = [];
    for (const language of ['cantonese', 'mandarin', 'english']) {
      for (const text of texts) {
        const [status, code] = await errorOf(await ask({ text, language }));
        if (status !== 200 && code !== 'text_not_readable') wrong.push([language, text.slice(0, 20), status, code]);
      }
    }
    expect(wrong).toEqual([]);
  });
});

describe('the rate limit of scores', () => {
  it('allows as many scores as the plan, and not one more', async () => {
    const eager = await createAccount(service.baseUrl, 'slow', ['pronunciation']);
    const answers = await Promise.all(
      Array.from({ length: REQUESTS_A_MINUTE + 50 }, () => ask({ api_key: eager.key, text: '好' })),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(REQUESTS_A_MINUTE);
    expect(refused).toHaveLength(50);
    for (const response of refused) {
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(response.headers.get('x-ratelimit-limit')).toBe(String(REQUESTS_A_MINUTE));
      expect(response.headers.get('x-ratelimit-remaining')).toBe('0');
      expect(await errorOf(response)).toEqual([429, 'rate_limit_exceeded']);
    }
    await isServed();
  });
});

describe('a client that disconnects while waiting for a score', () => {
  it('frees the worker for other clients and leaves no files', async () => {
    const long = wavBytes(repeatSound(sound, 20_000));
    const text = TEXT.repeat(13);
    const startedMs = performance.now();
    const one = await ask({ text }, long);
    const oneMs = performance.now() - startedMs;
    expect(one.status).toBe(200);
    const leaving = Array.from({ length: 8 }, () =>
      fetch(service.baseUrl + PATH, {
        ...scoreRequest(long, { api_key: learner.key, text }),
        signal: AbortSignal.timeout(Math.round(Math.max(200, oneMs / 2))),
      }).then(
        () => 'answered',
        () => 'left',
      ),
    );
    const outcomes = await Promise.all(leaving);
    expect(outcomes.filter((outcome) => outcome === 'left').length).toBeGreaterThan(4);
    const askedMs = performance.now();
    await isServed();
    // One process would need eight times as long for eight recordings.
    expect(performance.now() - askedMs).toBeLessThan(4 * oneMs + 1_000);
    await expect.poll(uploads).toEqual([]);
  });
});

describe('a crash of the scoring process', () => {
  it('fails its request with 500, and the next one is scored', async () => {
    const minute = wavBytes(repeatSound(sound, 60_000));
    const waiting = Array.from({ length: 2 }, () => ask({ text: TEXT.repeat(40) }, minute));
    const answered = Promise.race(waiting).then(() => true);
    while (!(await Promise.race([answered, sleep(500, false)]))) {
      for (const pid of descendants(service.process.pid!)) killProcess(pid);
    }
    const answers = await Promise.all((await Promise.all(waiting)).map(errorOf));
    const failed = answers.filter(([status]) => status !== 200);
    expect(failed.length).toBeGreaterThan(0);
    expect(failed.map(([status, code]) => [status, code])).toEqual(failed.map(() => [500, 'internal_error']));
    await isServed();
  });
});

it('no text or recording of a scoring request is in the log or on disk', async () => {
  await expect.poll(uploads).toEqual([]);
  const output = service.output();
  expect(output).toContain('score-pronunciation');
  for (const secret of [MARK, TEXT, learner.key, 'gam1', '"heard"', 'pneumono']) expect(output).not.toContain(secret);
});
