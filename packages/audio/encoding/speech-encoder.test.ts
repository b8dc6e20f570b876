import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { joinSamples } from '#audio/join-samples.ts';
import { createResampler } from '#audio/resample.ts';
import { compareSounds, decodeFile, integratedLufs } from '#test/audio-comparison.ts';
import { speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import { createSpeechEncoder, rateOfFormat, type SpeechEncoderOptions } from './speech-encoder.ts';
import { SPEECH_FORMATS, type SpeechFormat } from './speech-formats.ts';

let dir: string;
let speech: Float32Array;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'encoder-'));
  speech = (await speak(toJyutping('今日天氣好好。'))).channels[0]!;
});
afterAll(() => rm(dir, { recursive: true, force: true }));

function resampled(samples: Float32Array, fromHz: number, toHz: number): Float32Array {
  if (fromHz === toHz) return samples;
  const resampler = createResampler(fromHz, toHz);
  const sound = joinSamples([resampler.push(samples), resampler.flush()]);
  resampler.close();
  return sound;
}

/** Encodes all samples, `pieceLength` at a time, and overwrites the start of a file. */
function encoded(
  format: SpeechFormat,
  rateHz: number,
  samples: Float32Array,
  { pieceLength = 4_000, ...options }: SpeechEncoderOptions & { pieceLength?: number } = {},
): Buffer {
  const encoder = createSpeechEncoder(format, rateHz, options);
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < samples.length; at += pieceLength) {
    pieces.push(encoder.push(samples.subarray(at, at + pieceLength)));
  }
  pieces.push(encoder.finish());
  const bytes = Buffer.concat(pieces);
  if (options.isFile === true) bytes.set(encoder.finalStart() ?? []);
  return bytes;
}

async function decodeSpeech(format: SpeechFormat, rateHz: number, bytes: Buffer): Promise<Float32Array> {
  const path = join(dir, `sound.${format}`);
  await writeFile(path, bytes);
  return decodeFile(path, rateHz);
}

describe.each(SPEECH_FORMATS)('%s', (format) => {
  describe.each([16_000, 24_000, 44_100])('at %i Hz', (requestedHz) => {
    const rateHz = rateOfFormat(format, requestedHz);
    it.each([
      { kind: 'file', isFile: true },
      { kind: 'stream', isFile: false },
    ])('a $kind decodes to the same speech, at the same time and as long', async ({ isFile }) => {
      const sound = await decodeSpeech(format, rateHz, encoded(format, requestedHz, speech, { isFile }));
      const reference = resampled(speech, 24_000, rateHz);
      const { correlation, lag } = compareSounds(reference.subarray(0, rateHz * 0.4), sound, Math.round(rateHz * 0.06));
      const longerMs = ((sound.length - reference.length) / rateHz) * 1_000;
      const louder =
        integratedLufs(resampled(sound, rateHz, 48_000)) - integratedLufs(resampled(reference, rateHz, 48_000));
      // Bare MPEG streams cannot mark the start of the audio within their frames.
      const isExact = format !== 'aac' && (format !== 'mp3' || isFile);
      expect(correlation).toBeGreaterThan(0.98);
      // Our streams of MPEG-2 lack the first frame of their delay (`createMp3Container`), which
      // readers cut from every stream: they begin 36 ms early at 16 kHz, 24 ms at 24 kHz.
      expect(Math.abs((lag / rateHz) * 1_000)).toBeLessThan(isExact ? 0.2 : format === 'mp3' ? 577_000 / rateHz : 35);
      expect(Math.abs(longerMs)).toBeLessThan(isExact ? 1 : 60);
      // LAME lowers everything by 0.45 dB to leave headroom for its ringing.
      expect(Math.abs(louder)).toBeLessThan(format === 'mp3' ? 0.5 : 0.2);
    });
  });

  it.each([8_000, 11_111, 32_000, 48_000])(
    'a file at %i Hz decodes to the same speech, as long',
    async (requestedHz) => {
      const rateHz = rateOfFormat(format, requestedHz);
      const sound = await decodeSpeech(format, rateHz, encoded(format, requestedHz, speech, { isFile: true }));
      const reference = resampled(speech, 24_000, rateHz);
      const { correlation } = compareSounds(reference.subarray(0, rateHz * 0.4), sound, Math.round(rateHz * 0.06));
      expect(correlation).toBeGreaterThan(0.98);
      const longerMs = ((sound.length - reference.length) / rateHz) * 1_000;
      expect(Math.abs(longerMs)).toBeLessThan(format === 'aac' ? 60 : 1);
    },
  );

  it('does not depend on how the sound came', () => {
    const complete = encoded(format, 16_000, speech, { pieceLength: speech.length });
    for (const pieceLength of [37, 1_001, 12_345]) {
      expect(encoded(format, 16_000, speech, { pieceLength }).equals(complete)).toBe(true);
    }
  });

  it('outputs its first bytes before half a second of input', () => {
    const encoder = createSpeechEncoder(format, 24_000);
    expect(encoder.push(speech.subarray(0, 12_000)).length).toBeGreaterThan(0);
    encoder.close();
    encoder.close();
  });

  it('NaN becomes silence, infinity full scale', async () => {
    const hostile = new Float32Array(24_000);
    hostile.fill(Number.NaN, 0, 6_000);
    for (let i = 6_000; i < 12_000; i += 1) hostile[i] = i % 120 < 60 ? 1e30 : -1e30;
    hostile.fill(1e-40, 12_000, 18_000);
    hostile.fill(-Infinity, 18_000, 18_060).fill(Infinity, 18_060, 18_120);
    const sound = await decodeSpeech(format, 24_000, encoded(format, 24_000, hostile, { isFile: true }));
    const rms = (from: number, to: number) =>
      Math.sqrt(sound.subarray(from, to).reduce((sum, sample) => sum + sample ** 2, 0) / (to - from));
    expect(sound.every((sample) => Math.abs(sample) <= 2)).toBe(true);
    expect(rms(1_000, 4_500)).toBeLessThan(0.01);
    expect(rms(7_000, 11_000)).toBeGreaterThan(0.8);
    expect(rms(14_500, 17_000)).toBeLessThan(0.01);
  });

  it('empty input does not fail', () => {
    expect(encoded(format, 24_000, new Float32Array(0)).length).toBeLessThan(5_000);
  });

  it.each([40, 700])('%i samples are a whole sound', async (length) => {
    const sound = await decodeSpeech(
      format,
      24_000,
      encoded(format, 24_000, speech.subarray(5_000, 5_000 + length), { isFile: true }),
    );
    expect(sound.length).toBeGreaterThanOrEqual(length);
    expect(sound.length).toBeLessThan(length + 24_000 * 0.06);
  });
});

it('a streamed wav has no sizes, a file has true ones', () => {
  const streamed = encoded('wav', 24_000, speech);
  expect([streamed.readUInt32LE(4), streamed.readUInt32LE(40)]).toEqual([0xff_ff_ff_ff, 0xff_ff_ff_ff]);
  const file = encoded('wav', 24_000, speech, { isFile: true });
  expect([file.readUInt32LE(4), file.readUInt32LE(40)]).toEqual([file.length - 8, speech.length * 2]);
});

it('a rate that a codec does not have is refused', () => {
  expect(() => createSpeechEncoder('mp3', 96_000)).toThrow(expect.objectContaining({ code: 'engine_failed' }));
});
