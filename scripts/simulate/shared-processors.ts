import { AppError } from '@jyutsing/contracts/errors';

/** The speed of a worker while this many workers are busy; 1 for one alone. */
export type SpeedWith = (busy: number) => number;

/** Jobs on workers of one machine, which slow one another down. */
export interface SharedPlan {
  /** In the order of arrival; `aloneS`: seconds of work while no other worker is busy. */
  jobs: readonly { arrivedS: number; aloneS: number }[];
  /** Each has one job at a time. */
  workers: number;
  speedWith: SpeedWith;
}

/**
 * Returns the speed of workers that share processors: it falls when they would use more than there
 * are. `perWorker`: the processors that a busy worker and all work for it would use, if there were
 * enough.
 */
export function sharing(processors: number, perWorker: number): SpeedWith {
  return (busy) => Math.min(1, processors / (busy * perWorker));
}

/** Seconds from arrival to end of each job, first come, first served; all workers are as fast. */
export function simulateSharing({ jobs, workers, speedWith }: SharedPlan): number[] {
  const tookS: number[] = [];
  /** Jobs that run, with their seconds alone that are left. */
  const running: { job: number; leftS: number }[] = [];
  let started = 0;
  let nowS = 0;
  while (started < jobs.length || running.length > 0) {
    while (running.length < workers && started < jobs.length && jobs[started]!.arrivedS <= nowS) {
      running.push({ job: started, leftS: jobs[started]!.aloneS });
      started += 1;
    }
    const speed = speedWith(running.length);
    if (!(speed > 0)) throw new AppError('invalid_parameter', 'The speed of the workers is no number above 0.');
    const nextEndS = nowS + Math.min(...running.map(({ leftS }) => leftS)) / speed;
    const canStart = running.length < workers && started < jobs.length;
    const untilS = Math.min(nextEndS, canStart ? jobs[started]!.arrivedS : Infinity);
    // Rounding could leave a job with a little work for ever.
    const ended = untilS === nextEndS ? Math.min(...running.map(({ leftS }) => leftS)) : -Infinity;
    for (const current of running.splice(0)) {
      if (current.leftS <= ended) tookS[current.job] = untilS - jobs[current.job]!.arrivedS;
      else running.push({ ...current, leftS: current.leftS - (untilS - nowS) * speed });
    }
    nowS = untilS;
  }
  return tookS;
}
