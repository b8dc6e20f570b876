import { describe, expect, it } from 'vitest';
import { noise } from '#testbed/sound/audio.ts';
import { trackPitch } from './track-pitch.ts';

/** Makes pulses through two resonances: vowel-like harmonics with a known pitch. */
function vowel(pitchAt: (second: number) => number, rateHz: number, seconds = 1): Float32Array {
  const samples = new Float32Array(Math.round(seconds * rateHz));
  let phase = 0;
  for (let i = 0; i < samples.length; i += 1) {
    const hz = pitchAt(i / rateHz);
    phase += hz / rateHz;
    for (let harmonic = 1; harmonic * hz < Math.min(4_000, rateHz / 2); harmonic += 1) {
      const at = harmonic * hz;
      const gain = 1 / (1 + ((at - 600) / 120) ** 2) + 0.4 / (1 + ((at - 1_300) / 150) ** 2) + 0.02;
      samples[i]! += 0.2 * gain * Math.sin(2 * Math.PI * harmonic * phase + harmonic * harmonic);
    }
  }
  return samples;
}

const withNoise = (samples: Float32Array, rateHz: number, snrDb: number) => {
  const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
  const hiss = noise((1_000 * samples.length) / rateHz, 1, rateHz).channels[0]!;
  const hissPower = hiss.reduce((sum, sample) => sum + sample * sample, 0) / hiss.length;
  const gain = Math.sqrt(power / hissPower / 10 ** (snrDb / 10));
  return samples.map((sample, i) => sample + gain * (hiss[i] ?? 0));
};

/**
 * Returns the share of the frames away from the ends that are voiced and within half a semitone of
 * the truth.
 */
function rightShare(samples: Float32Array, rateHz: number, pitchAt: (second: number) => number): number {
  const pitchHz = trackPitch(samples, rateHz).pitchHz;
  const inner = [...pitchHz.entries()].slice(10, -10);
  const right = inner.filter(([k, hz]) => hz > 0 && Math.abs(12 * Math.log2(hz / pitchAt(k * 0.005))) < 0.5);
  return right.length / inner.length;
}

/** The pitch rises by an octave in 300 ms. */
const rise = (second: number) => 120 * 2 ** Math.min(1, Math.max(0, (second - 0.3) / 0.3));

describe('the pitch of a voice', () => {
  it.each([62, 80, 110, 165, 220, 330, 420, 490])('is found at %f Hz', (hz) => {
    expect(
      rightShare(
        vowel(() => hz, 24_000),
        24_000,
        () => hz,
      ),
    ).toBeGreaterThan(0.98);
  });

  it.each([8_000, 11_025, 16_000, 44_100, 48_000])('is found in sound of %f Hz', (rateHz) => {
    expect(
      rightShare(
        vowel(() => 140, rateHz),
        rateHz,
        () => 140,
      ),
    ).toBeGreaterThan(0.98);
  });

  it('is followed through a rising tone of an octave in 300 ms', () => {
    expect(rightShare(vowel(rise, 24_000), 24_000, rise)).toBeGreaterThan(0.95);
  });

  it.each([20, 10, 5])('is found with noise %f dB below', (snrDb) => {
    for (const hz of [90, 200, 350]) {
      expect(
        rightShare(
          withNoise(
            vowel(() => hz, 24_000),
            24_000,
            snrDb,
          ),
          24_000,
          () => hz,
        ),
      ).toBeGreaterThan(0.9);
    }
  });

  it('keeps its octave where every second period is weaker', () => {
    const even = vowel(() => 100, 24_000);
    const uneven = even.map((sample, i) => sample * (Math.floor(i / 240) % 2 === 0 ? 1 : 0.85));
    expect(rightShare(uneven, 24_000, () => 100)).toBeGreaterThan(0.9);
  });

  it('is searched in the given range only', () => {
    for (const hz of trackPitch(
      vowel(() => 100, 24_000),
      24_000,
      { minHz: 150, maxHz: 400 },
    ).pitchHz) {
      expect(hz === 0 || (hz > 140 && hz < 430)).toBe(true);
    }
  });
});

/** Returns the share of the frames without a pitch. */
const unvoiced = (samples: Float32Array) => {
  const { pitchHz } = trackPitch(samples, 24_000);
  return pitchHz.filter((hz) => hz === 0).length / Math.max(1, pitchHz.length);
};

describe('sounds without pitch', () => {
  it('noise is unvoiced', () => {
    expect(unvoiced(noise(2_000, 0.3, 24_000).channels[0]!)).toBeGreaterThan(0.97);
  });

  it.each([0, 1, 100, 24_000])('silence of %f samples is unvoiced, a value for every 5 ms', (length) => {
    const { pitchHz, periodicity } = trackPitch(new Float32Array(length), 24_000);
    expect(pitchHz).toHaveLength(Math.ceil(length / 120));
    expect(periodicity).toHaveLength(pitchHz.length);
    expect(pitchHz.every((hz) => hz === 0)).toBe(true);
  });
});
