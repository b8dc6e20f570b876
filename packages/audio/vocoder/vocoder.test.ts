import { describe, expect, it } from 'vitest';
import { speak } from '#testbed/sound/espeak-speech.ts';
import { analyzeSpeech } from './analyze-speech.ts';
import { resample } from './resample.ts';
import { createResynthesizer } from './resynthesize.ts';
import {
  ENVELOPE_BINS,
  FRAME_SAMPLES,
  HZ_PER_BIN,
  NOISE_BANDS,
  VOCODER_SAMPLE_RATE_HZ,
  type SpeechFrame,
  type SpeechFrames,
} from './speech-frames.ts';

const JYUTPING = 'nei5 hou2 , gam1 jat6 tin1 hei3 hou2 hou2 , ngo5 dei6 heoi3 sik6 faan6';
const spoken = (await speak(JYUTPING)).channels[0]!;

const frameAt = (frames: SpeechFrames, index: number): SpeechFrame => ({
  pitchHz: frames.pitchHz[index]!,
  envelopeDb: frames.envelopeDb.subarray(index * ENVELOPE_BINS, (index + 1) * ENVELOPE_BINS),
  noiseShares: frames.noiseShares.subarray(index * NOISE_BANDS, (index + 1) * NOISE_BANDS),
});

function resynthesize(frames: SpeechFrames, seed = 1): Float32Array {
  const resynthesizer = createResynthesizer({ seed });
  const samples = new Float32Array(frames.count * FRAME_SAMPLES);
  let at = 0;
  for (let index = 0; index <= frames.count; index += 1) {
    const piece = index < frames.count ? resynthesizer.push(frameAt(frames, index)) : resynthesizer.flush();
    samples.set(piece, at);
    at += piece.length;
  }
  expect(at).toBe(samples.length);
  return samples;
}

/** Makes frames of one steady sound. */
function steady(count: number, pitchHz: number, noiseShare: number, levelDb = -30): SpeechFrames {
  return {
    count,
    pitchHz: new Float32Array(count).fill(pitchHz),
    envelopeDb: new Float32Array(count * ENVELOPE_BINS).fill(levelDb),
    noiseShares: new Float32Array(count * NOISE_BANDS).fill(noiseShare),
  };
}

const rms = (samples: Float32Array) =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
const rmsDb = (samples: Float32Array) => 20 * Math.log10(rms(samples));

/** Returns levels every 10 ms. */
const levelsOf = (sound: Float32Array) =>
  Array.from({ length: Math.floor(sound.length / 240) }, (_, i) => rms(sound.subarray(i * 240, (i + 1) * 240)));

describe('speech taken apart and put together again', () => {
  const original = analyzeSpeech(spoken, VOCODER_SAMPLE_RATE_HZ);
  const samples = resynthesize(original);
  const copy = analyzeSpeech(samples, VOCODER_SAMPLE_RATE_HZ);

  it('keeps its pitch', () => {
    const cents: number[] = [];
    for (const [index, hz] of original.pitchHz.entries()) {
      if (hz > 0 && copy.pitchHz[index]! > 0) cents.push(Math.abs(1_200 * Math.log2(copy.pitchHz[index]! / hz)));
    }
    cents.sort((a, b) => a - b);
    expect(cents.length).toBeGreaterThan(200);
    expect(cents[cents.length >> 1]).toBeLessThan(20);
    expect(cents[Math.floor(cents.length * 0.95)]).toBeLessThan(120);
  });

  it('stays voiced where it was and unvoiced where it was', () => {
    const agreeing = original.pitchHz.filter((hz, index) => hz > 0 === copy.pitchHz[index]! > 0);
    expect(agreeing.length / original.count).toBeGreaterThan(0.93);
  });

  it('keeps its spectrum within a few decibels and its loudness', () => {
    let sum = 0;
    let count = 0;
    for (let index = 0; index < original.count; index += 1) {
      const before = frameAt(original, index).envelopeDb;
      const after = frameAt(copy, index).envelopeDb;
      if (Math.max(...before) < -50) continue;
      let squares = 0;
      const [from, to] = [Math.round(100 / HZ_PER_BIN), Math.round(8_000 / HZ_PER_BIN)];
      for (let k = from; k < to; k += 1) squares += (before[k]! - after[k]!) ** 2;
      sum += Math.sqrt(squares / (to - from));
      count += 1;
    }
    expect(sum / count).toBeLessThan(6);
    expect(Math.abs(rmsDb(samples) - rmsDb(spoken))).toBeLessThan(1.5);
  });

  it('keeps the level at each moment: no delay', () => {
    const [a, b] = [levelsOf(spoken), levelsOf(samples)];
    const likeness = (shift: number) => a.reduce((total, level, i) => total + level * (b[i + shift] ?? 0), 0);
    expect(Math.max(...[-3, -2, -1, 1, 2, 3].map(likeness))).toBeLessThan(likeness(0));
  });

  it('is the same for the same seed, and other noise for another', () => {
    expect(resynthesize(original, 1)).toEqual(samples);
    expect(resynthesize(original, 2)).not.toEqual(samples);
  });
});

