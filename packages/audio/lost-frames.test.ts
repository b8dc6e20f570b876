import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AV_SAMPLE_FMT_FLTP, AV_SAMPLE_FMT_S16, type AVSampleFormat } from 'node-av/constants';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { encodeSync, encoding, noise, type Sound } from '#testbed/sound/audio.ts';
import { decodeAudio } from './decode.ts';
import { ac3Frame, adtsFrame, loasFrame, mp2Frame, mp3Frame, type ReadFrameHeader } from './frame-headers.ts';

const RATE_HZ = 44_100;
const SILENT_MS = 4_000;
const LOUD_MS = 2_000;

const STREAMS: readonly [muxer: string, codec: string, format: AVSampleFormat, readFrame: ReadFrameHeader][] = [
  ['mp3', 'libmp3lame', AV_SAMPLE_FMT_FLTP, mp3Frame],
  ['mp2', 'mp2', AV_SAMPLE_FMT_S16, mp2Frame],
  ['adts', 'aac', AV_SAMPLE_FMT_FLTP, adtsFrame],
  ['latm', 'aac', AV_SAMPLE_FMT_FLTP, loasFrame],
  ['ac3', 'ac3', AV_SAMPLE_FMT_FLTP, ac3Frame],
  ['eac3', 'eac3', AV_SAMPLE_FMT_FLTP, ac3Frame],
];

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lost-frames-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Quiet noise, then loud noise, whose beginning is looked for. */
function quietThenLoud(): Sound {
  const [quiet] = noise(SILENT_MS, 0.02, RATE_HZ).channels;
  const [loud] = noise(LOUD_MS, 0.5, RATE_HZ).channels;
  return { sampleRateHz: RATE_HZ, channels: [Float32Array.from([...quiet!, ...loud!])] };
}

/** Returns the time at which loud sound begins, in milliseconds. */
async function onsetOf(bytes: Buffer): Promise<number> {
  const path = join(folder, 'sound');
  await writeFile(path, bytes);
  const options = { sampleRateHz: 16_000, maxDurationMs: 60_000, signal: new AbortController().signal };
  for await (const { samples, startMs } of decodeAudio(path, options)) {
    const at = samples.findIndex((sample) => Math.abs(sample) > 0.15);
    if (at >= 0) return startMs + at / 16;
  }
  return NaN;
}

function framesOf(bytes: Buffer, readFrame: ReadFrameHeader): number[] {
  const starts: number[] = [];
  for (let at = 0; at < bytes.length;) {
    const frame = readFrame(bytes, at);
    if (frame !== null) starts.push(at);
    at += frame?.sizeBytes ?? 1;
  }
  return starts;
}

/** Yields the sound in each kind of stream, with the offsets of its frames. */
async function* encodedStreams() {
  for (const [muxer, codec, format, readFrame] of STREAMS) {
    const path = join(folder, muxer);
    encodeSync(path, quietThenLoud(), encoding(muxer, codec as never, format));
    const bytes = await readFile(path);
    yield { muxer, bytes, starts: framesOf(bytes, readFrame) };
  }
}

/** A tag of ID3v2.3 with a picture of 3,000 bytes. */
function tag(): Buffer {
  return Buffer.concat([Buffer.from('ID3\x03\0\0\0\0\x17\x38', 'latin1'), Buffer.alloc(3_000, 0x41)]);
}

type Damage = (bytes: Buffer, starts: readonly number[]) => Buffer;

const DAMAGES: Record<string, Damage> = {
  'one header is damaged': (bytes, starts) => withZeros(bytes, starts.slice(40, 41), 4),
  'five headers are damaged': (bytes, starts) => withZeros(bytes, starts.slice(40, 45), 4),
  'headers in two places are damaged': (bytes, starts) =>
    withZeros(bytes, [...starts.slice(30, 32), ...starts.slice(60, 63)], 4),
  'five frames are zeros': (bytes, starts) => withZeros(bytes, starts.slice(40, 41), starts[45]! - starts[40]!),
  'a tag lies between frames': (bytes, starts) =>
    Buffer.concat([bytes.subarray(0, starts[40]), tag(), bytes.subarray(starts[40])]),
};

function withZeros(bytes: Buffer, starts: readonly number[], length: number): Buffer {
  const damaged = Buffer.from(bytes);
  for (const at of starts) damaged.fill(0, at, at + length);
  return damaged;
}

it('a hole of a tenth of the recording does not refuse the rest', async () => {
  const faults: string[] = [];
  for await (const { muxer, bytes, starts } of encodedStreams()) {
    const from = Math.round(starts.length * 0.3);
    const until = Math.round(starts.length * 0.4);
    const lateMs = await onsetOf(withZeros(bytes, [starts[from]!], starts[until]! - starts[from]!)).catch(String);
    const expectedMs = await onsetOf(bytes);
    if (typeof lateMs === 'string' || !(Math.abs(lateMs - expectedMs) <= 60)) faults.push(`${muxer}: ${lateMs}`);
  }
  expect(faults).toEqual([]);
});

it('frames of AAC that a false header hides keep the time of the sound behind them', async () => {
  const path = join(folder, 'hidden');
  encodeSync(path, quietThenLoud(), encoding('adts', 'aac', AV_SAMPLE_FMT_FLTP));
  const bytes = await readFile(path);
  const expectedMs = await onsetOf(bytes);
  const starts = framesOf(bytes, adtsFrame);
  // A byte comes between, so that a header is looked for in the sound of the next frame, where
  // bytes look like that of a frame which ends in the 28th behind it.
  const damaged = Buffer.concat([bytes.subarray(0, starts[41]), Buffer.from([0]), bytes.subarray(starts[41])]);
  const at = starts[41]! + 20;
  const length = starts[68]! - at + 40;
  bytes.copy(damaged, at, starts[40], starts[40]! + 3);
  damaged.writeUIntBE((bytes.readUIntBE(starts[40]! + 3, 4) & ~0x03_ff_e0_00) | (length << 13), at + 3, 4);
  expect(Math.abs((await onsetOf(damaged)) - expectedMs)).toBeLessThanOrEqual(20);
});

it('sound behind lost frames keeps its time, and tags take none', async () => {
  const faults: string[] = [];
  for await (const { muxer, bytes, starts } of encodedStreams()) {
    const expectedMs = await onsetOf(bytes);
    for (const [damage, apply] of Object.entries(DAMAGES)) {
      const lateMs = (await onsetOf(apply(bytes, starts))) - expectedMs;
      if (!(Math.abs(lateMs) <= 20)) faults.push(`${muxer}, ${damage}: ${lateMs.toFixed(0)} ms late`);
    }
  }
  expect(faults).toEqual([]);
});
