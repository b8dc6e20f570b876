import { expect, it } from 'vitest';
import { decodeG711 } from './g711.ts';

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
