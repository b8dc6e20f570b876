import { joinSamples } from '@jyutsing/audio/join-samples';
import type { Sound } from '#testbed/sound/audio.ts';

/** Whistle frequencies above the voice, far enough apart for separate mel bands. */
export const WHISTLES_HZ = [2_000, 2_600, 3_300, 4_200, 5_200, 6_400] as const;

const RATE_HZ = 16_000;
const SYLLABLE_MS = 270;
const VOICE_HZ = 133;

/**
 * Synthesizes a humming voice that whistles: each number is a syllable with that whistle of
 * WHISTLES_HZ, null a second of silence. Test models detect the whistles; the voice is needed to
 * pass the voice activity detector.
 */
export function hum(syllables: readonly (number | null)[]): Sound {
  const pieces = syllables.map((whistle) => (whistle === null ? new Float32Array(RATE_HZ) : syllable(whistle)));
  return { sampleRateHz: RATE_HZ, channels: [joinSamples(pieces)] };
}

function syllable(whistle: number): Float32Array {
  const samples = new Float32Array((RATE_HZ * SYLLABLE_MS) / 1_000);
  for (let i = 0; i < samples.length; i += 1) {
    const position = i / samples.length;
    const angle = (2 * Math.PI * i) / RATE_HZ;
    const swell = Math.sin(Math.PI * position) ** 0.5;
    let value = 0;
    for (let harmonic = 1; harmonic <= 6; harmonic += 1) {
      value += ((0.25 * swell) / harmonic) * Math.sin(angle * harmonic * VOICE_HZ);
    }
    // Soft edges keep the whistle within its band.
    const level = 0.15 * Math.max(0, Math.sin(Math.PI * (position - 0.2) * (1 / 0.6))) ** 0.5;
    if (position > 0.2 && position < 0.8) value += level * Math.sin(angle * (WHISTLES_HZ[whistle] ?? 0));
    samples[i] = value;
  }
  return samples;
}
