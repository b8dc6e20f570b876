import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AV_SAMPLE_FMT_S16, AV_SAMPLE_FMT_S16P } from 'node-av/constants';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { RARE_FORMATS } from '#test/rare-formats.ts';
import { encodeSync, encoding, type Sound } from '#testbed/sound/audio.ts';
import { decodeAudio } from './decode.ts';
import { probeAudio } from './probe.ts';

const RATE_HZ = 16_000;
const DURATION_MS = 1_024;
const TOLERANCE_MS = 20;
/** Codecs fill their last frame with silence. */
const LAST_FRAME_MS = 100;
const MAX_LAG = 60 * (RATE_HZ / 1_000);

/** Silence, then a tone that rises: it is like itself at no other time. */
function risingTone(sampleRateHz: number): Float32Array {
  const samples = new Float32Array((sampleRateHz * DURATION_MS) / 1_000);
  return samples.map((_, i) => {
    const seconds = i / sampleRateHz;
    const isSilent = seconds < 0.3 || seconds > 0.9;
    return isSilent ? 0 : 0.4 * Math.sin(2 * Math.PI * (300 + 500 * seconds) * seconds);
  });
}

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'formats-test-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Correlates two sounds, the second `lag` samples later. */
function correlation(a: Float32Array, b: Float32Array, lag: number): number {
  let [product, energyA, energyB] = [0, 0, 0];
  for (let i = 0; i < a.length; i += 4) {
    const [x, y] = [a[i] ?? 0, b[i + lag] ?? 0];
    product += x * y;
    energyA += x * x;
    energyB += y * y;
  }
  return product / Math.sqrt(energyA * energyB + 1e-9);
}

/** Finds how much later the decoded sound is, and how like the original. */
function compare(decoded: Float32Array, original: Float32Array): { lagMs: number; likeness: number } {
  let best = { lagMs: 0, likeness: -1 };
  for (let lag = -MAX_LAG; lag <= MAX_LAG; lag += 1) {
    const likeness = correlation(original, decoded, lag);
    if (likeness > best.likeness) best = { lagMs: (lag * 1_000) / RATE_HZ, likeness };
  }
  return best;
}

it('each format is known by its content and decoded to the sound that went in, at its time', async () => {
  const original = risingTone(RATE_HZ);
  const options = { sampleRateHz: RATE_HZ, maxDurationMs: 60_000, signal: new AbortController().signal };
  const wrong: object[] = [];
  for (const { name, container, codec, write, sampleRateHz = 48_000 } of RARE_FORMATS) {
    const path = join(folder, 'sound');
    const sound: Sound = { sampleRateHz, channels: [risingTone(sampleRateHz)] };
    await write(path, sound);
    try {
      const info = await probeAudio(path, options);
      const pieces = await Array.fromAsync(decodeAudio(path, options), ({ samples }) => [...samples]);
      const decoded = Float32Array.from(pieces.flat());
      const { lagMs, likeness } = compare(decoded, original);
      const extraMs = (decoded.length * 1_000) / RATE_HZ - DURATION_MS;
      const isRight =
        Math.abs(lagMs) <= TOLERANCE_MS && likeness > 0.9 && extraMs > -TOLERANCE_MS && extraMs < LAST_FRAME_MS;
      if (!isRight || info.container !== container || info.codec !== codec) {
        wrong.push({ name, container: info.container, codec: info.codec, lagMs, likeness, extraMs });
      }
    } catch (thrown) {
      wrong.push({ name, thrown: String(thrown) });
    }
  }
  expect(wrong).toEqual([]);
});

it('ALAC in CAF keeps its end, whatever the file says of padding behind it', async () => {
  const path = join(folder, 'alac');
  const options = { sampleRateHz: RATE_HZ, maxDurationMs: 60_000, signal: new AbortController().signal };
  const samples = new Float32Array(20_000).map((_, i) => 0.4 * Math.sin(i / 5));
  encodeSync(path, { sampleRateHz: RATE_HZ, channels: [samples] }, encoding('caf', 'alac', AV_SAMPLE_FMT_S16P));
  const bytes = await readFile(path);
  // The packet table: packets and samples in 8 bytes each, samples before the sound and behind it.
  const paddingAt = bytes.indexOf('pakt') + 12 + 20;
  bytes.writeInt32BE(5 * 4_096 - samples.length, paddingAt);
  await writeFile(path, bytes);
  const pieces = await Array.fromAsync(decodeAudio(path, options), (chunk) => chunk.samples.length);
  expect(pieces.reduce((sum, length) => sum + length, 0)).toBe(samples.length);
});

it('a codec that the library does not know is refused as such', async () => {
  const path = join(folder, 'unknown.mka');
  const sound: Sound = { sampleRateHz: 48_000, channels: [risingTone(48_000)] };
  encodeSync(path, sound, encoding('matroska', 'libopus', AV_SAMPLE_FMT_S16));
  const bytes = await readFile(path);
  bytes.write('A_QUUX', bytes.indexOf('A_OPUS'));
  await writeFile(path, bytes);
  await expect(probeAudio(path, { maxDurationMs: 60_000 })).rejects.toMatchObject({
    code: 'unsupported_audio_format',
    message: expect.stringContaining('a codec that is not known'),
  });
});
