import { describe, expect, it } from 'vitest';
import { ENVELOPE_BINS, NOISE_BANDS, type SpeechFrames } from '#audio/vocoder/speech-frames.ts';
import { clippedShare, snrDb, soundsLikeSpeech } from './sample-quality.ts';

const RATE_HZ = 8_000;
/** Makes samples that change their sign each time: their power is the square of the level. */
const square = (level: number, ms: number) =>
  Array.from({ length: (RATE_HZ * ms) / 1_000 }, (_, index) => (index % 2 === 0 ? level : -level));

const between = (startMs: number, endMs: number) => [{ startMs, endMs }];

/** Makes half of the frames voiced, with a pitch that moves by three semitones. */
const spoken = (frame: number) => (frame % 80 < 40 ? 100 * 2 ** ((frame % 40) / 160) : 0);

const isOdd = (bin: number) => bin % 2 === 1;

/** Raises the odd bins against the even ones, the other way round after each 100 ms. */
const moving = (byDb: number) => (frame: number, bin: number) =>
  isOdd(bin) === isOdd(Math.floor(frame / 20)) ? byDb : -byDb;

describe('the share of samples that are cut off', () => {
  it.each<[string, number[], number]>([
    ['no sound', [], 0],
    ['digital silence', [0, 0, 0, 0], 0],
    ['a single peak', [0, 0.5, 0, 0.1], 0.25],
    ['peaks of both signs', [0.5, -0.5, 0.1, 0], 0.5],
    ['samples at 93 %% of the highest', [1, 0.94, 0.92, -0.94], 0.75],
    ['a quiet recording like a loud one', [0.01, 0.001, 0.001, 0.001], 0.25],
  ])('of %s', (_name, samples, expected) => {
    expect(clippedShare(Float32Array.from(samples))).toBe(expected);
  });

  it('of a sine is the time that it is near its peaks', () => {
    const sine = Float32Array.from({ length: 100_000 }, (_, index) => 0.3 * Math.sin((2 * Math.PI * index) / 1_000));
    expect(clippedShare(sine)).toBeCloseTo(1 - (2 / Math.PI) * Math.asin(0.93), 2);
  });
});

describe('the level of speech above the background', () => {
  it.each([
    [0.1, 0.01, 20],
    [0.5, 0.05, 20],
    [0.1, 0.05, 6.02],
    [0.2, 0.2, 0],
  ])('of %d over %d is %d dB', (speech, background, expected) => {
    const samples = Float32Array.from([...square(background, 500), ...square(speech, 400), ...square(background, 100)]);
    expect(snrDb(samples, RATE_HZ, between(500, 900))).toBeCloseTo(expected, 2);
  });

  it('does not take single frames of digital silence for the background', () => {
    const samples = Float32Array.from([...square(0.01, 960), ...square(0, 40), ...square(0.1, 1_000)]);
    expect(snrDb(samples, RATE_HZ, between(1_000, 2_000))).toBeCloseTo(20, 2);
  });

  it('is that of all stretches of speech together', () => {
    const samples = Float32Array.from([...square(0.1, 200), ...square(0.01, 600), ...square(0.3, 200)]);
    const spans = [...between(0, 200), ...between(800, 1_000)];
    // The mean of the powers 0.01 and 0.09 is 0.05, over 0.0001.
    expect(snrDb(samples, RATE_HZ, spans)).toBeCloseTo(10 * Math.log10(500), 2);
  });

  it.each<[string, number[]]>([
    ['no sound', []],
    ['less than a frame', square(0.5, 10)],
    ['silence', square(0, 1_000)],
  ])('is too low for a voice sample: %s', (_name, samples) => {
    expect(snrDb(Float32Array.from(samples), RATE_HZ, between(0, 1_000))).toBeLessThan(0);
  });

  it('is too low without a stretch of speech', () => {
    expect(snrDb(Float32Array.from(square(0.5, 1_000)), RATE_HZ, [])).toBeLessThan(0);
  });
});

describe('sound that is like speech', () => {
  const COUNT = 400;
  /** Makes frames of 5 ms from the pitch and the level of a bin. */
  function framesOf(
    pitchHz: (frame: number) => number,
    envelopeDb: (frame: number, bin: number) => number,
  ): SpeechFrames {
    const frames = Array.from({ length: COUNT }, (_, frame) => frame);
    return {
      count: COUNT,
      pitchHz: Float32Array.from(frames, pitchHz),
      envelopeDb: Float32Array.from(
        frames.flatMap((frame) => Array.from({ length: ENVELOPE_BINS }, (_, bin) => envelopeDb(frame, bin))),
      ),
      noiseShares: new Float32Array(COUNT * NOISE_BANDS),
    };
  }

  it.each<[string, SpeechFrames, boolean]>([
    ['a moving voice', framesOf(spoken, moving(5)), true],
    ['a voice whose bins change by 2 · 1.3 dB', framesOf(spoken, moving(1.3)), true],
    ['a voice whose bins change by 2 · 1.2 dB', framesOf(spoken, moving(1.2)), false],
    ['a voice that only becomes louder', framesOf(spoken, (frame) => frame / 2), false],
    ['a note', framesOf((frame) => (frame % 80 < 40 ? 220 : 0), moving(5)), false],
    ['a whisper', framesOf((frame) => (frame % 80 < 9 ? spoken(frame * 4) : 0), moving(5)), false],
    ['an instrument without a pause', framesOf((frame) => spoken(frame % 40), moving(5)), false],
    ['noise', framesOf(() => 0, moving(5)), false],
  ])('%s', (_name, frames, expected) => {
    expect(soundsLikeSpeech(frames)).toBe(expected);
  });

  it('is not nothing', () => {
    const empty = new Float32Array(0);
    expect(soundsLikeSpeech({ count: 0, pitchHz: empty, envelopeDb: empty, noiseShares: empty })).toBe(false);
  });
});
