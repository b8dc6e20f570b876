import { joinSamples } from '@jyutsing/audio/join-samples';
import type { Sound } from '../audio.ts';

/** Frequencies far enough apart that no two fall into neighbouring bands, and above the voice. */
export const WHISTLES_HZ = [2_000, 2_600, 3_300, 4_200, 5_200, 6_400] as const;

const RATE_HZ = 16_000;
const SYLLABLE_MS = 270;
const VOICE_HZ = 133;

/**
 * A humming voice that whistles: each number is a syllable with the whistle of that place in WHISTLES_HZ, null a second of silence. The
 * made-up models hear the whistles; the voice is there because the voice detector lets nothing else pass.
 */
export function hum(syllables: readonly (number | null)[]): Sound {
  const pieces = syllables.map((whistle) => (whistle === null ? new Float32Array(RATE_HZ) : syllable(whistle)));
  return { sampleRateHz: RATE_HZ, channels: [joinSamples(pieces)] };
}

function syllable(whistle: number): Float32Array {
  const samples = new Float32Array((RATE_HZ * SYLLABLE_MS) / 1_000);
  for (let i = 0; i < samples.length; i += 1) {
    const place = i / samples.length;
    const angle = (2 * Math.PI * i) / RATE_HZ;
    const swell = Math.sin(Math.PI * place) ** 0.5;
    let value = 0;
    for (let harmonic = 1; harmonic <= 6; harmonic += 1) {
      value += ((0.25 * swell) / harmonic) * Math.sin(angle * harmonic * VOICE_HZ);
    }
    // Soft edges keep the whistle in its band.
    const level = 0.15 * Math.max(0, Math.sin(Math.PI * (place - 0.2) * (1 / 0.6))) ** 0.5;
    if (place > 0.2 && place < 0.8) value += level * Math.sin(angle * (WHISTLES_HZ[whistle] ?? 0));
    samples[i] = value;
  }
  return samples;
}
