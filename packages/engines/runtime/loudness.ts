import type { VoiceProfile } from '@jyutsing/contracts/voice';

/** The pitch at which the gain of an engine is measured, in hertz. */
const REFERENCE_HZ = 226;
/** By how much a voice is louder that is an octave higher; fitted to the shipped voices. */
const LOUDER_BY_OCTAVE_DB = 1.75;
const MAX_OCTAVES = 1.5;

/**
 * Returns the factor with which the samples of a voice have −19 LUFS (ITU-R BS.1770), as those of
 * every voice. `referenceDb`: the gain in dB that a voice of 226 Hz needs in this engine.
 */
export function gainFor({ pitchMedianHz }: Pick<VoiceProfile, 'pitchMedianHz'>, referenceDb: number): number {
  const octaves = Math.max(-MAX_OCTAVES, Math.min(MAX_OCTAVES, Math.log2(pitchMedianHz / REFERENCE_HZ)));
  return 10 ** ((referenceDb - LOUDER_BY_OCTAVE_DB * octaves) / 20);
}
