/**
 * Pseudo-random numbers in [0, 1) from a 32-bit seed (mulberry32 by T. Ettinger), reproducible on
 * any platform.
 */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Draws an evenly distributed number of a range: its least, and its most, which is excluded. */
export function drawBetween(random: () => number, [low, high]: readonly [number, number]): number {
  return low + (high - low) * random();
}
