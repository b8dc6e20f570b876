import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';

/** A cutoff above mains hum; what is left of a voice has nearly all of its power. */
export const HUM_HZ = 100;

/** Quality factors of the two sections that make a Butterworth filter of fourth order. */
const QUALITIES = [0.541_196_1, 1.306_563] as const;

/** Far below the steps of 24-bit sound. */
const SILENCE = 1e-20;

/**
 * Creates a Butterworth high-pass filter of fourth order for sound at 16 kHz: 3 dB at `cutoffHz`,
 * 24 dB an octave below it (bilinear transform, "Audio EQ Cookbook" by R. Bristow-Johnson). It
 * takes the parts of one sound in order and returns a new array for each. Speech detectors listen
 * through it, since an offset (direct current), rumble and hum can be louder than quiet speech;
 * what is recognized never passes it.
 */
export function createHighPass(cutoffHz: number): (samples: Float32Array) => Float32Array {
  const angle = (2 * Math.PI * cutoffHz) / RECOGNIZER_SAMPLE_RATE_HZ;
  const [first, second] = QUALITIES.map((quality) => sectionOf(angle, quality)) as [Section, Section];
  let isFirst = true;
  /** The last two values of the input, between the sections, and of the output. */
  let [x1, x2, y1, y2, z1, z2] = [0, 0, 0, 0, 0, 0];
  return (samples) => {
    const filtered = new Float32Array(samples.length);
    // As if the first value had lasted forever: an offset does not begin with the sound.
    if (isFirst && samples.length > 0) [x1, x2, isFirst] = [samples[0]!, samples[0]!, false];
    for (let i = 0; i < samples.length; i += 1) {
      const x = samples[i]!;
      const y = first.gain * (x - 2 * x1 + x2) - first.a1 * y1 - first.a2 * y2;
      const z = second.gain * (y - 2 * y1 + y2) - second.a1 * z1 - second.a2 * z2;
      x2 = x1;
      x1 = x;
      y2 = y1;
      y1 = y;
      z2 = z1;
      z1 = z;
      filtered[i] = z;
    }
    // In silence the values would become so small that processors are slow with them.
    if (Math.abs(y1) + Math.abs(z1) < SILENCE) [y1, y2, z1, z2] = [0, 0, 0, 0];
    return filtered;
  };
}

/** A section of second order: b = gain · (1, −2, 1), a = (1, a1, a2). */
type Section = { gain: number; a1: number; a2: number };

function sectionOf(angle: number, quality: number): Section {
  const alpha = Math.sin(angle) / (2 * quality);
  const scale = 1 / (1 + alpha);
  const cosine = Math.cos(angle);
  return { gain: ((1 + cosine) / 2) * scale, a1: -2 * cosine * scale, a2: (1 - alpha) * scale };
}
