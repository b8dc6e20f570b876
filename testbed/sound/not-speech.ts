import { MUSIC } from './not-speech-music.ts';
import { NOISES } from './not-speech-noises.ts';
import { UNSEEN } from './not-speech-unseen.ts';
import { SURROUNDINGS } from './surroundings.ts';
import { createStudio, normalize } from './synthesized-notes.ts';

/** Sounds without speech, by name, that the speech check was fitted with. */
export const FITTED_KINDS = { ...NOISES, ...MUSIC, ...SURROUNDINGS };
export const MUSIC_KINDS = [...Object.keys(MUSIC), 'plucked tune', 'humming', 'percussion'];
/** Kinds held out while it was fitted. */
export const UNSEEN_KINDS = UNSEEN;

/** Makes a sound without speech: mono, 16 kHz, peak 1; deterministic by kind, seed and length. */
export function makeNotSpeech(kind: string, seed: number, durationMs: number): Float32Array {
  const make = FITTED_KINDS[kind] ?? UNSEEN_KINDS[kind];
  const studio = createStudio(seed * 7_919 + kind.length * 104_729, durationMs);
  make?.(studio);
  return normalize(studio.out);
}
