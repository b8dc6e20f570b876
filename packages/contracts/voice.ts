import type { Language } from './transcript.ts';

/**
 * Acoustic measurements of a voice's reference sample, for engines that do not use the sample
 * itself.
 */
export type VoiceProfile = {
  /**
   * Version of the measuring code; a profile of another version is measured again from the sample.
   */
  version: number;
  /** Median of the fundamental frequency of voiced frames. */
  pitchMedianHz: number;
  /** Semitones from the median to the 10th (negative) and the 90th percentile. */
  pitchLowSemitones: number;
  pitchHighSemitones: number;
  /** Medians of the first three formants over voiced frames. */
  formantsHz: readonly [number, number, number];
  /**
   * Mean level of voiced and unvoiced frames in mel bands (`VOICE_BANDS`), in dB relative to their
   * mean over the bands.
   */
  voicedBandsDb: readonly number[];
  unvoicedBandsDb: readonly number[];
  /** Share of noise in voiced frames per band, 0 (pure tone) to 1. */
  noiseShares: readonly number[];
  /** Speaking rate without pauses. */
  syllablesPerSecond: number;
  /**
   * Spectra of typical sounds (audio/voice/timbre.ts), base64, under 6 KB; empty when only the
   * means above are known.
   */
  timbre: string;
};

/** Bands of a profile: `count` bands of equal width on the mel scale between these frequencies. */
export const VOICE_BANDS = { count: 40, lowHz: 60, highHz: 8_000 } as const;

/** A voice of the library, without its sample. */
export type Voice = {
  /** A UUID for private voices, a short name for shipped ones. */
  id: string;
  /** The account that owns the voice; null for a public one that ships with the project. */
  accountId: string | null;
  name: string;
  language: Language;
  gender: VoiceGender | null;
  description: string | null;
  /** The text of the sample; null: not given. */
  transcript: string | null;
  /** The model that speaks it in the languages which that model knows; null: the best one. */
  engine: string | null;
  profile: VoiceProfile;
  /** The reference recording: WAV, 24 kHz, mono, 16 bit; whole milliseconds. */
  sample: { durationMs: number; sizeBytes: number };
  createdAtMs: number;
  /**
   * The time at which the uploader confirmed the speaker's consent; null when no person was
   * recorded.
   */
  consentedAtMs: number | null;
};

export const VOICE_GENDERS = ['female', 'male', 'neutral'] as const;
export type VoiceGender = (typeof VOICE_GENDERS)[number];
