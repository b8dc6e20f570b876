/** Generates numbers from 0 to below 1; equal seeds give equal numbers (Mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Samples an exponential distribution of the given mean by inversion. */
export function exponential(mean: number, random: () => number): number {
  return -mean * Math.log(1 - random());
}

/** Times of `count` events of a Poisson process, in seconds from 0. */
export function poissonTimes(count: number, perSecond: number, random: () => number): number[] {
  let atS = 0;
  return Array.from({ length: count }, (_, index) => {
    if (index > 0) atS += exponential(1 / perSecond, random);
    return atS;
  });
}
