import type { Speech } from '#server/features/synthesis/speech.ts';

/**
 * Settings that tests change while their server runs, and what they observe of its synthesizers.
 */
export type SpeakingState = {
  /** Duration of each character's audio, and of its synthesis. */
  characterMs: number;
  paceMs: number;
  /** Synthesis pauses while this is true. */
  speechIsHeld: boolean;
  /** No synthesizer is available. */
  isSynthesisMissing: boolean;
  /** Running calls, the maximum of them at once, and all calls. */
  speaking: number;
  maxSpeaking: number;
  calls: Speech[];
  /** Synthesized samples, whether sent or not. */
  spokenSamples: number;
};

export function newSpeakingState(): SpeakingState {
  return {
    characterMs: 100,
    paceMs: 0,
    speechIsHeld: false,
    isSynthesisMissing: false,
    speaking: 0,
    maxSpeaking: 0,
    calls: [],
    spokenSamples: 0,
  };
}
