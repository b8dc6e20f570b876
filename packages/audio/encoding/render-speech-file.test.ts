import { appendFile, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collectGarbage } from '@jyutsing/system/collect-garbage';
import { AppError } from '@jyutsing/contracts/errors';
import { joinSamples } from '#audio/join-samples.ts';
import { trackPitch } from '#audio/voice/track-pitch.ts';
import { compareSounds, decodeFile, integratedLufs } from '#test/audio-comparison.ts';
import { speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import { renderSpeechFile, SPEECH_FORMATS, type SpeechFileRequest } from './render-speech-file.ts';

const RATE_HZ = 24_000;
let dir: string;
let speech: Float32Array;
let runs = 0;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'finishing-'));
  speech = (await speak(toJyutping('今日天氣好好，我哋一齊去行山啦。你食咗飯未呀？'), { pitch: 80 })).channels[0]!;
});
afterAll(() => rm(dir, { recursive: true, force: true }));

async function callFor(samples: Float32Array, overrides: Partial<SpeechFileRequest> = {}): Promise<SpeechFileRequest> {
  const format = overrides.format ?? 'wav';
  const inputPath = join(dir, `raw-${runs}.f32`);
  const outputPath = join(dir, `finished-${runs++}.${format}`);
  await writeFile(inputPath, new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength));
  return {
    inputPath,
    outputPath,
    format,
    sampleRateHz: RATE_HZ,
    tempo: 1,
    pitchSemitones: 0,
    enhance: false,
    ...overrides,
  };
}

async function finish(samples: Float32Array, overrides: Partial<SpeechFileRequest> = {}, rateHz = RATE_HZ) {
  const call = await callFor(samples, overrides);
  const finished = await renderSpeechFile(call, new AbortController().signal);
  expect(finished.sizeBytes).toBe((await stat(call.outputPath)).size);
  return { ...finished, sound: await decodeFile(call.outputPath, rateHz) };
}

function medianPitchHz(samples: Float32Array): number {
  const voiced = trackPitch(samples, RATE_HZ, { minHz: 45, maxHz: 600 })
    .pitchHz.filter((hz) => hz > 0)
    .toSorted();
  return voiced[Math.floor(voiced.length / 2)] ?? 0;
}

const semitones = (toHz: number, fromHz: number) => 12 * Math.log2(toHz / fromHz);
const decibels = (amplitude: number) => 20 * Math.log10(amplitude);
const peakOf = (samples: Float32Array) => samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);
const scaled = (samples: Float32Array, gain: number) => samples.map((sample) => sample * gain);

it.each(SPEECH_FORMATS)('%s without changes reproduces the speech', async (format) => {
  const { sound, durationMs } = await finish(speech, { format });
  expect(durationMs).toBeCloseTo(speech.length / 24, 3);
  expect(compareSounds(speech.subarray(0, 12_000), sound, 900).correlation).toBeGreaterThan(0.98);
});

describe('tempo', () => {
  it.each([0.5, 0.75, 0.97, 1.03, 1.5, 2, 3])('%f leaves the pitch and meets the duration', async (tempo) => {
    const { sound, durationMs } = await finish(speech, { tempo });
    expect(Math.abs((sound.length * tempo) / speech.length - 1)).toBeLessThan(0.005);
    expect(durationMs).toBeCloseTo(sound.length / 24, 3);
    expect(Math.abs(semitones(medianPitchHz(sound), medianPitchHz(speech)))).toBeLessThan(0.5);
  });

  it.each([0.5, 1.3, 3])('%f does not cut the end off a single syllable', async (tempo) => {
    const syllable = (await speak('hou2')).channels[0]!;
    let end = syllable.length;
    while (Math.abs(syllable[end - 1] ?? 1) < 0.02) end -= 1;
    const { sound } = await finish(syllable.subarray(0, end), { tempo });
    const endPower = sound.subarray(-480).reduce((sum, sample) => sum + sample ** 2, 0);
    const wantedPower = syllable.subarray(end - 480, end).reduce((sum, sample) => sum + sample ** 2, 0);
    expect(Math.abs(sound.length - end / tempo)).toBeLessThanOrEqual(1);
    expect(endPower).toBeGreaterThan(wantedPower * 0.25);
  });
});

