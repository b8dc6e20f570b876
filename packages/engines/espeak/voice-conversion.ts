import { LRUCache } from 'lru-cache';
import type { Language } from '@jyutsing/contracts/transcript';
import { VOICE_BANDS, type VoiceProfile } from '@jyutsing/contracts/voice';
import { toBins } from '@jyutsing/audio/voice/mel-bands';
import { decodeTimbre, UNVOICED_ROW, VOICED_ROW } from '@jyutsing/audio/voice/timbre';
import {
  createVoiceTransform,
  CONTOUR_SPAN_SEMITONES,
  type VoiceTransform,
} from '@jyutsing/audio/voice/voice-transform';
import { NOISE_BANDS } from '@jyutsing/audio/vocoder/speech-frames';
import type { TimelineFrame } from './timeline.ts';
import { SOURCE_PROFILE, sourceProfile } from './source-profile.ts';

/** Converts espeak-ng's output to the voice of a profile. */
export type VoiceConversion = {
  /** Converts semitones above the middle of a register to hertz. */
  pitchHzOf(semitones: number): number;
  /** Converts the next frame in place. */
  shape(frame: TimelineFrame): void;
  /** Mean syllable duration in milliseconds at speed 1. */
  syllableMs: number;
};

/** Offset in semitones of the median of contours in a language from the middle of the targets. */
const OWN_MEDIANS: Readonly<Record<Language, number>> = { cantonese: -0.6, mandarin: -0.2, english: 1 };
/**
 * Least and largest plausible rate of syllables per second without pauses; values outside are
 * measurement errors.
 */
const MIN_RATE = 3;
const MAX_RATE = 6.5;
/** Lowest pitch in hertz that the vocoder can render. */
const MIN_PITCH_HZ = 45;
const MAX_PITCH_HZ = 800;
/** Highest gain in either direction, in dB. */
const MAX_GAIN_DB = 12;
/**
 * Largest rise of the gain of a frame, in dB. At the transition from a fricative to a vowel, a
 * frame is voiced with the spectrum of the fricative; brightening it like a vowel would produce a
 * click.
 */
const MAX_RISE_DB = 4;
/** Distance of the bins that are read where only the level matters. */
const LEVEL_STEP = 4;
/** Distance of the typical sounds of the source that are read to set the loudness of a voice. */
const CALIBRATION_STEP = 4;

/**
 * Creates the conversion for a text in `language`, with whose contours the speaker's range is
 * compared.
 */
export function createVoiceConversion(
  profile: VoiceProfile,
  { language, pitchSemitones }: { language: Language; pitchSemitones: number },
): VoiceConversion {
  const source = sourceProfile(language);
  const { pitchOf, transform } = createVoiceTransform(source, profile);
  const shift = 2 ** (pitchSemitones / 12);
  const toExpected = CONTOUR_SPAN_SEMITONES / (source.pitchHighSemitones - source.pitchLowSemitones);
  // Voices differ in spectral balance; without this, some would be twice as loud as others.
  const gainsDb = gainsOf(profile);
  return {
    pitchHzOf(semitones) {
      const pitchHz = pitchOf((semitones - OWN_MEDIANS[language]) * toExpected) * shift;
      return Math.min(MAX_PITCH_HZ, Math.max(MIN_PITCH_HZ, pitchHz));
    },
    shape({ isVoiced, envelopeDb, noiseShares }) {
      const before = powerOf(envelopeDb, LEVEL_STEP);
      transform(envelopeDb, noiseShares, isVoiced);
      const wantedDb = isVoiced ? gainsDb.voiced : gainsDb.unvoiced;
      const riseDb = 10 * Math.log10(powerOf(envelopeDb, LEVEL_STEP) / before) + wantedDb;
      const gainDb = wantedDb - Math.max(0, riseDb - MAX_RISE_DB);
      for (let k = 0; k < envelopeDb.length; k += 1) envelopeDb[k]! += gainDb;
    },
    syllableMs: 1_000 / Math.min(MAX_RATE, Math.max(MIN_RATE, profile.syllablesPerSecond)),
  };
}

/** Creates a conversion to espeak-ng's unmodified voice in its register, for measuring it. */
export function createIdentityConversion(): VoiceConversion {
  const { pitchMedianHz, syllablesPerSecond } = SOURCE_PROFILE;
  return {
    pitchHzOf: (semitones) => pitchMedianHz * 2 ** (semitones / 12),
    shape: () => {},
    syllableMs: 1_000 / syllablesPerSecond,
  };
}

type Gains = { voiced: number; unvoiced: number };

/**
 * Computing the gains takes longer than the latency of the first block allows; a speaker is used
 * many times.
 */
const knownGains = new LRUCache<string, Gains>({ max: 64 });

function gainsOf(profile: VoiceProfile): Gains {
  const key = JSON.stringify(profile);
  const gains = knownGains.get(key) ?? calibrate(createVoiceTransform(SOURCE_PROFILE, profile));
  knownGains.set(key, gains);
  return gains;
}

/** Computes gains in dB that keep the mean power of the source's typical sounds as it is. */
function calibrate({ transform }: VoiceTransform): Gains {
  const timbre = decodeTimbre(SOURCE_PROFILE.timbre);
  if (timbre === null) return { voiced: 0, unvoiced: 0 };
  const change = (rows: Float32Array, width: number, isVoiced: boolean) => {
    let before = 1e-9;
    let after = 1e-9;
    for (let at = 0; at < rows.length; at += width * CALIBRATION_STEP) {
      const bands = rows.subarray(at, at + VOICE_BANDS.count).map((level) => level + timbre.levelDb);
      const envelopeDb = Float32Array.from(toBins(bands));
      const noiseShares = new Float32Array(NOISE_BANDS).fill(isVoiced ? 0.2 : 1);
      before += powerOf(envelopeDb);
      transform(envelopeDb, noiseShares, isVoiced);
      after += powerOf(envelopeDb);
    }
    return Math.min(MAX_GAIN_DB, Math.max(-MAX_GAIN_DB, 10 * Math.log10(before / after)));
  };
  return {
    voiced: change(timbre.voiced, VOICED_ROW, true),
    unvoiced: change(timbre.unvoiced, UNVOICED_ROW, false),
  };
}

/** Computes the power of every `step`-th bin. */
function powerOf(envelopeDb: Float32Array, step = 1): number {
  let power = 1e-12;
  for (let k = 0; k < envelopeDb.length; k += step) power += 10 ** (envelopeDb[k]! / 10);
  return power;
}
