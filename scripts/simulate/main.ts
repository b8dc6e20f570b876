// `npm run simulate`: how long recordings wait over a day; `-- --scale 1,10,100,10000`: what breaks
// first; `-- --compare FILE`: the prediction beside what `npm run cluster-test -- --json FILE`
// measured; `-- --costs`: what it counts with.
import { readFile } from 'node:fs/promises';
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { printComparison } from './compare-report.ts';
import { COSTS, printCosts } from './costs.ts';
import { printDay } from './day-report.ts';
import { readLengths } from './lengths.ts';
import type { MeasuredRun } from './measured-runs.ts';
import { createRandom } from '#packages/numeric/random.ts';
import { printScaled, scaleBy } from './scale.ts';

const OPTIONS = {
  /** Recordings per hour on average over the day. */
  'per-hour': { type: 'string', default: '1000' },
  /** Rate at the busiest time above the mean, as a part of it: 0 is a flat day. */
  swing: { type: 'string', default: '0.8' },
  /** Mean length of a recording. */
  'audio-s': { type: 'string', default: '60' },
  /** `exponential`, `fixed`, or a file with the lengths of recordings in seconds. */
  lengths: { type: 'string', default: 'exponential' },
  /** Seconds of work on a recording on average, instead of those measured for its length. */
  'service-s': { type: 'string', default: '0' },
  processes: { type: 'string', default: '1' },
  /** `WORKERS` of each process. */
  workers: { type: 'string', default: '2' },
  'queue-jobs-per-s': { type: 'string', default: '2500' },
  'poll-s': { type: 'string', default: '1' },
  seed: { type: 'string', default: '1' },
  /** Processes follow the length of the queue instead of `--processes`. */
  autoscale: { type: 'boolean', default: false },
  'min-processes': { type: 'string', default: '0' },
  'max-processes': { type: 'string', default: '50' },
  'jobs-per-process': { type: 'string', default: '3' },
  'interval-s': { type: 'string', default: '15' },
  'start-s': { type: 'string', default: '60' },
  'cool-down-s': { type: 'string', default: '300' },
  'max-connections': { type: 'string', default: '100' },
  'database-cores': { type: 'string', default: '16' },
  'upload-mb-per-s': { type: 'string', default: '1250' },
  scale: { type: 'string' },
  compare: { type: 'string' },
  costs: { type: 'boolean', default: false },
} as const satisfies ParseArgsOptionsConfig;

const { values } = readOptions();

function readOptions() {
  try {
    return parseArgs({ options: OPTIONS });
  } catch (thrown) {
    return refuse(thrown instanceof Error ? thrown.message : String(thrown));
  }
}

/** The number of an option. Ends the program when it is none or outside of the range. */
function numberOf(name: keyof typeof values, least = 0, most = Infinity): number {
  const value = Number(values[name]);
  if (Number.isFinite(value) && value >= least && value <= most) return value;
  return refuse(`--${name} must be a number from ${least}${most === Infinity ? ' on' : ` to ${most}`}`);
}

function countOf(name: keyof typeof values, least: number): number {
  const value = numberOf(name, least);
  return Number.isInteger(value) ? value : refuse(`--${name} must be a whole number`);
}

function refuse(why: string): never {
  console.error(why);
  process.exit(2);
}

if (values.costs) {
  printCosts();
} else if (values.compare !== undefined) {
  const { throughput = [], processors = 0 } = JSON.parse(await readFile(values.compare, 'utf8')) as {
    throughput?: MeasuredRun[];
    processors?: number;
  };
  const compared = throughput.filter(({ workers }) => workers <= processors);
  process.exitCode = printComparison(compared, processors) ? 0 : 1;
} else {
  const seed = numberOf('seed');
  const random = createRandom(seed);
  const fixedServiceS = numberOf('service-s');
  const lengths = await readLengths(
    values.lengths,
    fixedServiceS === 0 ? numberOf('audio-s', 0.001) : fixedServiceS,
    random,
  );
  const workS = (length: number) =>
    fixedServiceS === 0 ? COSTS.workerAudio.value * length + COSTS.workerRecording.value : length;
  const day = { perHour: numberOf('per-hour', 0.001), swing: numberOf('swing', 0, 1) };
  const nextServiceS = () => workS(lengths.next());
  const workersPerProcess = countOf('workers', 1);
  const limits = {
    connections: numberOf('max-connections', 1),
    queueJobsPerS: numberOf('queue-jobs-per-s', 0.001),
    databaseCores: numberOf('database-cores', 1),
    uploadBytesPerS: numberOf('upload-mb-per-s', 0.001) * 1e6,
  };
  const pollS = numberOf('poll-s', 0.001);
  if (values.scale === undefined) {
    const processes = values.autoscale
      ? {
          minProcesses: countOf('min-processes', 0),
          maxProcesses: countOf('max-processes', 1),
          jobsPerProcess: numberOf('jobs-per-process', 0.001),
          intervalS: numberOf('interval-s', 0.1),
          startS: numberOf('start-s'),
          coolDownS: numberOf('cool-down-s'),
        }
      : countOf('processes', 1);
    printDay({ day, nextServiceS, workersPerProcess, processes, limits, pollS, random });
  } else {
    const audioS = fixedServiceS === 0 ? lengths.meanS : numberOf('audio-s', 0.001);
    const serviceS = workS(lengths.meanS);
    const factors = values.scale
      .split(',')
      .map(Number)
      .toSorted((a, b) => a - b);
    if (!factors.every((factor) => factor > 0 && Number.isFinite(factor))) {
      refuse('--scale must be numbers above 0, such as 1,10,100');
    }
    const plan = { day, audioS, serviceS, nextServiceS, workersPerProcess, pollS, limits, seed };
    printScaled(
      factors.map((factor) => scaleBy(factor, plan)),
      plan,
    );
  }
}