/** Estimates the spectral centroid, which follows the formants whatever the pitch. */
function centroidHz(samples: Float32Array): number {
  let slopes = 0;
  let powers = 0;
  for (let i = 1; i < samples.length; i += 1) {
    slopes += (samples[i]! - samples[i - 1]!) ** 2;
    powers += samples[i]! ** 2;
  }
  return (Math.sqrt(slopes / powers) * RATE_HZ) / (2 * Math.PI);
}

describe('pitch', () => {
  it.each([-12, -5, 3, 7, 12])('%i semitones keep the duration and the formants', async (pitchSemitones) => {
    const { sound } = await finish(speech, { pitchSemitones });
    expect(sound.length).toBe(speech.length);
    expect(Math.abs(semitones(medianPitchHz(sound), medianPitchHz(speech)) - pitchSemitones)).toBeLessThan(0.3);
    expect(Math.abs(centroidHz(sound) / centroidHz(speech) - 1)).toBeLessThan(0.08);
  });

  it('has no seam where blocks of a long speech meet', async () => {
    const vowel = Float32Array.from({ length: 6 * RATE_HZ }, (_, i) => {
      let sample = 0;
      for (let k = 1; k <= 20; k += 1) sample += Math.sin((2 * Math.PI * k * 150 * i) / RATE_HZ) / k;
      return 0.2 * sample;
    });
    const { sound } = await finish(vowel, { pitchSemitones: 4 });
    const powers = Array.from({ length: 110 }, (_, piece) =>
      sound.subarray(6_000 + piece * 1_200, 7_200 + piece * 1_200).reduce((sum, sample) => sum + sample ** 2, 0),
    );
    expect(Math.max(...powers) / Math.min(...powers)).toBeLessThan(1.5);
    const pitches = trackPitch(sound, RATE_HZ).pitchHz.slice(20, -20);
    expect(pitches.every((hz) => Math.abs(semitones(hz, 150) - 4) < 0.5)).toBe(true);
  });

  it('moves together with tempo, loudness and rate', async () => {
    const overrides = { pitchSemitones: 4, tempo: 1.25, enhance: true, sampleRateHz: 44_100 };
    const { sound, durationMs } = await finish(speech, overrides);
    expect(durationMs).toBeCloseTo(speech.length / 24 / 1.25, 0);
    expect(sound.length / 24).toBeCloseTo(durationMs, 0);
    expect(Math.abs(semitones(medianPitchHz(sound), medianPitchHz(speech)) - 4)).toBeLessThan(0.3);
  });
});

describe('enhancing', () => {
  it.each([0.02, 0.1, 1])('brings speech of level %f to −16 LUFS, its peaks below −1 dBTP', async (level) => {
    for (const sampleRateHz of [16_000, 24_000, 44_100]) {
      const { sound } = await finish(scaled(speech, level / peakOf(speech)), { enhance: true, sampleRateHz }, 48_000);
      expect(Math.abs(integratedLufs(sound) + 16)).toBeLessThan(0.3);
      // Measure at a rate other than the file's, which reveals peaks between its samples.
      expect(decibels(peakOf(sound))).toBeLessThan(-1);
    }
  });

  it.each([120, 350])('brings a sound of %i ms to the target as well', async (durationMs) => {
    const short = speech.subarray(12_000, 12_000 + durationMs * 24);
    const { sound } = await finish(scaled(short, 0.1), { enhance: true }, 48_000);
    expect(Math.abs(integratedLufs(joinSamples(Array.from({ length: 20 }, () => sound))) + 16)).toBeLessThan(0.5);
  });

  it('keeps silence silent and near-silence faint', async () => {
    expect(peakOf((await finish(new Float32Array(48_000), { enhance: true })).sound)).toBe(0);
    expect(peakOf((await finish(scaled(speech, 1e-4), { enhance: true })).sound)).toBeLessThan(0.02);
  });

  it('does not move the sound', async () => {
    const { sound } = await finish(speech, { enhance: true });
    expect(sound.length).toBe(speech.length);
    expect(compareSounds(speech.subarray(0, 12_000), sound, 200).lag).toBe(0);
  });
});

