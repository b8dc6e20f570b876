/** The two laws of ITU-T G.711, which telephone networks use: 8 bits a sample. */
export type G711Law = 'mulaw' | 'alaw';

const TABLES: Record<G711Law, Float32Array> = {
  mulaw: Float32Array.from({ length: 256 }, (_, code) => mulawSample(code) / 32_768),
  alaw: Float32Array.from({ length: 256 }, (_, code) => alawSample(code) / 32_768),
};

/** Decodes samples to −1..1. */
export function decodeG711(bytes: Uint8Array, law: G711Law): Float32Array<ArrayBuffer> {
  const table = TABLES[law];
  return new Float32Array(bytes.length).map((_, at) => table[bytes[at]!]!);
}

/**
 * Encodes samples (−1..1, louder is clipped) to the nearest value of the law; NaN becomes silence.
 */
export function encodeG711(samples: Float32Array, law: G711Law): Uint8Array<ArrayBuffer> {
  const codes = (CODES[law] ??= codesOf(TABLES[law]));
  return new Uint8Array(samples.length).map((_, at) => {
    const sample = samples[at]!;
    const value = Number.isNaN(sample) ? 0 : Math.round(sample * FULL_SCALE);
    return codes[Math.max(0, Math.min(2 * FULL_SCALE - 1, value + FULL_SCALE))]!;
  });
}

const FULL_SCALE = 32_768;
/** The code of each 16-bit sample, made when the law is first used. */
const CODES: Partial<Record<G711Law, Uint8Array>> = {};

function codesOf(table: Float32Array): Uint8Array {
  const steps = [...table]
    .map((value, code) => ({ code, value: value * FULL_SCALE }))
    .sort((left, right) => left.value - right.value);
  const codes = new Uint8Array(2 * FULL_SCALE);
  let at = 0;
  for (let sample = -FULL_SCALE; sample < FULL_SCALE; sample += 1) {
    while (at + 1 < steps.length && steps[at + 1]!.value - sample <= sample - steps[at]!.value) at += 1;
    codes[sample + FULL_SCALE] = steps[at]!.code;
  }
  return codes;
}

function mulawSample(code: number): number {
  const bits = ~code & 0xff;
  const exponent = (bits >> 4) & 7;
  const magnitude = (((bits & 15) << 3) + 132) * 2 ** exponent - 132;
  return (bits & 0x80) === 0 ? magnitude : -magnitude;
}

function alawSample(code: number): number {
  const bits = code ^ 0x55;
  const exponent = (bits >> 4) & 7;
  const mantissa = (bits & 15) * 16 + 8;
  const magnitude = exponent === 0 ? mantissa : (mantissa + 256) * 2 ** (exponent - 1);
  return (bits & 0x80) === 0 ? -magnitude : magnitude;
}
