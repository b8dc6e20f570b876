import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { probeAudio } from '@jyutsing/audio/probe';
import { VIDEOS } from './catalogue.ts';
import { startVideoPlatform, type VideoPlatform } from './server.ts';
import { readPlayer, VISIONOS, WEB } from './testing.ts';

let platform: VideoPlatform;
let folder: string;

beforeAll(async () => {
  platform = await startVideoPlatform();
  folder = await mkdtemp(join(tmpdir(), 'video-platform-sound-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
  await platform.close();
});

async function linkOf(videoId: string, itag: number, client: object = VISIONOS): Promise<string | undefined> {
  const { streamingData } = await readPlayer(platform.baseUrl, videoId, client);
  return streamingData?.adaptiveFormats.find((format) => format.itag === itag)?.url;
}

it('audio is offered as fragmented MP4 and WebM, with the length and size of the player response', async () => {
  const { streamingData, videoDetails } = await readPlayer(platform.baseUrl, VIDEOS.noCaptions.id, VISIONOS);
  const [m4a, webm] = streamingData?.adaptiveFormats ?? [];
  expect([m4a?.mimeType, webm?.mimeType]).toEqual(['audio/mp4; codecs="mp4a.40.2"', 'audio/webm; codecs="opus"']);
  const bytes = Buffer.from(await (await fetch(m4a!.url!)).arrayBuffer());
  expect(bytes.toString('latin1', 4, 12)).toBe('ftypdash');
  expect(String(bytes.length)).toBe(m4a!.contentLength);
  const path = join(folder, 'speech');
  await writeFile(path, bytes);
  const info = await probeAudio(path, { maxDurationMs: 60_000 });
  expect(info).toMatchObject({ container: 'm4a', codec: 'aac' });
  expect(Math.abs((info.declaredDurationMs ?? 0) - Number(videoDetails?.lengthSeconds) * 1_000)).toBeLessThan(1_000);
  const opus = Buffer.from(await (await fetch(webm!.url!)).arrayBuffer());
  expect(opus.subarray(0, 4).toString('latin1')).toBe('\x1aE\xdf\xa3');
});

it('byte ranges are accepted as header and as query parameter', async () => {
  const link = (await linkOf(VIDEOS.noCaptions.id, 140))!;
  const whole = Buffer.from(await (await fetch(link)).arrayBuffer());
  const part = await fetch(link, { headers: { range: 'bytes=10-19' } });
  expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 10-19/${whole.length}`]);
  expect(Buffer.from(await part.arrayBuffer())).toEqual(whole.subarray(10, 20));
  const rest = await fetch(`${link}&range=${whole.length - 5}-`);
  expect([rest.status, Buffer.from(await rest.arrayBuffer())]).toEqual([200, whole.subarray(-5)]);
  expect((await fetch(link, { headers: { range: 'bytes=99999999-' } })).status).toBe(416);
});

it('web clients get no audio link, and links without a signature are refused', async () => {
  expect(await linkOf(VIDEOS.noCaptions.id, 140, WEB)).toBeUndefined();
  const link = (await linkOf(VIDEOS.noCaptions.id, 140))!;
  expect((await fetch(link.replace(/&sig=[^&]+/, ''))).status).toBe(403);
});

it('audio can be forbidden, absent, on another host, or declared too long or too large', async () => {
  expect((await fetch((await linkOf(VIDEOS.soundForbidden.id, 140))!)).status).toBe(403);
  expect(await linkOf(VIDEOS.soundElsewhere.id, 140)).toBe(`${platform.other.url}/videoplayback`);
  expect(await linkOf(VIDEOS.silent.id, 140)).toBeUndefined();
  const long = await readPlayer(platform.baseUrl, VIDEOS.soundVeryLong.id);
  expect(long.videoDetails?.lengthSeconds).toBe('39600');
  const large = await readPlayer(platform.baseUrl, VIDEOS.soundVeryLarge.id);
  expect(large.streamingData?.adaptiveFormats[0]?.contentLength).toBe('20000000000');
});
