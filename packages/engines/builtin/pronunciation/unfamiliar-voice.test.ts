import { describe, expect, it } from 'vitest';
import { unfamiliarVoiceRelief } from './unfamiliar-voice.ts';

const even = (fit: number, count = 8): number[] => Array.from({ length: count }, () => fit);

describe('relief for a voice that the acoustic model does not know', () => {
  it('is given where the recording agrees with its text, but badly', () => {
    expect(unfamiliarVoiceRelief(even(-4.5), 8)).toBeCloseTo(3.5, 1);
  });

  it('is not given to a familiar voice, nor to another text', () => {
    expect(unfamiliarVoiceRelief(even(-0.1), 8)).toBeLessThan(0.25);
    expect(unfamiliarVoiceRelief(even(-11), 8)).toBeLessThan(0.01);
    expect(unfamiliarVoiceRelief(even(-300), 8)).toBeCloseTo(0);
  });

  it('needs four syllables in the text, and one that was attempted', () => {
    expect(unfamiliarVoiceRelief(even(-5, 3), 3)).toBe(0);
    expect(unfamiliarVoiceRelief([], 8)).toBe(0);
    expect(unfamiliarVoiceRelief(even(-5, 1), 4)).toBeGreaterThan(3);
  });
});
