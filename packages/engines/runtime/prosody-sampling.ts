import { createRandom } from '@jyutsing/numeric/random';

/** Random variation of one piece; all values are 0 at temperature 0. */
export type ProsodySampler = {
  /**
   * Draws from a normal distribution with this standard deviation at temperature 1, clipped by
   * top_p.
   */
  normal(deviation: number): number;
};

/** Largest number of standard deviations, which preserves tones and words. */
const WIDEST = 2;

/**
 * Creates a sampler whose spread is the temperature, as in sampling from a language model; `topP`
 * keeps the central share of the distribution. Deterministic for a seed.
 */
export function createProsodySampler({
  seed,
  temperature,
  topP,
}: {
  seed: number;
  temperature: number;
  topP: number;
}): ProsodySampler {
  const random = createRandom(seed);
  const scale = Math.min(WIDEST, Math.max(0, temperature));
  const limit = normalQuantile((1 + Math.min(0.9999, Math.max(0.0001, topP))) / 2);
  return {
    normal(deviation) {
      // Always consume two numbers, so that the temperature changes only the spread of the draws.
      const radius = Math.sqrt(-2 * Math.log(1 - random()));
      const draw = radius * Math.cos(2 * Math.PI * random());
      return scale * deviation * Math.max(-limit, Math.min(limit, draw));
    },
  };
}

/** Hashes a text with FNV-1a, so that two pieces with one seed vary differently. */
export function hashText(text: string, seed: number): number {
  let hash = (2_166_136_261 ^ seed) >>> 0;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619) >>> 0;
  return hash;
}

/**
 * Computes the quantile of the normal distribution for shares above one half (Abramowitz and Stegun
 * 26.2.23).
 */
function normalQuantile(share: number): number {
  const t = Math.sqrt(-2 * Math.log(1 - share));
  return t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
}
