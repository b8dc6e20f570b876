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
