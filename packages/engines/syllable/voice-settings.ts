import type { VoiceProfile } from '@jyutsing/contracts/voice';
import type { VoiceSettings } from './overlap-add.ts';
import { MIDDLE_HZ } from './unit.ts';

/** The recorded speaker, measured in the engine's own speech. */
const SPEAKER = { pitchMedianHz: 143, spanSemitones: 10, formantsHz: [520, 1_640, 2_640] } as const;
/** Beyond these, a recording no longer sounds like a person. */
const FORMANTS = [0.88, 1.25] as const;
const RANGE = [0.75, 1.2] as const;
const RATE = [0.85, 1.15] as const;
const USUAL_RATE = 4.5;
const PITCH_HZ = [60, 500] as const;

/** How the recorded speaker is changed towards the voice of a profile. */
export function settingsFor(
  profile: VoiceProfile,
  pitchSemitones: number,
): VoiceSettings & { range: number; rate: number } {
  const { pitchMedianHz, pitchLowSemitones, pitchHighSemitones, formantsHz, syllablesPerSecond } = profile;
  const shift = 2 ** (pitchSemitones / 12);
  const middleHz = MIDDLE_HZ * (pitchMedianHz / SPEAKER.pitchMedianHz) * shift;
  const ratios = SPEAKER.formantsHz.map((hz, i) => formantsHz[i]! / hz);
  return {
    middleHz: within(middleHz, PITCH_HZ),
    formants: within(ratios.reduce((a, b) => a * b, 1) ** (1 / ratios.length), FORMANTS),
    range: within((pitchHighSemitones - pitchLowSemitones) / SPEAKER.spanSemitones, RANGE),
    rate: within(syllablesPerSecond / USUAL_RATE, RATE),
  };
}

function within(value: number, [low, high]: readonly [number, number]): number {
  return Math.min(high, Math.max(low, value));
}
