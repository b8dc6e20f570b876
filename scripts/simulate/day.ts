import { exponential } from './random.ts';

const DAY_S = 24 * 3_600;

export type Day = {
  /** Jobs per hour on average over the day. */
  perHour: number;
  /** Rate at the busiest time above the mean, as a part of it: 0 is a flat day. */
  swing: number;
};

export function peakPerSecond({ perHour, swing }: Day): number {
  return (perHour / 3_600) * (1 + swing);
}

/**
 * Times of arrival over days that begin at their quietest time: a Poisson process at the rate of
 * the peak, thinned to the rate of the time of day.
 */
export function dailyArrivals(day: Day, random: () => number): (afterS: number) => number {
  const peak = peakPerSecond(day);
  return (afterS) => {
    for (let atS = afterS; ;) {
      atS += exponential(1 / peak, random);
      const relativeRate = 1 - day.swing * Math.cos((2 * Math.PI * atS) / DAY_S);
      if (random() * (1 + day.swing) < relativeRate) return atS;
    }
  };
}
