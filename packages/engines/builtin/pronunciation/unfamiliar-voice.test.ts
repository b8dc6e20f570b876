import { describe, expect, it } from 'vitest';
import { NO_RELIEF, unfamiliarVoiceRelief, type SyllableAgreement } from './unfamiliar-voice.ts';

const even = (fitLogp: number, leadLogp: number, count = 8): SyllableAgreement[] =>
  Array.from({ length: count }, () => ({ fitLogp, leadLogp }));

describe('relief for a voice that the acoustic model does not know', () => {
  it('is given where the recording agrees with its text, but badly', () => {
    const { segments, tone } = unfamiliarVoiceRelief(even(-6, 10), 8);
    expect(segments).toBeCloseTo(4, 1);
    expect(tone).toBeCloseTo(2.3, 1);
  });

  it('is not given to a familiar voice', () => {
    expect(unfamiliarVoiceRelief(even(0, 15), 8).segments).toBeLessThan(0.5);
    // Some wrong syllables do not make the voice unfamiliar.
    expect(unfamiliarVoiceRelief([...even(0, 15, 6), ...even(-20, 0, 2)], 8).segments).toBeLessThan(0.5);
  });

  it('is doubt for another text, and for noise, which all syllables fit alike', () => {
    for (const attempted of [even(-15, 1), even(-8, 0)]) {
      const { segments, tone } = unfamiliarVoiceRelief(attempted, 8);
      expect(segments).toBeCloseTo(-1.5, 1);
      expect(tone).toBeCloseTo(0, 1);
    }
  });

  it('needs more agreement in a short text, where it may be chance', () => {
    expect(unfamiliarVoiceRelief(even(-6, 5.5), 8).segments).toBeGreaterThan(3);
    expect(unfamiliarVoiceRelief(even(-6, 5.5, 3), 3).segments).toBeLessThan(0);
  });

  it('needs three syllables in the text, and one that was attempted', () => {
    expect(unfamiliarVoiceRelief(even(-5, 10, 2), 2)).toEqual(NO_RELIEF);
    expect(unfamiliarVoiceRelief([], 8)).toEqual(NO_RELIEF);
    expect(unfamiliarVoiceRelief(even(-5, 10, 1), 3).segments).toBeGreaterThan(3);
  });
});
