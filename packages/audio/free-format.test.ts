import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AV_SAMPLE_FMT_S16 } from 'node-av/constants';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withoutBitRate } from '#test/rare-formats.ts';
import { encodeSync, encoding, tones, writeSound } from '#testbed/sound/audio.ts';
import { decodeAudio } from './decode.ts';
import { mp2Frame } from './frame-headers.ts';
import { probeAudio } from './probe.ts';

const options = { sampleRateHz: 16_000, maxDurationMs: 60_000, signal: new AbortController().signal };
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'free-format-test-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function decode(name: string, bytes: Buffer): Promise<Float32Array> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return Float32Array.from((await Array.fromAsync(decodeAudio(path, options), ({ samples }) => [...samples])).flat());
}

/** Encodes a tone as MP3 without a tag before its frames. */
async function encode(sampleRateHz: number): Promise<Buffer> {
  const path = join(folder, 'encoded');
  const sound = tones(
    [
      { frequencyHz: 0, durationMs: 200 },
      { frequencyHz: 440, durationMs: 800 },
    ],
    sampleRateHz,
  );
  await writeSound(path, sound, 'mp3');
  const bytes = await readFile(path);
  return bytes.subarray(10 + bytes.readUInt32BE(6));
}

function largestDifference(a: Float32Array, b: Float32Array): number {
  return a.reduce((most, sample, at) => Math.max(most, Math.abs(sample - (b[at] ?? 0))), 0);
}

describe('MP3 in the free format', () => {
  // 16 and 44.1 kHz have one and two granules in a frame; at 44.1 kHz some frames are padded.
  it.each([16_000, 44_100])('is decoded to the same sound as with a bit rate, %i Hz', async (sampleRateHz) => {
    const bytes = await encode(sampleRateHz);
    const expected = await decode('usual', bytes);
    const samples = await decode('free', withoutBitRate(bytes));
    expect(samples.length).toBe(expected.length);
    expect(largestDifference(samples, expected)).toBeLessThan(1e-6);
    expect(await probeAudio(join(folder, 'free'), options)).toMatchObject({
      container: 'mp3',
      codec: 'mp3',
      sampleRateHz,
      channels: 1,
      declaredDurationMs: 1_000,
    });
  });

  it('goes on behind bytes that are no frame', async () => {
    const bytes = withoutBitRate(await encode(16_000));
    const whole = await decode('whole', bytes);
    const middle = bytes.length >> 1;
    const damaged = Buffer.concat([bytes.subarray(0, middle), Buffer.alloc(7_000, 0x55), bytes.subarray(middle)]);
    const samples = await decode('damaged', damaged);
    expect(Math.abs(samples.length - whole.length)).toBeLessThan(2 * 576);
  });

  it('ends where the file ends', async () => {
    const bytes = withoutBitRate(await encode(16_000));
    const samples = await decode('cut', bytes.subarray(0, bytes.length >> 1));
    expect(samples.length).toBeGreaterThan(6_000);
    expect(samples.length).toBeLessThan(10_000);
  });
});

it('MP2 in the free format is refused by its name', async () => {
  const path = join(folder, 'free.mp2');
  encodeSync(path, tones([{ frequencyHz: 400, durationMs: 900 }], 48_000), encoding('mp2', 'mp2', AV_SAMPLE_FMT_S16));
  await writeFile(path, withoutBitRate(await readFile(path), mp2Frame));
  await expect(probeAudio(path, options)).rejects.toMatchObject({
    code: 'unsupported_audio_format',
    message: expect.stringContaining('MP2 in the free format'),
  });
});
