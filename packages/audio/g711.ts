/** The two laws of ITU-T G.711, which telephone networks use: 8 bits a sample. */
export type G711Law = 'mulaw' | 'alaw';

const TABLES: Record<G711Law, Float32Array> = {
  mulaw: Float32Array.from({ length: 256 }, (_, code) => mulawSample(code) / 32_768),
  alaw: Float32Array.from({ length: 256 }, (_, code) => alawSample(code) / 32_768),
};

/** Decodes samples to −1..1. */
export function decodeG711(bytes: Uint8Array, law: G711Law): Float32Array<ArrayBuffer> {
  const table = TABLES[law];
  return Float32Array.from(bytes, (code) => table[code]!);
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
