import type { SpeakCall } from '#server/features/synthesis/speech.ts';

/** What the tests change while their server runs, and what they may see of its speakers. */
export type SpeakingState = {
  /** How long each character sounds, and how long it takes to be made. */
  characterMs: number;
  paceMs: number;
  /** Speakers make no further sound for as long as this is true. */
  speechIsHeld: boolean;
  /** Nobody speaks any language. */
  nobodySpeaks: boolean;
  /** Calls that are being spoken, the most there ever were at once, and all together. */
  speaking: number;
  mostSpeaking: number;
  calls: SpeakCall[];
  /** Made, whether taken or not. */
  spokenSamples: number;
};

export function newSpeakingState(): SpeakingState {
  return {
    characterMs: 100,
    paceMs: 0,
    speechIsHeld: false,
    nobodySpeaks: false,
    speaking: 0,
    mostSpeaking: 0,
    calls: [],
    spokenSamples: 0,
  };
}
