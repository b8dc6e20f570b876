import { AppError } from '@jyutsing/contracts/errors';

/** Jobs on workers that share the processors of one machine. */
export interface SharedPlan {
  /** In the order of arrival; `aloneS`: seconds of work while no other worker is busy. */
  jobs: readonly { arrivedS: number; aloneS: number }[];
  /** Each has one job at a time. */
  workers: number;
  processors: number;
  /** Processors that everything together uses for each busy worker, were there enough of them. */
  perWorker: number;
}

/**
 * Seconds from arrival to end of each job, first come, first served. Busy workers go on at the same
 * speed, which falls when they would use more processors than there are (processor sharing).
 */
export function simulateSharing({ jobs, workers, processors, perWorker }: SharedPlan): number[] {
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
    const speed = Math.min(1, processors / (running.length * perWorker));
    if (!(speed > 0)) throw new AppError('invalid_parameter', 'The processors that a worker uses are no number.');
    const nextEndS = nowS + Math.min(...running.map(({ leftS }) => leftS)) / speed;
    const canStart = running.length < workers && started < jobs.length;
    const untilS = Math.min(nextEndS, canStart ? jobs[started]!.arrivedS : Infinity);
    // Rounding could leave a job with a little work for ever.
    const ended = untilS === nextEndS ? Math.min(...running.map(({ leftS }) => leftS)) : -Infinity;
    for (const each of running.splice(0)) {
      if (each.leftS <= ended) tookS[each.job] = untilS - jobs[each.job]!.arrivedS;
      else running.push({ ...each, leftS: each.leftS - (untilS - nowS) * speed });
    }
    nowS = untilS;
  }
  return tookS;
}
