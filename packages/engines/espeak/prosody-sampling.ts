/** Random draws for one piece; all are 0 (nothing varies) where the temperature is 0. */
export type ProsodySampler = {
  /** From a normal distribution of this standard deviation at a temperature of 1, its tails clipped by top_p. */
  normal(deviation: number): number;
};

/** Deviations grow no further from here on: what is said must stay what it is. */
const WIDEST = 2;

/**
 * Draws whose spread is the temperature, as with the sampling of a language model; `topP` keeps the middle share of the distribution
 * that holds that much of it. The same seed gives the same draws.
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
  const random = mulberry32(seed);
  const scale = Math.min(WIDEST, Math.max(0, temperature));
  const limit = normalQuantile((1 + Math.min(0.9999, Math.max(0.0001, topP))) / 2);
  return {
    normal(deviation) {
      // Always two numbers of the sequence, so that a change of the temperature changes only how far draws lie apart.
      const radius = Math.sqrt(-2 * Math.log(1 - random()));
      const draw = radius * Math.cos(2 * Math.PI * random());
      return scale * deviation * Math.max(-limit, Math.min(limit, draw));
    },
  };
}

/** FNV-1a: a number for a text, so that two pieces with one seed do not vary alike. */
export function hashText(text: string, seed: number): number {
  let hash = (2_166_136_261 ^ seed) >>> 0;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619) >>> 0;
  return hash;
}

function mulberry32(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Where the normal distribution has so much of itself below, for shares above one half (Abramowitz and Stegun 26.2.23). */
function normalQuantile(share: number): number {
  const t = Math.sqrt(-2 * Math.log(1 - share));
  return t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
}
