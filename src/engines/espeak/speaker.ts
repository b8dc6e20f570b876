import type { VoiceProfile } from '#contracts/voice.ts';
import type { ScoredFrame } from './score.ts';

/** Turns what espeak-ng says into what the speaker of a profile would. */
export type Speaker = {
  /** Of a melody in semitones above the middle of a register. */
  pitchHzOf(semitones: number): number;
  /** Changes a frame in place. */
  shape(frame: ScoredFrame, pitchHz: number): void;
  /** What a syllable lasts on average at a speed of 1. */
  syllableMs: number;
};

/** Semitones between the 10th and the 90th percentile of the melodies that are made here. */
const MELODY_SPAN = 8.5;
/** However flat or lively somebody talks, tones stay apart and stay in reach. */
const LEAST_SPAN_SHARE = 0.75;
const MOST_SPAN_SHARE = 1.25;
/** Syllables a second, pauses left out, that are still speech and not a mistake of the measuring. */
const SLOWEST = 3;
const FASTEST = 6.5;

export function createSpeaker(profile: VoiceProfile, pitchSemitones: number): Speaker {
  const spanShare = (profile.pitchHighSemitones - profile.pitchLowSemitones) / MELODY_SPAN;
  const range = Math.min(MOST_SPAN_SHARE, Math.max(LEAST_SPAN_SHARE, Number.isFinite(spanShare) ? spanShare : 1));
  return {
    pitchHzOf: (semitones) => profile.pitchMedianHz * 2 ** ((semitones * range + pitchSemitones) / 12),
    shape: () => {},
    syllableMs: 1_000 / Math.min(FASTEST, Math.max(SLOWEST, profile.syllablesPerSecond)),
  };
}
