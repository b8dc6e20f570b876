import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wavBytes } from '#testbed/sound/audio.ts';
import { riffChunk, wavVariant } from '#testbed/sound/wav-variants.ts';
import { probeAudio } from './probe.ts';
import { toInt16Bytes, withinFullScale } from './encoding/sample-values.ts';
import { encodeWav, plainWavDurationMs, wavHeader } from './wav.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wav-test-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const int16 = (bytes: Uint8Array) => [...new Int16Array(bytes.slice().buffer)];

describe('the header of a WAV file', () => {
  it.each([8_000, 16_000, 24_000, 48_000])('describes 16-bit mono sound of %i Hz', (rateHz) => {
    const header = Buffer.from(wavHeader(rateHz, 1_000));
    expect(header).toHaveLength(44);
    expect(header.toString('latin1', 0, 4) + header.toString('latin1', 8, 16)).toBe('RIFFWAVEfmt ');
    expect(header.toString('latin1', 36, 40)).toBe('data');
    expect({
      riffBytes: header.readUInt32LE(4),
      format: header.readUInt16LE(20),
      channels: header.readUInt16LE(22),
      rateHz: header.readUInt32LE(24),
      bytesPerSecond: header.readUInt32LE(28),
      bytesPerFrame: header.readUInt16LE(32),
      bits: header.readUInt16LE(34),
      dataBytes: header.readUInt32LE(40),
    }).toEqual({
      riffBytes: 1_036,
      format: 1,
      channels: 1,
      rateHz,
      bytesPerSecond: rateHz * 2,
      bytesPerFrame: 2,
      bits: 16,
      dataBytes: 1_000,
    });
  });

  it('of a stream has the sizes that mean "until the end"', () => {
    const header = Buffer.from(wavHeader(24_000, null));
    expect([header.readUInt32LE(4), header.readUInt32LE(40)]).toEqual([0xff_ff_ff_ff, 0xff_ff_ff_ff]);
  });

  it.each([1, 999, 24_000])('of %i samples declares their duration', async (length) => {
    const path = join(folder, String(length));
    await writeFile(path, encodeWav(new Float32Array(length).fill(0.1), 24_000));
    const info = await probeAudio(path, { maxDurationMs: 60_000 });
    expect(info.container).toBe('wav');
    expect(info.declaredDurationMs).toBeCloseTo((length * 1_000) / 24_000, -1);
  });
});

describe('16-bit samples', () => {
  it.each([
    ['silence', 0, 0],
    ['half', 0.5, 16_384],
    ['full scale', 1, 32_767],
    ['negative full scale', -1, -32_768],
    ['too loud', 1.5, 32_767],
    ['far too loud', -1e9, -32_768],
    ['infinite', Infinity, 32_767],
    ['no number', NaN, 0],
    ['half a step', 0.5 / 32_768, 1],
    ['less than half a step', 0.4 / 32_768, 0],
  ])('%s', (_name, sample, value) => {
    expect(int16(toInt16Bytes(Float32Array.of(sample)))).toEqual([value]);
  });

  it('follow the header in their order', () => {
    const file = encodeWav(Float32Array.of(0, 0.5, -0.5), 16_000);
    expect(int16(file.subarray(44))).toEqual([0, 16_384, -16_384]);
  });
});

describe('samples within full scale', () => {
  it('are copied, and the others clipped or silenced', () => {
    const samples = Float32Array.of(0.25, 2, -2, NaN, Infinity, -Infinity, 1e-20, -1e-30, 0);
    const limited = withinFullScale(samples);
    expect([...limited]).toEqual([0.25, 1, -1, 0, 1, -1, 0, 0, 0]);
    expect(samples[1]).toBe(2);
  });
});

const sound = (sampleRateHz: number, count = 1) => ({
  sampleRateHz,
  channels: Array.from({ length: count }, () => Float32Array.from({ length: 12_345 }, (_, i) => Math.sin(i / 9) / 2)),
});

async function written(bytes: Uint8Array): Promise<string> {
  const path = join(folder, 'plain.wav');
  await writeFile(path, bytes);
  return path;
}

describe('a plain WAV file', () => {
  it.each([
    [8_000, 1],
    [16_000, 1],
    [22_050, 2],
    [44_100, 1],
    [48_000, 2],
  ])('of %i Hz and %i channels has the duration that a probe finds', async (rateHz, channels) => {
    const path = await written(wavBytes(sound(rateHz, channels)));
    const { declaredDurationMs } = await probeAudio(path, { maxDurationMs: 60_000 });
    expect(await plainWavDurationMs(path)).toBeCloseTo(declaredDurationMs!, 3);
  });

  const plain = Buffer.from(wavBytes(sound(16_000)));
  const stereo = Buffer.from(wavBytes(sound(16_000, 2)));
  it.each<[string, Uint8Array]>([
    ['nothing', Buffer.alloc(0)],
    ['half a header', plain.subarray(0, 20)],
    ['no samples', wavHeader(16_000, 0)],
    ['fewer samples than it states', plain.subarray(0, plain.length - 2)],
    ['more behind them', Buffer.concat([plain, plain])],
    ['half a frame', Buffer.concat([wavHeader(16_000, 6, { channels: 2 }), stereo.subarray(44, 50)])],
    ['an unknown length', Buffer.concat([wavHeader(16_000, null), plain.subarray(44)])],
    ['other bits', wavVariant(sound(16_000), { bits: 24 })],
    ['floats', wavVariant(sound(16_000), { bits: 32, isFloat: true })],
    ['the other order of bytes', wavVariant(sound(16_000), { isBigEndian: true })],
    ['the extensible format', wavVariant(sound(16_000), { validBits: 16 })],
    ['a chunk before the samples', wavVariant(sound(16_000), { between: riffChunk('LIST', Buffer.alloc(8)) })],
    ['three channels', wavBytes(sound(16_000, 3))],
    ['a strange rate', wavBytes(sound(4_000))],
    ['another law', Buffer.concat([wavHeader(8_000, 8, { encoding: 'alaw' }), Buffer.alloc(8)])],
  ])('is none with %s', async (_, bytes) => {
    expect(await plainWavDurationMs(await written(bytes))).toBeNull();
  });
});
