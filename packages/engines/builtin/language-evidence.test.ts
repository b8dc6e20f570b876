import { describe, expect, it } from 'vitest';
import { symbolEvidence, voiceEvidence } from './language-evidence.ts';

const frames = (...probabilities: number[][]): Float32Array => Float32Array.from(probabilities.flat(), Math.log);

describe('evidence from the symbols of a model', () => {
  it('counts frames whose most probable symbol is not the blank', () => {
    const logp = frames([0.9, 0.05, 0.05], [0.2, 0.7, 0.1], [0.1, 0.1, 0.8], [0.5, 0.25, 0.25]);
    const { symbolShare, symbolLogp } = symbolEvidence(logp, { frameCount: 4, width: 3, frameMs: 30 });
    expect(symbolShare).toBe(0.5);
    expect(symbolLogp).toBeCloseTo((Math.log(0.7) + Math.log(0.8)) / 2);
  });

  it('counts a symbol that lasts for several frames once, and again after a blank', () => {
    const [blank, first, second] = [
      [0.8, 0.1, 0.1],
      [0.1, 0.8, 0.1],
      [0.1, 0.1, 0.8],
    ];
    const logp = frames(blank, first, first, second, blank, second, blank, blank, blank, blank);
    expect(symbolEvidence(logp, { frameCount: 10, width: 3, frameMs: 50 }).symbolRate).toBeCloseTo(6);
  });

  it('measures entropy in nats, over all frames and over those with a symbol', () => {
    const even = 1 / 3;
    const { entropy, symbolEntropy } = symbolEvidence(
      frames([1 - 2e-9, 1e-9, 1e-9], [even - 1e-6, even + 2e-6, even]),
      { frameCount: 2, width: 3, frameMs: 30 },
    );
    expect(symbolEntropy).toBeCloseTo(Math.log(3), 4);
    expect(entropy).toBeCloseTo(Math.log(3) / 2, 4);
  });

  it('is finite for sound without symbols and for no frames', () => {
    for (const evidence of [
      symbolEvidence(frames([0.98, 0.01, 0.01]), { frameCount: 1, width: 3, frameMs: 30 }),
      symbolEvidence(new Float32Array(0), { frameCount: 0, width: 3, frameMs: 30 }),
    ]) {
      expect(Object.values(evidence).every(Number.isFinite)).toBe(true);
      expect(evidence.symbolShare).toBe(0);
    }
  });
});

describe('evidence from the voice', () => {
  it('measures the share of voiced frames, and the spread of their pitch in octaves', () => {
    const pitch = Float32Array.from([7, 0.9, 8, 0.8, 3, 0.1, 7, 0.6, 8, 0.7, 1, 0]);
    expect(voiceEvidence(pitch)).toEqual({ voicedShare: expect.closeTo(4 / 6), pitchSpread: expect.closeTo(0.5) });
  });

  it('is 0 without a voice, and without sound', () => {
    expect(voiceEvidence(Float32Array.from([7, 0.1]))).toEqual({ voicedShare: 0, pitchSpread: 0 });
    expect(voiceEvidence(new Float32Array(0))).toEqual({ voicedShare: 0, pitchSpread: 0 });
  });
});
