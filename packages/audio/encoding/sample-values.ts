import { endianness } from 'node:os';

/** Below any audible or written level; denormal numbers would slow filters down. */
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

/** Converts to 16-bit little-endian samples, clipped; NaN becomes 0. */
export function toInt16Bytes(samples: Float32Array): Buffer<ArrayBuffer> {
  const values = new Int16Array(samples.length);
  for (let i = 0; i < samples.length; i += 1) {
    const value = Math.round(samples[i]! * FULL_SCALE);
    values[i] = value >= FULL_SCALE ? FULL_SCALE - 1 : value < -FULL_SCALE ? -FULL_SCALE : value;
  }
  const bytes = Buffer.from(values.buffer);
  return endianness() === 'BE' ? bytes.swap16() : bytes;
}

/** The inverse of `toInt16Bytes`. */
export function fromInt16Bytes(bytes: Uint8Array): Float32Array<ArrayBuffer> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float32Array.from({ length: bytes.length >> 1 }, (_, i) => view.getInt16(i * 2, true) / FULL_SCALE);
}
