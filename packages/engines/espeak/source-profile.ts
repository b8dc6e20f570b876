import { readFileSync } from 'node:fs';
import type { Language } from '@jyutsing/contracts/transcript';
import type { VoiceProfile } from '@jyutsing/contracts/voice';

/**
 * Profile of espeak-ng's unmodified voice with the F0 contours of this engine, which
 * `measure-source.ts` measures and writes into the file.
 */
export const SOURCE_PROFILE: VoiceProfile = JSON.parse(
  readFileSync(new URL('./source-profile.json', import.meta.url), 'utf8'),
) as VoiceProfile;

/** Semitones from the median of the F0 contours of a language to their 10th and 90th percentile. */
const PITCH_RANGES: Readonly<Record<Language, readonly [low: number, high: number]>> = {
  cantonese: [-3.9, 4.9],
  mandarin: [-4.8, 4.2],
  english: [-3.2, 3.2],
};

/** Returns the profile of the source voice in a language. */
export function sourceProfile(language: Language): VoiceProfile {
  const [pitchLowSemitones, pitchHighSemitones] = PITCH_RANGES[language];
  return { ...SOURCE_PROFILE, pitchLowSemitones, pitchHighSemitones };
}
