import { median } from '@jyutsing/numeric/statistics';
/** Pitch without a voice profile. */
export const OWN_PITCH_HZ = 200;
const NOTE_S = 0.15;
const REST_S = 0.03;

/**
 * Makes one note for each letter or character of a text, with soft edges and a short pause;
 * punctuation gives longer pauses.
 */
export function singText(
  text: string,
  { pitchHz, speed = 1, sampleRateHz = 24_000 }: { pitchHz: number; speed?: number; sampleRateHz?: number },
): Float32Array<ArrayBuffer> {
  const note = Math.round((NOTE_S * sampleRateHz) / speed);
  const rest = Math.round((REST_S * sampleRateHz) / speed);
  const signs = Array.from(text).filter((sign) => sign.trim() !== '');
  const samples = new Float32Array(signs.length * (note + rest));
  for (const [index, sign] of signs.entries()) {
    if (!/[\p{L}\p{N}]/u.test(sign)) continue;
    for (let i = 0; i < note; i += 1) {
      const edge = Math.min(1, i / 240, (note - i) / 240);
      samples[index * (note + rest) + i] = 0.5 * edge * Math.sin((2 * Math.PI * pitchHz * i) / sampleRateHz);
    }
  }
  return samples;
}

/**
 * Measures the pitch of a tone with pauses: the median time between rising zero crossings. 0 for
 * silence.
 */
export function measurePitch(samples: Float32Array, sampleRateHz = 24_000): number {
  const periods: number[] = [];
  let isBelow = false;
  let lastRise = -1;
  for (const [i, sample] of samples.entries()) {
    // Ignore the ringing of resamplers around silence.
    if (sample < -0.05) isBelow = true;
    if (sample <= 0.05 || !isBelow) continue;
    if (lastRise >= 0) periods.push(i - lastRise);
    lastRise = i;
    isBelow = false;
  }
  const usual = median(periods, 0);
  const alike = periods.filter((period) => Math.abs(period - usual) <= 2);
  return alike.length === 0 ? 0 : (sampleRateHz * alike.length) / alike.reduce((sum, period) => sum + period, 0);
}

/** The pitch of a WAV (16 bit, mono) in a data URL. */
export function pitchOf(dataUrl: string): number {
  const bytes = Buffer.from(dataUrl.replace(/^data:audio\/wav;base64,/, ''), 'base64');
  const samples = Float32Array.from(
    { length: (bytes.length - 44) >> 1 },
    (_, i) => bytes.readInt16LE(44 + 2 * i) / 32_768,
  );
  return measurePitch(samples, bytes.readUInt32LE(24));
}
