/** Distribution of the seconds between two arrivals, or of the seconds of work on a job. */
export type Seconds = () => number;

/** A queue in front of workers; jobs are taken in the order of their arrival. */
export interface QueuePlan {
  /** Time of the next arrival after a time, both in seconds since the start. */
  nextArrivalS: (afterS: number) => number;
  serviceS: Seconds;
  /** Workers, each with one job at a time. */
  workers: number;
  /** Jobs that arrive after this many seconds are left out. */
  durationS: number;
}

/** What became of the jobs; every job that arrived is finished. */
export interface QueueOutcome {
  /** Seconds that each job waited for a worker, in the order of arrival. */
  waitsS: number[];
  /** Seconds of work on all jobs together. */
  busyS: number;
  /** Time of the last completion, or the duration of the plan if that is later. */
  endS: number;
}

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

/** Simulates first come, first served: each job goes to the worker that is free first. */
export function simulateQueue(plan: QueuePlan): QueueOutcome {
  const freeAtS = new Float64Array(plan.workers);
  const waitsS: number[] = [];
  let busyS = 0;
  let endS = plan.durationS;
  for (let atS = plan.nextArrivalS(0); atS < plan.durationS; atS = plan.nextArrivalS(atS)) {
    const startS = Math.max(atS, freeAtS[0]!);
    const serviceS = plan.serviceS();
    waitsS.push(startS - atS);
    busyS += serviceS;
    endS = Math.max(endS, startS + serviceS);
    replaceSmallest(freeAtS, startS + serviceS);
  }
  return { waitsS, busyS, endS };
}

/** Replaces the first element of a binary heap, which is its smallest, and restores the order. */
function replaceSmallest(heap: Float64Array, value: number): void {
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child + 1 < heap.length && heap[child + 1]! < heap[child]!) child += 1;
    if (child >= heap.length || heap[child]! >= value) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = value;
}
