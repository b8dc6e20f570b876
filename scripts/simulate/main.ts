/**
 * Predicts how long jobs wait for a worker: `npm run simulate -- --per-hour 1000 --service-s 3
 * --workers 2`. The load follows a day, and no autoscaling, database or polling is simulated.
 */
import { parseArgs } from 'node:util';
import { exponential, seededRandom, simulateQueue } from './queue.ts';

const { values } = parseArgs({
  options: {
    /** Jobs per hour on average over the day. */
    'per-hour': { type: 'string', default: '1000' },
    /** Seconds of work on a job, on average; the lengths are exponentially distributed. */
    'service-s': { type: 'string', default: '3' },
    workers: { type: 'string', default: '2' },
    /** Rate at the busiest hour above the mean, as a part of it: 0 is a flat day. */
    swing: { type: 'string', default: '0.8' },
    seed: { type: 'string', default: '1' },
  },
});

const DAY_S = 24 * 3600;
const [perHour, serviceMeanS, workers, swing, seed] = (
  ['per-hour', 'service-s', 'workers', 'swing', 'seed'] as const
).map((name) => {
  const value = Number(values[name]);
  if (Number.isFinite(value) && value >= 0) return value;
  console.error(`--${name} must be a number of at least 0`);
  process.exit(2);
}) as [number, number, number, number, number];
if (perHour === 0 || !Number.isInteger(workers) || workers === 0 || swing > 1) {
  console.error('--per-hour must be above 0, --workers a whole number above 0, --swing at most 1');
  process.exit(2);
}

const random = seededRandom(seed);
const peakPerS = (perHour / 3600) * (1 + swing);

/** Thins a Poisson process at the peak's rate to the rate of the time of day. */
function nextArrivalS(afterS: number): number {
  for (let atS = afterS; ;) {
    atS += exponential(1 / peakPerS, random);
    const relativeRate = 1 - swing * Math.cos((2 * Math.PI * atS) / DAY_S);
    if (atS >= DAY_S || random() * (1 + swing) < relativeRate) return atS;
  }
}

const { waitsS, busyS, endS } = simulateQueue({
  nextArrivalS,
  serviceS: () => exponential(serviceMeanS, random),
  workers,
  durationS: DAY_S,
});
const sorted = Float64Array.from(waitsS).sort();
const quantile = (part: number) => (sorted[Math.ceil(part * sorted.length) - 1] ?? 0).toFixed(2);
console.log(`jobs                ${sorted.length}`);
console.log(`waiting p50/p95/p99 ${quantile(0.5)} / ${quantile(0.95)} / ${quantile(0.99)} s`);
console.log(`utilization         ${((100 * busyS) / (workers * endS)).toFixed(1)} % over the day`);
console.log(`load at the peak    ${((100 * peakPerS * serviceMeanS) / workers).toFixed(1)} % of the workers`);
