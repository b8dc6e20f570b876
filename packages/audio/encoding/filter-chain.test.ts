import { describe, expect, test } from 'vitest';
import { createFilterChain, type FilterChain } from './filter-chain.ts';

const RATE_HZ = 16_000;
const sine = (count: number, hz = 440, level = 0.5) =>
  Float32Array.from({ length: count }, (_, index) => level * Math.sin((2 * Math.PI * hz * index) / RATE_HZ));
const rms = (samples: Float32Array) =>
  Math.sqrt(samples.reduce((sum, value) => sum + value * value, 0) / samples.length);

/** Returns all samples that a chain outputs for these pieces. */
function pass(chain: FilterChain, pieces: readonly Float32Array[]): Float32Array {
  try {
    const output = [...pieces.map((piece) => chain.push(piece)), chain.flush()];
    return Float32Array.from(output.flatMap((piece) => [...piece]));
  } finally {
    chain.close();
  }
}
const VOLUME = ['volume', 'volume=0.5'] as const;

describe('a chain of filters', () => {
  test('changes the samples and keeps their number', () => {
    const input = sine(4_000);
    const output = pass(createFilterChain([VOLUME, ['aformat', 'sample_fmts=flt']], RATE_HZ), [input]);
    expect(output).toHaveLength(4_000);
    expect(rms(output) / rms(input)).toBeCloseTo(0.5, 3);
  });

  test('gives the same whatever the pieces', () => {
    const input = sine(5_000);
    const make = (size: number) => {
      const pieces = Array.from({ length: Math.ceil(5_000 / size) }, (_, at) =>
        input.subarray(at * size, (at + 1) * size),
      );
      return pass(
        createFilterChain(
          [
            ['highpass', 'f=200'],
            ['aformat', 'sample_fmts=flt'],
          ],
          RATE_HZ,
        ),
        pieces,
      );
    };
    const complete = make(5_000);
    for (const size of [1_000, 333, 37]) {
      const output = make(size);
      expect(output).toHaveLength(complete.length);
      expect(Math.max(...output.map((value, index) => Math.abs(value - complete[index]!)))).toBeLessThan(1e-5);
    }
  });

  test('applies its filters one after another', () => {
    const output = pass(createFilterChain([VOLUME, VOLUME, ['aformat', 'sample_fmts=flt']], RATE_HZ), [sine(2_000)]);
    expect(rms(output) / rms(sine(2_000))).toBeCloseTo(0.25, 3);
  });

  test('of nothing gives nothing', () => {
    expect(pass(createFilterChain([VOLUME], RATE_HZ), [])).toHaveLength(0);
    expect(pass(createFilterChain([VOLUME], RATE_HZ), [new Float32Array(0)])).toHaveLength(0);
  });

  test('keeps the samples of the caller', () => {
    const input = sine(500);
    const before = [...input];
    pass(createFilterChain([VOLUME], RATE_HZ), [input]);
    expect([...input]).toEqual(before);
  });

  test('tells what its filters measured', () => {
    const chain = createFilterChain(
      [
        ['astats', 'metadata=1:reset=0'],
        ['aformat', 'sample_fmts=flt'],
      ],
      RATE_HZ,
    );
    chain.push(sine(4_000));
    chain.flush();
    const metadata = chain.metadata();
    chain.close();
    // A sine of amplitude 0.5 has a peak of −6.02 dB.
    expect(Number(metadata['lavfi.astats.Overall.Peak_level'])).toBeCloseTo(-6.02, 1);
  });

  test('may be closed twice', () => {
    const chain = createFilterChain([VOLUME], RATE_HZ);
    chain.close();
    expect(() => chain.close()).not.toThrow();
  });
});

test.each([
  [[['no-such-filter']], 'a missing filter'],
  [[['volume', 'no_such_option=1']], 'a missing option'],
  [[['volume', 'volume=???']], 'a bad value'],
  [[['scale', '10:10']], 'a filter of pictures'],
] as const)('%j is refused: %s', (steps, _reason) => {
  expect(() => createFilterChain(steps, RATE_HZ)).toThrow(expect.objectContaining({ code: 'engine_failed' }));
});
