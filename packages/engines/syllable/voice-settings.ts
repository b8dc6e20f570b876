import { readFileSync } from 'node:fs';
import type { VoiceProfile } from '@jyutsing/contracts/voice';
import { createVoiceTransform, type Imitation } from '@jyutsing/audio/voice/voice-transform';
import { NOISE_BANDS } from '@jyutsing/audio/vocoder/speech-frames';
import { gainFor } from '#engines/runtime/loudness.ts';
import type { VoiceSettings } from './overlap-add.ts';
import type { EnvelopeConversion } from './shape-envelopes.ts';
import type { Sounds, SyllableLanguage } from './sounds.ts';

/** A recorded speaker, with which voices are compared. */
type Speaker = {
  /**
   * Profile of the engine's own speech, measured by training/voices/syllables/measure-speaker.ts.
   */
  profile: VoiceProfile;
  /** The voice design that describes the speaker. */
  design: { pitchMedianHz: number; spanSemitones: number; formantsHz: readonly [number, number, number] };
};

/** Speakers by the language of their recordings. */
export const SPEAKERS = {
  cantonese: {
    profile: readProfile('speaker-profile.json'),
    design: { pitchMedianHz: 143, spanSemitones: 10, formantsHz: [520, 1_640, 2_640] },
  },
  mandarin: {
    profile: readProfile('mandarin-speaker-profile.json'),
    design: { pitchMedianHz: 250, spanSemitones: 10, formantsHz: [608, 1_919, 3_089] },
  },
} satisfies Record<SyllableLanguage, Speaker>;
/** Range of the factor of formants; beyond it a recording no longer sounds like a person. */
const FORMANTS = [0.88, 1.25] as const;
const RANGE = [0.75, 1.2] as const;
const RATE = [0.85, 1.15] as const;
const USUAL_RATE = 4.5;
const PITCH_HZ = [60, 500] as const;

/**
 * Imitation with recorded sounds, which are a person's already. Chosen on 20 people
 * (models/yue/syllables.md): changing sounds without voice makes a third more syllables
 * unintelligible and no voice more alike.
 */
const IMITATION: Imitation = {
  maxCorrectionDb: 6,
  vowelCloseness: 0.2,
  highCloseness: 0.5,
  unvoiced: false,
  background: false,
};

/** Changes of the recorded speaker towards the voice of a profile. */
export type ConversionSettings = VoiceSettings & {
  /** Factor of the contour's range, relative to the recordings. */
  range: number;
  /** Factor of the speech rate, relative to the recordings. */
  rate: number;
  /** Factor that makes the voice as loud as all others. */
  gain: number;
  /** Creates a conversion for one phrase; null to keep the sounds. */
  createConversion(): EnvelopeConversion | null;
};

/**
 * Computes the settings of a voice. Designed voices have the recorded speaker's sounds with moved
 * formants. Voices measured on a person have that person's formants and spectra, too.
 */
export function settingsFor(profile: VoiceProfile, pitchSemitones: number, sounds: Sounds): ConversionSettings {
  const speaker: Speaker = SPEAKERS[sounds.language];
  const { design } = speaker;
  const { pitchMedianHz, pitchLowSemitones, pitchHighSemitones, formantsHz, syllablesPerSecond } = profile;
  const shift = 2 ** (pitchSemitones / 12);
  const middleHz = sounds.middleHz * (pitchMedianHz / design.pitchMedianHz) * shift;
  const ratios = design.formantsHz.map((hz, i) => formantsHz[i]! / hz);
  const isPerson = profile.timbre !== '';
  return {
    sounds,
    middleHz: within(middleHz, PITCH_HZ),
    formants: isPerson ? 1 : within(ratios.reduce((a, b) => a * b, 1) ** (1 / ratios.length), FORMANTS),
    range: within((pitchHighSemitones - pitchLowSemitones) / design.spanSemitones, RANGE),
    rate: within(syllablesPerSecond / USUAL_RATE, RATE),
    gain: gainFor(profile, sounds.loudness),
    createConversion: () => (isPerson ? conversionTo(profile, speaker.profile) : null),
  };
}

function conversionTo(profile: VoiceProfile, from: VoiceProfile): EnvelopeConversion {
  const { transform } = createVoiceTransform(from, profile, IMITATION);
  const noiseShares = new Float32Array(NOISE_BANDS);
  return (envelopeDb, isVoiced) => {
    transform(envelopeDb, noiseShares, isVoiced);
  };
}

function within(value: number, [low, high]: readonly [number, number]): number {
  return Math.min(high, Math.max(low, value));
}

function readProfile(file: string): VoiceProfile {
  return JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')) as VoiceProfile;
}
