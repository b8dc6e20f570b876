import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { VIDEOS } from '#testbed/video-platform/catalogue.ts';
import { startVideoPlatform, type VideoPlatform } from '#testbed/video-platform/server.ts';
import { identifyContainer } from '#packages/audio/container.ts';
import type { AudioLimit, CaptionSource } from '@jyutsing/contracts/captions';
import { AppError } from '@jyutsing/contracts/errors';
import { engine } from './caption-source.ts';
import { PlatformError } from './platform-error.ts';
import { createPlatformFetch, type PlatformFetch } from './platform-fetch.ts';
import { createPlatformHosts } from './platform-hosts.ts';
import type { VideoInfo, SoundFormat } from './player-answer.ts';
import { chooseSound, saveSound } from './save-sound.ts';

const never = new AbortController().signal;
const PLENTY: AudioLimit = { maxBytes: 100_000_000, maxDurationMs: 3_600_000 };
const folder = await mkdtemp(join(tmpdir(), 'sound-'));
const path = join(folder, 'video.m4a');
afterAll(() => rm(folder, { recursive: true }));

const format = (changes: Partial<SoundFormat> = {}): SoundFormat => ({
  link: '/videoplayback?id=x',
  mimeType: 'audio/mp4',
  bitrate: 128_000,
  sizeBytes: null,
  isOriginal: true,
  ...changes,
});
const video = (sounds: SoundFormat[], durationMs: number | null = 60_000): VideoInfo => ({
  title: null,
  tracks: [],
  sounds,
  durationMs,
});

/** Answers range requests like the platform. */
const partOf = (body: Buffer) => (request: IncomingMessage, response: ServerResponse) => {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  const end = Math.min(Number(to), body.length - 1);
  response.writeHead(206, {
    'content-type': 'audio/mp4',
    'content-range': `bytes ${from}-${end}/${body.length}`,
    'content-length': end - Number(from) + 1,
  });
  response.end(body.subarray(Number(from), end + 1));
};

describe('choosing the sound', () => {
  it('takes the best m4a within the limit, in the original language', () => {
    const sounds = [
      format({ mimeType: 'audio/webm', bitrate: 160_000 }),
      format({ bitrate: 130_000, isOriginal: false }),
      format({ bitrate: 48_000, sizeBytes: 400 }),
      format({ bitrate: 129_000, sizeBytes: 1_000 }),
    ];
    expect(chooseSound(video(sounds), PLENTY)).toMatchObject({ bitrate: 129_000 });
    expect(chooseSound(video(sounds), { ...PLENTY, maxBytes: 999 })).toMatchObject({ bitrate: 48_000 });
  });

  it.each([
    ['longer than allowed', [format()], 3_600_001],
    ['unknown duration', [format()], null],
    ['larger than allowed', [format({ sizeBytes: 100_000_001 })], 60_000],
    ['no m4a audio', [format({ mimeType: 'audio/webm' })], 60_000],
    ['no audio with a link', [], 60_000],
  ])('throws: %s', (reason, sounds, durationMs) => {
    expect(() => chooseSound(video(sounds, durationMs), PLENTY)).toThrow(reason);
  });
});

