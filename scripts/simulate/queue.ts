import { createAutoscaler, type Scaling } from './autoscaler.ts';
import { createEventHeap } from './event-heap.ts';

/** A queue in front of workers; jobs are taken in the order of their arrival. */
export interface QueuePlan {
  /** Time of the next arrival after a time, both in seconds since the start. */
  nextArrivalS: (afterS: number) => number;
  /** Seconds of work on the next job, asked for in the order of arrival. */
  serviceS: () => number;
  /** Workers of each process, each with one job at a time. */
  workersPerProcess: number;
  /** The number of processes, or the rule by which it follows the queue. */
  processes: number | Scaling;
  /** Jobs that the queue hands out per second; Infinity: no limit. */
  jobsPerS: number;
  /** Jobs that arrive after this many seconds are left out. */
  durationS: number;
}

/** The times of the jobs; every job that arrived is finished. */
export interface QueueOutcome {
  /** Seconds that each job waited for a worker, in the order of arrival. */
  waitsS: number[];
  /** Seconds from the arrival of each job to its end, in the order of arrival. */
  tookS: number[];
  /** Seconds of work on all jobs together. */
  busyS: number;
  /** Seconds of all workers together, from the start of their process to its end. */
  workerS: number;
  mostWorkers: number;
  /** Time of the last completion, or the duration of the plan if that is later. */
  endS: number;
}

type Event = 'end of a job' | 'look at the queue' | 'hand out' | 'process is ready';

/**
 * Simulates first come, first served. A process that is to end takes no new job; its workers that
 * are busy end with their job, and count until then.
 */
export function simulateQueue(plan: QueuePlan): QueueOutcome {
  const { workersPerProcess, processes: size, jobsPerS, durationS } = plan;
  const scaling = typeof size === 'number' ? null : size;
  const wantedAt = scaling === null ? null : createAutoscaler(scaling);
  const events = createEventHeap<Event>();
  const outcome: QueueOutcome = { waitsS: [], tookS: [], busyS: 0, workerS: 0, mostWorkers: 0, endS: durationS };
  const arrivalsS: number[] = [];
  /** Index of the job that waits longest. */
  let nextJob = 0;
  let processes = scaling?.minProcesses ?? (size as number);
  let idle = processes * workersPerProcess;
  let busy = 0;
  let starting = 0;
  /** Number of workers that end when they are free, because their process is not wanted. */
  let surplus = 0;
  let handOutFromS = 0;
  let isHandOutPlanned = false;
  let nowS = 0;

  const handOut = () => {
    while (idle > 0 && nextJob < arrivalsS.length) {
      if (nowS < handOutFromS) {
        if (!isHandOutPlanned) events.add(handOutFromS, 'hand out');
        isHandOutPlanned = true;
        return;
      }
      handOutFromS = nowS + 1 / jobsPerS;
      const serviceS = plan.serviceS();
      const waitS = nowS - arrivalsS[nextJob]!;
      outcome.waitsS.push(waitS);
      outcome.tookS.push(waitS + serviceS);
      outcome.busyS += serviceS;
      nextJob += 1;
      idle -= 1;
      busy += 1;
      events.add(nowS + serviceS, 'end of a job');
    }
  };
  const removeSurplus = () => {
    const removed = Math.min(idle, surplus);
    idle -= removed;
    surplus -= removed;
  };
  const scale = (target: number) => {
    const added = target - processes;
    processes = target;
    if (added < 0) surplus -= added * workersPerProcess;
    for (let index = 0; index < added; index += 1) {
      starting += workersPerProcess;
      events.add(nowS + scaling!.startS, 'process is ready');
    }
    removeSurplus();
  };
  const handle: Record<Event, () => void> = {
    'end of a job': () => {
      busy -= 1;
      idle += 1;
      removeSurplus();
    },
    'process is ready': () => {
      starting -= workersPerProcess;
      idle += workersPerProcess;
      removeSurplus();
    },
    'look at the queue': () => {
      scale(wantedAt!(nowS, arrivalsS.length - nextJob + busy, processes));
      events.add(nowS + scaling!.intervalS, 'look at the queue');
    },
    'hand out': () => {
      isHandOutPlanned = false;
    },
  };

  if (scaling !== null) events.add(scaling.intervalS, 'look at the queue');
  let arrivalS = plan.nextArrivalS(0);
  const isOver = () => arrivalS >= durationS && nextJob === arrivalsS.length && busy === 0;
  while (!isOver() || nowS < durationS) {
    const hasArrival = arrivalS < durationS && arrivalS <= events.nextS();
    const untilS = hasArrival ? arrivalS : Math.min(events.nextS(), isOver() ? durationS : Infinity);
    const workers = idle + busy + starting;
    outcome.mostWorkers = Math.max(outcome.mostWorkers, workers);
    outcome.workerS += workers * (untilS - nowS);
    nowS = untilS;
    if (hasArrival) {
      arrivalsS.push(arrivalS);
      arrivalS = plan.nextArrivalS(arrivalS);
    } else if (events.nextS() <= nowS) handle[events.take()]();
    handOut();
  }
  outcome.endS = nowS;
  return outcome;
}