describe('a resynthesizer', () => {
  it.each([70, 123.4, 220, 480])('makes a tone of exactly %f Hz', (pitchHz) => {
    const frames = steady(200, pitchHz, 0);
    // Levels of voices fall with frequency.
    frames.envelopeDb.forEach((_, i) => {
      frames.envelopeDb[i] = -30 - 12 * Math.log2(1 + ((i % ENVELOPE_BINS) * HZ_PER_BIN) / 500);
    });
    const samples = resynthesize(frames);
    const trackedHz = analyzeSpeech(samples, VOCODER_SAMPLE_RATE_HZ).pitchHz.subarray(20, 180);
    for (const hz of trackedHz) expect(Math.abs(1_200 * Math.log2(hz / pitchHz))).toBeLessThan(12);
  });

  it.each([
    [100, 0],
    [300, 0],
    [150, 0.5],
    [0, 1],
  ])('of %f Hz and a noise share of %f has the level of its envelope', (pitchHz, share) => {
    const samples = resynthesize(steady(400, pitchHz, share));
    expect(Math.abs(rmsDb(samples.subarray(4_000, 44_000)) + 30)).toBeLessThan(0.6);
  });

  it('has no click where frames meet', () => {
    // With a smooth envelope and a gliding pitch, energy above 8 kHz would come from seams.
    const frames = steady(200, 150, 0);
    for (let index = 0; index < frames.count; index += 1) {
      frames.pitchHz[index] = 150 + index / 2;
      for (let k = 0; k < ENVELOPE_BINS; k += 1) {
        const level = k * HZ_PER_BIN < 3_000 ? -30 : Math.max(-110, -30 - (k * HZ_PER_BIN - 3_000) / 30);
        frames.envelopeDb[index * ENVELOPE_BINS + k] = level + 6 * Math.sin(index / 9);
      }
    }
    const analyzed = analyzeSpeech(resynthesize(frames), VOCODER_SAMPLE_RATE_HZ);
    for (let index = 10; index < 190; index += 1) {
      const high = frameAt(analyzed, index).envelopeDb.subarray(Math.round(8_000 / HZ_PER_BIN), 480);
      expect(Math.max(...high)).toBeLessThan(-85);
    }
  });

  it('without frames returns no samples', () => {
    expect(createResynthesizer({ seed: 1 }).flush()).toHaveLength(0);
  });

  it('survives frames that no voice has', () => {
    const frames = steady(40, 20_000, 3, -200);
    frames.pitchHz.fill(3, 10, 20);
    frames.pitchHz.fill(-5, 20, 30);
    for (const sample of resynthesize(frames)) expect(Math.abs(sample)).toBeLessThan(1);
  });
});

