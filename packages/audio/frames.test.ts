import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AV_SAMPLE_FMT_FLTP } from 'node-av/constants';
import { Packet } from 'node-av/lib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { encodeSync, encoding, noise } from '#testbed/sound/audio.ts';
import { openAudioInput, type AudioInput } from './av-input.ts';
import { decodeFrames } from './frames.ts';
import { RecordingClock } from './recording-clock.ts';

const RATE_HZ = 44_100;
let folder = '';
let path = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'frames-test-'));
  path = join(folder, 'sound.mp3');
  encodeSync(path, noise(3_000, 0.3, RATE_HZ), encoding('mp3', 'libmp3lame', AV_SAMPLE_FMT_FLTP));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The first packet and the last state what of them is no sound, which packets made here do not. */
const [FIRST_PAIR, LAST_PAIR] = [2, 40];

/** Joins the packets of an input two by two, from a number of packets on. */
function withPairs(input: AudioInput, first: number): Pick<AudioInput, 'openDecoder' | 'readPacket'> {
  let count = 0;
  const joined = new Packet();
  joined.alloc();
  return {
    openDecoder: input.openDecoder,
    readPacket() {
      const packet = input.readPacket();
      count += 1;
      const { pts = 0n, data } = packet ?? {};
      if (count < first || count > LAST_PAIR || data == null) return packet;
      const next = input.readPacket();
      joined.unref();
      joined.data = Buffer.concat([data, next?.data ?? Buffer.alloc(0)]);
      joined.pts = pts;
      return joined;
    },
  };
}

/** Decodes the file with two frames a packet from a number of packets on; returns the lengths. */
async function decodedFrames(firstPair: number): Promise<{ frames: number[]; endMs: number }> {
  const input = await openAudioInput(path);
  const clock = new RecordingClock(input.clockStart);
  const { signal } = new AbortController();
  try {
    const frames = decodeFrames(withPairs(input, firstPair), { clock, signal }, (_, samples) => samples);
    return { frames: await Array.fromAsync(frames), endMs: clock.positionMs };
  } finally {
    input.close();
  }
}

it('every frame of a packet is decoded, wherever packets begin to have several', async () => {
  const expected = await decodedFrames(Infinity);
  expect(expected.frames.length).toBeGreaterThan(100);
  const decoded = await Promise.all([FIRST_PAIR, 16, 17, 18, 30, 31, LAST_PAIR].map(decodedFrames));
  expect(decoded).toEqual(decoded.map(() => expected));
});
