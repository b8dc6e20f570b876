import { describe, expect, test } from 'vitest';
import { createEnvelopeAnalyzer } from './envelope.ts';
import { ENVELOPE_BINS, HZ_PER_BIN, VOCODER_SAMPLE_RATE_HZ } from './speech-frames.ts';

const analyze = createEnvelopeAnalyzer();
const COUNT = 4_800;

function envelopeOf(samples: Float32Array, pitchHz: number, center = COUNT / 2): Float32Array {
  const output = new Float32Array(ENVELOPE_BINS);
  analyze(samples, center, pitchHz, output, 0);
  return output;
}

/** Makes harmonics of a pitch with a level in dB by frequency. */
function voice(pitchHz: number, levelDb: (hz: number) => number, phase = 0): Float32Array {
  const samples = new Float32Array(COUNT);
  for (let hz = pitchHz; hz < VOCODER_SAMPLE_RATE_HZ / 2 - pitchHz; hz += pitchHz) {
    const amplitude = 10 ** (levelDb(hz) / 20);
    for (let at = 0; at < COUNT; at += 1)
      samples[at]! += amplitude * Math.cos((2 * Math.PI * hz * at) / VOCODER_SAMPLE_RATE_HZ + phase);
  }
  return samples;
}
const meanDb = (envelope: Float32Array, fromHz: number, toHz: number) => {
  const bins = envelope.subarray(Math.round(fromHz / HZ_PER_BIN), Math.round(toHz / HZ_PER_BIN));
  return bins.reduce((sum, level) => sum + level, 0) / bins.length;
};
const rangeDb = (envelope: Float32Array, fromHz: number, toHz: number) => {
  const bins = envelope.subarray(Math.round(fromHz / HZ_PER_BIN), Math.round(toHz / HZ_PER_BIN));
  return Math.max(...bins) - Math.min(...bins);
};

describe('the envelope of speech', () => {
  test.each([100, 150, 220, 300])('has no trace of the harmonics of %i Hz', (pitchHz) => {
    const envelope = envelopeOf(
      voice(pitchHz, () => -40),
      pitchHz,
    );
    expect(rangeDb(envelope, 3 * pitchHz, 9_000)).toBeLessThan(1.5);
  });

  test('does not depend on the position in a period', () => {
    const samples = voice(200, (hz) => -hz / 400);
    const period = VOCODER_SAMPLE_RATE_HZ / 200;
    const envelopes = [0, 0.25, 0.5, 0.75].map((share) =>
      envelopeOf(samples, 200, COUNT / 2 + Math.round(share * period)),
    );
    for (const envelope of envelopes.slice(1)) {
      for (let hz = 600; hz < 8_000; hz += 200) {
        const bin = Math.round(hz / HZ_PER_BIN);
        expect(Math.abs(envelope[bin]! - envelopes[0]![bin]!)).toBeLessThan(1);
      }
    }
  });

  test('follows the slope of the spectrum', () => {
    const envelope = envelopeOf(
      voice(150, (hz) => -hz / 250),
      150,
    );
    expect(meanDb(envelope, 900, 1_100) - meanDb(envelope, 5_900, 6_100)).toBeCloseTo(20, 0);
  });

  test('has its peak at a formant', () => {
    const envelope = envelopeOf(
      voice(120, (hz) => 30 * Math.exp(-(((hz - 1_500) / 300) ** 2)) - 40),
      120,
    );
    const peak = envelope.indexOf(Math.max(...envelope)) * HZ_PER_BIN;
    expect(Math.abs(peak - 1_500)).toBeLessThan(100);
  });

  test('rises by six decibels when the sound doubles', () => {
    const samples = voice(180, () => -40);
    const louder = samples.map((value) => 2 * value);
    expect(meanDb(envelopeOf(louder, 180), 500, 8_000) - meanDb(envelopeOf(samples, 180), 500, 8_000)).toBeCloseTo(
      6.02,
      2,
    );
  });
});

describe('unusual sound', () => {
  test('silence has a finite level', () => {
    const envelope = envelopeOf(new Float32Array(COUNT), 0);
    expect(envelope.every((level) => Number.isFinite(level) && level < -90)).toBe(true);
  });

  test.each([1, 20, 45, 1_000, 3_000])('a pitch of %i Hz does no harm', (pitchHz) => {
    const envelope = envelopeOf(
      voice(200, () => -40),
      pitchHz,
    );
    expect(envelope.every(Number.isFinite)).toBe(true);
  });

  test.each([-5_000, -1, 0, COUNT - 1, COUNT + 5_000])('a center at %i does no harm', (center) => {
    const samples = voice(200, () => -40);
    expect(envelopeOf(samples, 200, center).every(Number.isFinite)).toBe(true);
  });

  test('a constant has no level', () => {
    const envelope = envelopeOf(new Float32Array(COUNT).fill(0.5), 200);
    expect(meanDb(envelope, 1_000, 8_000)).toBeLessThan(-80);
  });

  test('only its place in the output is written', () => {
    const output = new Float32Array(3 * ENVELOPE_BINS).fill(7);
    analyze(
      voice(200, () => -40),
      COUNT / 2,
      200,
      output,
      ENVELOPE_BINS,
    );
    expect(
      [...output.subarray(0, ENVELOPE_BINS), ...output.subarray(2 * ENVELOPE_BINS)].every((level) => level === 7),
    ).toBe(true);
  });
});
