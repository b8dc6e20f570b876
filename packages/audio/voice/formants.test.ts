import { describe, expect, it } from 'vitest';
import { ENVELOPE_BINS, HZ_PER_BIN } from '#audio/vocoder/speech-frames.ts';
import { createFormantFinder, formantTopHz } from './formants.ts';

/**
 * Makes the envelope of a voice whose vocal tract has these resonances, falling by 6 dB an octave.
 */
function envelopeOf(formantsHz: readonly number[], bandwidthHz = 90): Float32Array {
  return Float32Array.from({ length: ENVELOPE_BINS }, (_, bin) => {
    const hz = bin * HZ_PER_BIN;
    let db = -20 * Math.log10(Math.max(1, hz / 200));
    for (const at of formantsHz) {
      const width = (bandwidthHz / 2) ** 2;
      db -= 10 * Math.log10((((hz - at) ** 2 + width) * ((hz + at) ** 2 + width)) / (at * at + width) ** 2);
    }
    return db;
  });
}

describe('formants', () => {
  it.each([
    ['i', [300, 2_250, 3_000]],
    ['a', [750, 1_250, 2_500]],
    ['u', [320, 800, 2_300]],
    ['e', [500, 1_800, 2_500]],
  ])('of the vowel %s are found where they are', (_vowel, formantsHz) => {
    const formants = createFormantFinder(5_000)(envelopeOf([...formantsHz, 3_600, 4_500]), 0);
    expect(formants).not.toBeNull();
    for (const [i, hz] of formantsHz.entries()) expect(Math.abs(formants![i]! / hz - 1)).toBeLessThan(0.08);
  });

  it('do not depend on the loudness, nor on the place in a longer list of frames', () => {
    const envelope = envelopeOf([500, 1_500, 2_500, 3_500, 4_500]);
    const frames = new Float32Array(2 * ENVELOPE_BINS);
    frames.set(
      envelope.map((db) => db - 30),
      ENVELOPE_BINS,
    );
    const find = createFormantFinder(5_000);
    const formants = find(envelope, 0)!;
    for (const [i, hz] of find(frames, ENVELOPE_BINS)!.entries()) expect(hz).toBeCloseTo(formants[i]!, 0);
  });

  it('are none in a flat spectrum and in silence', () => {
    const find = createFormantFinder(5_000);
    expect(find(new Float32Array(ENVELOPE_BINS), 0)).toBeNull();
    expect(find(new Float32Array(ENVELOPE_BINS).fill(-200), 0)).toBeNull();
  });

  it.each([
    [80, 5_000],
    [130, 5_000],
    [215, 5_600],
    [300, 6_200],
    [600, 6_200],
  ])('of a voice of %i Hz are searched up to %i Hz', (pitchHz, topHz) => {
    expect(formantTopHz(pitchHz)).toBe(topHz);
  });
});
