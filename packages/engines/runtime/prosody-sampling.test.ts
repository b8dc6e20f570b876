import { describe, expect, it } from 'vitest';
import { createProsodySampler, hashText } from './prosody-sampling.ts';

const draws = (options: { seed?: number; temperature?: number; topP?: number }, count = 4_000) => {
  const sampler = createProsodySampler({ seed: 1, temperature: 1, topP: 1, ...options });
  return Array.from({ length: count }, () => sampler.normal(1));
};
const deviation = (values: readonly number[]) =>
  Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);

describe('random prosody', () => {
  it('is normally distributed around zero', () => {
    const values = draws({});
    expect(Math.abs(values.reduce((sum, value) => sum + value, 0) / values.length)).toBeLessThan(0.05);
    expect(deviation(values)).toBeCloseTo(1, 1);
    expect(values.filter((value) => Math.abs(value) < 1).length / values.length).toBeCloseTo(0.683, 1);
  });

  it('is none at temperature 0 and grows with it, up to a limit', () => {
    expect(draws({ temperature: 0 }, 50).every((value) => value === 0)).toBe(true);
    const once = draws({}, 50);
    expect(draws({ temperature: 1.5 }, 50)).toEqual(once.map((value) => 1.5 * value));
    expect(draws({ temperature: 9 }, 50)).toEqual(draws({ temperature: 2 }, 50));
    expect(draws({ temperature: -1 }, 50).every((value) => value === 0)).toBe(true);
  });

  it.each([
    [0.5, 0.674],
    [0.683, 1],
    [0.95, 1.96],
  ])('with top_p %f stays within the central share: %f deviations', (topP, limit) => {
    const values = draws({ topP });
    expect(Math.max(...values)).toBeCloseTo(limit, 2);
    expect(Math.min(...values)).toBeCloseTo(-limit, 2);
  });

  it('is finite for any top_p', () => {
    for (const topP of [0, 1e-9, 1, 2]) expect(draws({ topP }, 20).every(Number.isFinite)).toBe(true);
  });

  it('is the same for a seed, and different for another', () => {
    expect(draws({ seed: 5 }, 20)).toEqual(draws({ seed: 5 }, 20));
    expect(draws({ seed: 5 }, 20)).not.toEqual(draws({ seed: 6 }, 20));
  });
});

it('texts have numbers of their own, which the seed changes', () => {
  const texts = ['', 'a', 'b', 'ab', 'ba', '你好', '好你', '你好。'];
  expect(new Set(texts.flatMap((text) => [hashText(text, 0), hashText(text, 1)])).size).toBe(2 * texts.length);
  // The value is FNV-1a by its definition.
  expect(hashText('a', 0)).toBe(0xe4_0c_29_2c);
  expect(hashText('foobar', 0)).toBe(0xbf_9c_f9_68);
});
