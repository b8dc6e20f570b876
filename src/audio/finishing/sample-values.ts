/** Softer than anything that can be heard or written; such numbers only make filters slow. */
const INAUDIBLE = 1e-15;
const FULL_SCALE = 32_768;

/** The same sound within −1..1: what is not a number is silence, what is louder than full scale is full scale. */
export function withinFullScale(samples: Float32Array): Float32Array<ArrayBuffer> {
  return Float32Array.from(samples, (sample) => {
    if (sample > 1) return 1;
    if (sample < -1) return -1;
    return Math.abs(sample) >= INAUDIBLE ? sample : 0;
  });
}

/** 16-bit samples, little endian; what would not fit is full scale. */
export function toInt16Bytes(samples: Float32Array): Buffer<ArrayBuffer> {
  const bytes = Buffer.from(new ArrayBuffer(samples.length * 2));
  for (let i = 0; i < samples.length; i += 1) {
    const value = Math.round((samples[i] ?? 0) * FULL_SCALE);
    bytes.writeInt16LE(Math.min(FULL_SCALE - 1, Math.max(-FULL_SCALE, value)) || 0, i * 2);
  }
  return bytes;
}