describe('an analysis', () => {
  it.each([8_000, 16_000, 22_050, 44_100, 48_000])('of %f Hz finds the spectrum that 24 kHz have', (rateHz) => {
    const frames = analyzeSpeech(resample(spoken, VOCODER_SAMPLE_RATE_HZ, rateHz), rateHz);
    const reference = analyzeSpeech(spoken, VOCODER_SAMPLE_RATE_HZ);
    expect(Math.abs(frames.count - reference.count)).toBeLessThanOrEqual(1);
    let difference = 0;
    let count = 0;
    for (let index = 20; index < reference.count - 2; index += 1) {
      if (reference.pitchHz[index] === 0 || frames.pitchHz[index] === 0) continue;
      for (let k = 10; k < 3_000 / HZ_PER_BIN; k += 1) {
        difference += Math.abs(frameAt(frames, index).envelopeDb[k]! - frameAt(reference, index).envelopeDb[k]!);
        count += 1;
      }
    }
    expect(difference / count).toBeLessThan(1);
    if (rateHz >= 24_000) return;
    // Above the input's Nyquist frequency, levels fall and stay finite.
    const loud = frameAt(frames, reference.pitchHz.findLastIndex((hz) => hz > 0) - 5).envelopeDb;
    expect(loud[ENVELOPE_BINS - 1]).toBeLessThan(loud[Math.floor((0.44 * rateHz) / HZ_PER_BIN)]!);
    expect(loud.every((level) => Number.isFinite(level))).toBe(true);
  });

  it('uses a known pitch unchanged', () => {
    const knownHz = new Float32Array(500).fill(111);
    expect([...analyzeSpeech(spoken, VOCODER_SAMPLE_RATE_HZ, { pitchHz: knownHz }).pitchHz.subarray(0, 3)]).toEqual([
      111, 111, 111,
    ]);
  });

  it('separates noise from tone band by band', () => {
    const frames = steady(300, 180, 0);
    for (let index = 0; index < 300; index += 1)
      frames.noiseShares.fill(1, index * NOISE_BANDS + 5, (index + 1) * NOISE_BANDS);
    const analyzed = analyzeSpeech(resynthesize(frames), VOCODER_SAMPLE_RATE_HZ);
    const mean = (band: number) => {
      let sum = 0;
      for (let index = 50; index < 250; index += 1) sum += analyzed.noiseShares[index * NOISE_BANDS + band]! / 200;
      return sum;
    };
    expect(mean(1)).toBeLessThan(0.15);
    expect(mean(3)).toBeLessThan(0.2);
    expect(mean(6)).toBeGreaterThan(0.75);
    expect(mean(8)).toBeGreaterThan(0.75);
  });

  it.each([
    ['nothing', new Float32Array(0)],
    ['one sample', new Float32Array(1).fill(1)],
    ['silence', new Float32Array(5_000)],
  ])('of %s is finite and unvoiced', (_, samples) => {
    const frames = analyzeSpeech(samples, VOCODER_SAMPLE_RATE_HZ);
    expect(frames.count).toBe(Math.ceil(samples.length / FRAME_SAMPLES));
    expect(frames.pitchHz.every((hz) => hz === 0)).toBe(true);
    expect(frames.envelopeDb.every((level) => Number.isFinite(level))).toBe(true);
  });
});

it('a constant signal at full scale gives finite frames', () => {
  const frames = analyzeSpeech(new Float32Array(5_000).fill(1), VOCODER_SAMPLE_RATE_HZ);
  expect(frames.envelopeDb.every((level) => Number.isFinite(level))).toBe(true);
});

it('sound at another rate is the same sound', () => {
  const tone = Float32Array.from({ length: 24_000 }, (_, i) => Math.sin((2 * Math.PI * 1_000 * i) / 24_000));
  const converted = resample(tone, 24_000, 22_050);
  const back = resample(converted, 22_050, 24_000);
  for (let i = 500; i < 23_000; i += 1) expect(Math.abs(back[i]! - tone[i]!)).toBeLessThan(0.002);
  const high = Float32Array.from({ length: 24_000 }, (_, i) => Math.sin((2 * Math.PI * 10_000 * i) / 24_000));
  expect(rms(resample(high, 24_000, 16_000).subarray(100, 15_000))).toBeLessThan(0.002);
});
