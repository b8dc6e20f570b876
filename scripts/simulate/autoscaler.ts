/**
 * How processes are added and removed: the rules of KEDA with a Kubernetes autoscaler behind it, as
 * in deploy/helm.
 */
export interface Scaling {
  minProcesses: number;
  maxProcesses: number;
  /** Jobs, waiting or running, that each process should have. */
  jobsPerProcess: number;
  /** Seconds between two looks at the queue. */
  intervalS: number;
  /** Seconds until a new process takes its first job. */
  startS: number;
  /** Seconds for which a number of processes stays after it was last wanted. */
  coolDownS: number;
}

/** Number of processes that an autoscaler of Kubernetes adds at a time by default. */
const MAY_ADD = 4;

/**
 * Returns the processes wanted at each look: the jobs divided by `jobsPerProcess`, at most twice as
 * many as there are or `MAY_ADD` more. The first after none is added alone, because KEDA itself
 * starts it.
 */
export function createAutoscaler(scaling: Scaling): (atS: number, jobs: number, processes: number) => number {
  const { minProcesses, maxProcesses, jobsPerProcess, coolDownS } = scaling;
  let recent: { atS: number; count: number }[] = [];
  return (atS, jobs, processes) => {
    const count = Math.min(maxProcesses, Math.max(minProcesses, Math.ceil(jobs / jobsPerProcess)));
    recent = recent.filter((look) => look.atS > atS - coolDownS);
    recent.push({ atS, count });
    const mostWanted = Math.max(...recent.map((look) => look.count));
    const mostAllowed = processes === 0 ? Math.max(1, minProcesses) : Math.max(2 * processes, processes + MAY_ADD);
    return count > processes ? Math.min(count, mostAllowed) : Math.min(processes, mostWanted);
  };
}