describe('invalid samples', () => {
  const hostile = Float32Array.from({ length: RATE_HZ }, (_, i) => {
    if (i < 6_000) return Number.NaN;
    if (i < 12_000) return i % 100 < 50 ? 1e30 : -1e30;
    return i < 18_000 ? 1e-40 : Infinity;
  });

  it.each(SPEECH_FORMATS)('becomes %s all the same', async (format) => {
    const overrides = { format, enhance: true, tempo: 1.5, pitchSemitones: 2 };
    const { sound } = await finish(hostile, overrides);
    expect(sound.every((sample) => Math.abs(sample) < 1.5)).toBe(true);
  });

  it('no samples give an empty file', async () => {
    const call = await callFor(new Float32Array(0), { enhance: true, tempo: 2, pitchSemitones: 1 });
    expect(await renderSpeechFile(call, new AbortController().signal)).toEqual({ durationMs: 0, sizeBytes: 44 });
  });
});

describe('failures', () => {
  it.each([{}, { tempo: 1.2 }, { pitchSemitones: 2 }, { enhance: true }])(
    'an abort leaves no file (%o)',
    async (overrides) => {
      const call = await callFor(repeated(speech, 60_000), { ...overrides, format: 'opus' });
      const controller = new AbortController();
      const reason = new AppError('client_closed_request');
      setTimeout(() => controller.abort(reason), 30);
      await expect(renderSpeechFile(call, controller.signal)).rejects.toBe(reason);
      expect((await readdir(dir)).filter((name) => name.startsWith(basename(call.outputPath)))).toEqual([]);
    },
  );

  it('a rate that the format does not have leaves no file', async () => {
    const call = await callFor(speech, { format: 'mp3', sampleRateHz: 96_000 });
    await expect(renderSpeechFile(call, new AbortController().signal)).rejects.toMatchObject({ code: 'engine_failed' });
    await expect(stat(call.outputPath)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

it('memory does not grow with the length, and the event loop is not blocked', async () => {
  const overrides = { format: 'flac', tempo: 1.2, enhance: true } as const;
  const part = repeated(speech, 15_000);
  const grown: number[] = [];
  // The first run loads modules and codecs.
  for (const parts of [1, 1, 8]) {
    const call = await callFor(part, overrides);
    for (let copy = 1; copy < parts; copy += 1) await appendFile(call.inputPath, new Uint8Array(part.buffer));
    const before = usedBytes();
    let highest = before;
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
      if (turns % 6 !== 0) return;
      highest = Math.max(highest, usedBytes());
    }, 60);
    const { durationMs } = await renderSpeechFile(call, new AbortController().signal);
    clearInterval(timer);
    expect(durationMs).toBeCloseTo((parts * 15_000) / 1.2, 0);
    expect(turns).toBeGreaterThan(parts);
    grown.push(highest - before);
  }
  // The further samples would take 10 MB; the peaks of equal recordings differ by less than 1 MB.
  expect(grown[2]! - grown[1]!).toBeLessThan(5e6);
});

/** Returns the bytes of objects and buffers that are in use, whenever V8 collects by itself. */
function usedBytes(): number {
  // V8 frees the buffers that a collection found in the background, and has done so at the next.
  collectGarbage();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function repeated(samples: Float32Array, durationMs: number): Float32Array {
  const all = new Float32Array(durationMs * 24);
  for (let at = 0; at < all.length; at += samples.length) all.set(samples.subarray(0, all.length - at), at);
  return all;
}
