import { expect, it } from 'vitest';
import { decodeG711, encodeG711 } from './g711.ts';

// Values of the tables in ITU-T G.711, scaled to 16 bits.
it.each([
  ['mulaw', 0xff, 0],
  ['mulaw', 0x00, -32_124],
  ['mulaw', 0x80, 32_124],
  ['mulaw', 0xf0, 120],
  ['alaw', 0xd5, 8],
  ['alaw', 0x55, -8],
  ['alaw', 0xaa, 32_256],
  ['alaw', 0x2a, -32_256],
  ['alaw', 0xc5, 264],
] as const)('%s %i is %i', (law, code, sample) => {
  expect(decodeG711(Uint8Array.of(code), law)[0]! * 32_768).toBe(sample);
});

it.each(['mulaw', 'alaw'] as const)('%s encodes each of its values as itself, and others as the nearest', (law) => {
  const everyCode = Uint8Array.from({ length: 256 }, (_, code) => code);
  // One law has two codes for silence.
  const values = decodeG711(everyCode, law).map((value) => value + 0);
  expect(decodeG711(encodeG711(values, law), law)).toEqual(values);
  for (const sample of [-2, -1, -0.5, -0.01, 0, 0.003, 0.7, 1, 9]) {
    const clipped = Math.max(-1, Math.min(1, sample));
    const nearest = Math.min(...values.map((value) => Math.abs(value - clipped)));
    const [decoded = Number.NaN] = decodeG711(encodeG711(Float32Array.of(sample), law), law);
    // A sample of 16 bits is as exact as the law can be.
    expect(Math.abs(decoded - clipped)).toBeLessThanOrEqual(nearest + 2 / 32_768);
  }
  expect(decodeG711(encodeG711(Float32Array.of(Number.NaN), law), law)[0]).toBeCloseTo(0, 3);
});
