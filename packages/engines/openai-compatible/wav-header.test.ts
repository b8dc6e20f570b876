import { describe, expect, it } from 'vitest';
import { readWavHeader } from './wav-header.ts';

/** Makes a chunk; `declared` is the size in its header. */
function chunk(tag: string, body: readonly number[], declared = body.length): number[] {
  return [...Buffer.from(tag), ...uint32(declared), ...body, ...(body.length % 2 === 1 ? [0] : [])];
}

const uint16 = (value: number) => [value & 0xff, value >> 8];
const uint32 = (value: number) => [...uint16(value & 0xffff), ...uint16(value >>> 16)];

/**
 * Makes the fields of `fmt ` in order: kind, channels, rate, bytes a second, bytes a frame, bits.
 */
function format({ kind = 1, channels = 1, rateHz = 24_000, bits = 16, extension = [] as number[] } = {}): number[] {
  const frame = (channels * bits) / 8;
  return [
    uint16(kind),
    uint16(channels),
    uint32(rateHz),
    uint32((rateHz * frame) >>> 0),
    uint16(frame & 0xffff),
    uint16(bits),
    extension,
  ].flat();
}

const riff = (...chunks: number[][]) =>
  Uint8Array.from([...chunk('RIFF', []), ...Buffer.from('WAVE'), ...chunks.flat()]);
const fails = expect.objectContaining({ code: 'engine_failed' });

it('reads the 44 bytes that most programs write', () => {
  expect(readWavHeader(riff(chunk('fmt ', format()), chunk('data', [], 960)))).toEqual({
    format: { kind: 'integer', bytes: 2, channels: 1 },
    sampleRateHz: 24_000,
    headerBytes: 44,
    dataBytes: 960,
  });
});

describe('the format of samples', () => {
  it.each([
    [{ bits: 8 }, { kind: 'integer', bytes: 1, channels: 1 }],
    [
      { bits: 24, channels: 2 },
      { kind: 'integer', bytes: 3, channels: 2 },
    ],
    [{ bits: 32 }, { kind: 'integer', bytes: 4, channels: 1 }],
    [
      { bits: 32, kind: 3 },
      { kind: 'float', bytes: 4, channels: 1 },
    ],
    [
      { bits: 64, kind: 3, channels: 8 },
      { kind: 'float', bytes: 8, channels: 8 },
    ],
    // The extensible form has 2 bytes of size, 2 of valid bits, 4 of speakers, then the kind.
    [
      { kind: 0xfffe, bits: 32, extension: [22, 0, 32, 0, 0, 0, 0, 0, 3, 0] },
      { kind: 'float', bytes: 4, channels: 1 },
    ],
    [
      { kind: 0xfffe, bits: 16, extension: [22, 0, 16, 0, 0, 0, 0, 0, 1, 0] },
      { kind: 'integer', bytes: 2, channels: 1 },
    ],
  ])('%o', (fields, expected) => {
    expect(readWavHeader(riff(chunk('fmt ', format(fields)), chunk('data', [])))?.format).toEqual(expected);
  });

  it.each([
    [{ kind: 2 }],
    [{ kind: 6, bits: 8 }],
    [{ kind: 3, bits: 16 }],
    [{ bits: 12 }],
    [{ bits: 0 }],
    [{ bits: 64 }],
    [{ channels: 0 }],
    [{ channels: 9 }],
    [{ rateHz: 3_999 }],
    [{ rateHz: 192_001 }],
    [{ kind: 0xfffe }],
    [{ kind: 0xfffe, extension: [22, 0, 16, 0, 0, 0, 0, 0, 2, 0] }],
  ])('refuses %o', (fields) => {
    expect(() => readWavHeader(riff(chunk('fmt ', format(fields)), chunk('data', [])))).toThrow(fails);
  });

  it.each([4_000, 192_000])('takes %d Hz', (rateHz) => {
    expect(readWavHeader(riff(chunk('fmt ', format({ rateHz })), chunk('data', [])))?.sampleRateHz).toBe(rateHz);
  });
});

it.each([
  [0, null],
  [1, 1],
  [0x7ffe_ffff, 0x7ffe_ffff],
  [0x7fff_0000, null],
  [0x7fff_ffff, null],
  [0xffff_ffff, null],
])('takes the size %d of the audio as %o', (declared, dataBytes) => {
  expect(readWavHeader(riff(chunk('fmt ', format()), chunk('data', [], declared)))?.dataBytes).toBe(dataBytes);
});

it.each([
  [[1, 2, 3, 4], 12],
  // A byte of padding follows an odd length.
  [[1, 2, 3], 12],
  [[], 8],
])('skips other chunks: %o', (body, bytes) => {
  const header = readWavHeader(riff(chunk('LIST', body), chunk('fmt ', format()), chunk('data', [], 2)));
  expect(header?.headerBytes).toBe(44 + bytes);
});

it('waits for the whole header, however it is cut', () => {
  const complete = riff(chunk('LIST', [1, 2, 3]), chunk('fmt ', format()), chunk('data', [], 960));
  for (let length = 0; length < complete.length; length += 1)
    expect(readWavHeader(complete.subarray(0, length))).toBeNull();
  expect(readWavHeader(complete)?.headerBytes).toBe(complete.length);
});

it('reads a header in the middle of a larger buffer', () => {
  const complete = riff(chunk('fmt ', format()), chunk('data', [], 960));
  const buffer = new Uint8Array(complete.length + 7);
  buffer.set(complete, 7);
  expect(readWavHeader(buffer.subarray(7))).toEqual(readWavHeader(complete));
});

it.each([
  ['audio before the format', riff(chunk('data', [], 2), chunk('fmt ', format()))],
  ['a chunk that would never end', riff(chunk('LIST', [], 65_537))],
  ['a format that would never end', riff(chunk('fmt ', format(), 0xffff_ffff))],
  ['zeros', new Uint8Array(70_000)],
  ['many empty chunks', riff(...Array.from({ length: 9_000 }, () => chunk('junk', [])))],
])('refuses %s', (_what, bytes) => {
  expect(() => readWavHeader(bytes)).toThrow(fails);
});
