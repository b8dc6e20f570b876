import type { VoiceProfile } from '@jyutsing/contracts/voice';
import { bandCentersHz } from '@jyutsing/audio/voice/mel-bands';

/** How loud an engine is before its gain, fitted to the shipped voices. */
export type EngineLoudness = {
  /** Gain in dB with which a voice of 226 Hz and usual brightness has −19 LUFS (ITU-R BS.1770). */
  gainDb: number;
  /** By how much a voice is louder that is an octave higher, in dB. */
  byOctaveDb: number;
  /** By how much it is louder for each dB of brightness. */
  byBrightness: number;
};

type Voice = Pick<VoiceProfile, 'pitchMedianHz' | 'voicedBandsDb'>;

const REFERENCE_HZ = 226;
const MAX_OCTAVES = 1.5;
/** Brightness: the share of the power of voiced sounds above this frequency, in dB. */
const BRIGHT_FROM_HZ = 1_000;
const USUAL_BRIGHTNESS_DB = -15;
const MAX_BRIGHTNESS_DB = 12;

/** Returns the factor with which the samples of a voice have −19 LUFS, as those of every voice. */
export function gainFor(voice: Voice, { gainDb, byOctaveDb, byBrightness }: EngineLoudness): number {
  const octaves = within(Math.log2(voice.pitchMedianHz / REFERENCE_HZ), MAX_OCTAVES);
  const brightness = within(brightnessDb(voice) - USUAL_BRIGHTNESS_DB, MAX_BRIGHTNESS_DB);
  return 10 ** ((gainDb - byOctaveDb * octaves - byBrightness * brightness) / 20);
}

function within(value: number, most: number): number {
  return Math.max(-most, Math.min(most, value));
}

function brightnessDb({ voicedBandsDb }: Voice): number {
  let [bright, all] = [0, 0];
  for (const [band, hz] of bandCentersHz.entries()) {
    // A band on the mel scale is as wide as its frequency and 700 Hz more.
    const power = 10 ** (voicedBandsDb[band]! / 10) * (hz + 700);
    all += power;
    if (hz > BRIGHT_FROM_HZ) bright += power;
  }
  return 10 * Math.log10(bright / all);
}
