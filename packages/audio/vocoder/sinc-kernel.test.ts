import { describe, expect, it } from 'vitest';
import { kernelFor, PHASES } from './sinc-kernel.ts';

type Kernel = ReturnType<typeof kernelFor>;

const row = ({ reach, table }: Kernel, phase: number) => [
  ...table.subarray(phase * 2 * reach, (phase + 1) * 2 * reach),
];

/** Computes the amplitude that a cosine of this frequency keeps at its peak. */
function gain(kernel: Kernel, phase: number, frequencyHz: number, rateHz: number): number {
  return row(kernel, phase).reduce((sum, weight, j) => {
    const distance = j - kernel.reach + 1 - phase / PHASES;
    return sum + weight * Math.cos((2 * Math.PI * frequencyHz * distance) / rateHz);
  }, 0);
}

describe.each([
  [16_000, 48_000],
  [24_000, 24_000],
  [44_100, 16_000],
  [48_000, 16_000],
])('a kernel from %i Hz to %i Hz', (fromHz, toHz) => {
  const kernel = kernelFor(fromHz, toHz);
  const nyquistHz = Math.min(fromHz, toHz) / 2;

  it('keeps constant and low sound at every phase', () => {
    for (let phase = 0; phase <= PHASES; phase += 32) {
      expect(gain(kernel, phase, 0, fromHz)).toBeCloseTo(1, 2);
      expect(gain(kernel, phase, nyquistHz / 2, fromHz)).toBeCloseTo(1, 2);
    }
  });

  it('mirrors the phases', () => {
    for (const phase of [0, 1, 100, PHASES]) {
      const mirrored = row(kernel, PHASES - phase).toReversed();
      row(kernel, phase).forEach((weight, j) => expect(weight).toBeCloseTo(mirrored[j]!, 12));
    }
  });
});

it('removes what the lower rate cannot hold', () => {
  const kernel = kernelFor(48_000, 16_000);
  for (const frequencyHz of [10_000, 12_000, 20_000]) {
    expect(Math.abs(gain(kernel, 0, frequencyHz, 48_000))).toBeLessThan(0.01);
  }
});

it('reaches 16 samples of the lower rate to either side', () => {
  expect(kernelFor(16_000, 48_000).reach).toBe(16);
  expect(kernelFor(48_000, 16_000).reach).toBe(48);
  expect(kernelFor(44_100, 16_000).reach).toBe(45);
});
