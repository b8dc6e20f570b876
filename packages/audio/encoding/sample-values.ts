import { endianness } from 'node:os';

/** Values below this are inaudible in every format; denormal numbers would slow filters down. */
const INAUDIBLE = 1e-15;
const FULL_SCALE = 32_768;

/** Copies samples clipped to −1..1; NaN becomes silence. */
export function withinFullScale(samples: Float32Array): Float32Array<ArrayBuffer> {
  const clamped = new Float32Array(samples);
  for (let i = 0; i < clamped.length; i += 1) {
    const sample = clamped[i]!;
    if (Math.abs(sample) >= INAUDIBLE) clamped[i] = sample > 1 ? 1 : sample < -1 ? -1 : sample;
    else if (sample !== 0) clamped[i] = 0;
  }
  return clamped;
}

/**
 * Amplitude from which louder samples are compressed, and the one that none exceeds: between two
 * samples the sound may be a little louder, and is to stay below −1 dB.
 */
const KNEE = 0.76;
const CEILING = 0.88;

/** The samples times a factor; what then exceeds 0.76 is clipped softly below 0.88. */
export function amplify(samples: Float32Array, gain: number): Float32Array<ArrayBuffer> {
  // `Float32Array.from` with a function would take nine times as long.
  return samples.map((sample) => {
    const value = sample * gain;
    const size = Math.abs(value);
    if (size <= KNEE) return value;
    return Math.sign(value) * (KNEE + (CEILING - KNEE) * Math.tanh((size - KNEE) / (CEILING - KNEE)));
  });
}

/**
 * Converts to signed 16-bit samples, clipped; NaN becomes 0. Writes them into `into` from index
 * `at` on and returns `into`.
 */
export function toInt16(
  samples: Float32Array,
  into: Int16Array<ArrayBuffer> = new Int16Array(samples.length),
  at = 0,
): Int16Array<ArrayBuffer> {
  for (let i = 0; i < samples.length; i += 1) {
    // Math.min and Math.max are twice as fast as comparisons; they keep NaN, which becomes 0 when
    // it is stored.
    into[at + i] = Math.max(-FULL_SCALE, Math.min(FULL_SCALE - 1, Math.floor(samples[i]! * FULL_SCALE + 0.5)));
  }
  return into;
}

/** Inverts `toInt16`. */
export function fromInt16(samples: Int16Array): Float32Array<ArrayBuffer> {
  const values = new Float32Array(samples.length);
  for (let i = 0; i < samples.length; i += 1) values[i] = samples[i]! / FULL_SCALE;
  return values;
}

/** Returns the samples as little-endian bytes, without a copy on little-endian machines. */
export function int16Bytes(samples: Int16Array<ArrayBuffer>): Buffer<ArrayBuffer> {
  const bytes = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
  return endianness() === 'BE' ? Buffer.from(bytes).swap16() : bytes;
}

/** Converts to 16-bit little-endian samples, clipped; NaN becomes 0. */
export function toInt16Bytes(samples: Float32Array): Buffer<ArrayBuffer> {
  return int16Bytes(toInt16(samples));
}

/** Inverts `toInt16Bytes`. */
export function fromInt16Bytes(bytes: Uint8Array): Float32Array<ArrayBuffer> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const values = new Float32Array(bytes.length >> 1);
  for (let i = 0; i < values.length; i += 1) values[i] = view.getInt16(i * 2, true) / FULL_SCALE;
  return values;
}
