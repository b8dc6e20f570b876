import type { Language } from './transcript.ts';

/** What a voice sounds like, measured on its reference sample. Engines that cannot hear the sample themselves speak towards it. */
export type VoiceProfile = {
  /** Of the measuring code: a profile of another version is measured again from the sample. */
  version: number;
  /** Median of the fundamental frequency of voiced frames. */
  pitchMedianHz: number;
  /** Semitones from the median to the 10th (negative) and the 90th percentile. */
  pitchLowSemitones: number;
  pitchHighSemitones: number;
  /** Medians of the first three formants over voiced frames. */
  formantsHz: readonly [number, number, number];
  /** Mean level of voiced and of unvoiced frames in bands of the mel scale (`VOICE_BANDS`), dB, the mean of each over the bands taken off. */
  voicedBandsDb: readonly number[];
  unvoicedBandsDb: readonly number[];
  /** Share of noise in voiced frames, 0 (pure tone) to 1, in the same bands. */
  noiseShares: readonly number[];
  /** Syllables a second while it speaks, pauses left out. */
  syllablesPerSecond: number;
  /** Typical single sounds of the voice (audio/voice/timbre.ts), base64; empty where only the means above are known. Under 6 KB. */
  timbre: string;
};

/** Bands of a profile: so many of equal width on the mel scale between these frequencies. */
export const VOICE_BANDS = { count: 40, lowHz: 60, highHz: 8_000 } as const;

/** A voice of the library, without its sample. */
export type Voice = {
  /** A UUID for those that accounts made, a short name for those that ship. */
  id: string;
  /** Null: ships with the project, for everybody. */
  accountId: string | null;
  name: string;
  language: Language;
  gender: VoiceGender | null;
  description: string | null;
  /** What is said in the sample; null: nobody said. */
  transcript: string | null;
  profile: VoiceProfile;
  /** Its reference recording: WAV, 24 kHz, mono, 16 bit; whole milliseconds. */
  sample: { durationMs: number; sizeBytes: number };
  createdAtMs: number;
  /** When whoever sent the sample said that its speaker agreed; null: nobody was recorded. */
  consentedAtMs: number | null;
};

export const VOICE_GENDERS = ['female', 'male', 'neutral'] as const;
export type VoiceGender = (typeof VOICE_GENDERS)[number];