describe('downloading', () => {
  const sound = Buffer.alloc(23_000_000, 'sound');
  sound.write('ftyp', 4);
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  let ranges: string[] = [];
  let platform: PlatformFetch;
  const server = createServer((request, response) => {
    ranges.push(String(request.headers.range));
    answer(request, response);
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const hosts = createPlatformHosts({ baseUrl, isCustomHost: true });
    platform = createPlatformFetch({ hosts, proxyUrl: null, timeoutMs: 60_000, maxAnswerBytes: 1_000 });
  });
  afterEach(() => void (ranges = []));
  afterAll(async () => {
    await platform.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const save = async (limit = PLENTY, sizeBytes: number | null = null, signal = never): Promise<string> => {
    await saveSound(video([format({ sizeBytes })]), path, { platform, userAgent: 'test', limit, signal });
    return path;
  };
  it('requests 10 MB at a time', async () => {
    answer = partOf(sound);
    expect(sound.equals(await readFile(await save()))).toBe(true);
    expect(ranges).toEqual(['bytes=0-9999999', 'bytes=10000000-19999999', 'bytes=20000000-22999999']);
  });

  it('accepts the whole file from a server without range support', async () => {
    answer = (_, response) => void response.writeHead(200, { 'content-length': sound.length }).end(sound);
    expect(sound.equals(await readFile(await save()))).toBe(true);
  });

  it.each<[string, (request: IncomingMessage, response: ServerResponse) => void, boolean]>([
    [
      'larger than allowed',
      (_, to) => to.writeHead(206, { 'content-range': 'bytes 0-9/100000001' }).end('0123456789'),
      true,
    ],
    ['larger than allowed', (_, to) => to.writeHead(200, { 'content-length': '100000001' }).write('x'), true],
    ['audio: status 403', (_, to) => to.writeHead(403).end('no'), false],
    ['HTML instead of audio', (_, to) => to.writeHead(200, { 'content-type': 'text/html' }).end('<html>'), false],
    [
      'audio: unexpected byte range',
      (_, to) => to.writeHead(206, { 'content-range': 'bytes 5-9/10' }).end('56789'),
      false,
    ],
    [
      'audio: unexpected byte range',
      (_, to) => to.writeHead(206, { 'content-range': 'bytes 0-9/*' }).end('0123456789'),
      false,
    ],
    ['audio: unexpected byte range', (_, to) => to.writeHead(200).end(), false],
    [
      'audio: more bytes than announced',
      (_, to) => to.writeHead(206, { 'content-range': 'bytes 0-3/4' }).end('01234567'),
      false,
    ],
    ['audio: truncated', (_, to) => to.writeHead(206, { 'content-range': 'bytes 0-9/10' }).end('01234567'), false],
    ['audio is not m4a', (_, to) => to.writeHead(206, { 'content-range': 'bytes 0-9/10' }).end('0123456789'), false],
  ])('%s', async (reason, react, isFinal) => {
    answer = react;
    const thrown = await save().catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(PlatformError);
    expect(thrown).toMatchObject({ message: reason, isFinal });
  });

  it('an abort ends it in the middle of a range', async () => {
    const abort = new AbortController();
    const closed = new Promise<void>((resolve) => {
      answer = (_, response) => {
        response.writeHead(206, { 'content-range': 'bytes 0-9999999/23000000' }).write(sound.subarray(0, 1_000));
        response.once('close', resolve);
      };
    });
    const outcome = save(PLENTY, null, abort.signal).catch((error: unknown) => error);
    await vi.waitUntil(() => ranges.length === 1);
    const reason = { because: 'the client left' };
    abort.abort(reason);
    expect(await outcome).toBe(reason);
    await closed;
  });

  it('a missing folder is a final error', async () => {
    answer = partOf(sound);
    const download = { platform, userAgent: 'test', limit: PLENTY, signal: never };
    const work = saveSound(video([format()]), join(folder, 'no', 'such', 'folder'), download);
    await expect(work).rejects.toMatchObject({ message: 'the file cannot be written', isFinal: true });
  });
});

describe('the sound of a video', () => {
  const ID = VIDEOS.noSpeech.id;
  let platform: VideoPlatform;
  let source: CaptionSource;
  beforeAll(async () => {
    platform = await startVideoPlatform();
  });
  // Each test opens another source, because a source remembers what worked.
  beforeEach(async () => {
    const settings = { YOUTUBE_BASE_URL: platform.baseUrl, YOUTUBE_TIMEOUT_SECONDS: '60' };
    source = await engine.open({ builtinModelsDir: '/nowhere', modelsDir: '/nowhere', settings }, 'youtube');
  });
  afterEach(async () => {
    await source.close();
    platform.behaveAsUsual();
    platform.clearRequests();
  });
  afterAll(async () => {
    await platform.close();
  });
  const failure = async (limit = PLENTY) => {
    const thrown = await source.saveAudio(ID, path, limit, never).catch((error: unknown) => error);
    return thrown instanceof AppError ? { code: thrown.code, cause: thrown.cause } : thrown;
  };

  it('is saved as a file that transcription can read', async () => {
    await source.saveAudio(ID, path, PLENTY, never);
    expect(await identifyContainer({ path, startByte: 0, endByte: Infinity })).toMatchObject({ container: 'm4a' });
    // The other clients need a token for sound.
    expect(platform.requestsAt('player').map(({ client }) => client)).toEqual(['VISIONOS']);
    const [player] = platform.requestsAt('player');
    expect(player?.headers).toMatchObject({
      'user-agent': expect.stringMatching(/Macintosh.*Safari/),
      'x-youtube-client-name': '101',
      'x-youtube-client-version': '1.02',
    });
    expect(platform.requestsAt('sound')[0]?.headers['user-agent']).toBe(player?.headers['user-agent']);
  });

  it('is requested by another client when the first is refused', async () => {
    platform.behave({ at: 'sound', reaction: 'forbidden', times: 1 });
    await source.saveAudio(ID, path, PLENTY, never);
    expect(platform.requestsAt('player').map(({ client }) => client)).toEqual(['VISIONOS', 'TVHTML5']);
  });

  it('is requested first by the client that worked last', async () => {
    platform.behave({ at: 'sound', reaction: 'forbidden', times: 1 });
    await source.saveAudio(ID, path, PLENTY, never);
    await source.saveAudio(ID, path, PLENTY, never);
    expect(platform.requestsAt('player').map(({ client }) => client)).toEqual(['VISIONOS', 'TVHTML5', 'TVHTML5']);
  });

  it('over a limit leaves no file, and no other client is tried', async () => {
    for (const limit of [
      { ...PLENTY, maxDurationMs: 4_000 },
      { ...PLENTY, maxBytes: 100 },
    ]) {
      expect(await failure(limit)).toMatchObject({
        code: 'transcript_download_failed',
        cause: expect.stringMatching(/^VISIONOS: (?:longer|larger) than allowed$/),
      });
      expect(existsSync(path)).toBe(false);
    }
  });

  it.each(['forbidden', 'html', 'cut-short', 'reset-midway', 'captcha', 'redirect-elsewhere', 'endless'] as const)(
    'with the reaction %s leaves no file',
    async (reaction) => {
      platform.behave({ at: 'sound', reaction });
      expect(await failure()).toMatchObject({ code: 'transcript_download_failed' });
      expect(existsSync(path)).toBe(false);
      expect(platform.other.calls).toEqual([]);
    },
  );

  it.each([
    [VIDEOS.soundElsewhere, 'link to another host'],
    [VIDEOS.soundVeryLong, 'longer than allowed'],
    [VIDEOS.soundVeryLarge, 'larger than allowed'],
  ])('$does', async (video, reason) => {
    // Silence is generated faster than speech.
    platform.add({ ...video, id: ID, says: '' });
    expect(await failure()).toMatchObject({ cause: expect.stringMatching(new RegExp(`^VISIONOS: ${reason}`)) });
    expect(platform.other.calls).toEqual([]);
    platform.add(VIDEOS.noSpeech);
  });

  it('that stalls times out', async () => {
    const impatient = await engine.open(
      {
        builtinModelsDir: '/nowhere',
        modelsDir: '/nowhere',
        settings: {
          YOUTUBE_BASE_URL: platform.baseUrl,
          YOUTUBE_TIMEOUT_SECONDS: '0.1',
          YOUTUBE_CLIENTS: 'VISIONOS/1.02',
        },
      },
      'youtube',
    );
    platform.behave({ at: 'sound', reaction: 'stalls' });
    platform.behave({ at: 'player', reaction: 'forbidden' });
    platform.behave({ at: 'player', client: 'VISIONOS', reaction: 'usual' });
    const thrown = await impatient.saveAudio(ID, path, PLENTY, never).catch((error: unknown) => error);
    await impatient.close();
    expect(thrown).toMatchObject({
      code: 'transcript_download_failed',
      cause: expect.stringContaining('timed out'),
    });
    expect(existsSync(path)).toBe(false);
  });

  it('is aborted by its signal', async () => {
    platform.hold('sound');
    const abort = new AbortController();
    const outcome = source.saveAudio(ID, path, PLENTY, abort.signal).catch((error: unknown) => error);
    await platform.untilHeld(1);
    const reason = { because: 'the client left' };
    abort.abort(reason);
    expect(await outcome).toBe(reason);
    expect(existsSync(path)).toBe(false);
  });
});
