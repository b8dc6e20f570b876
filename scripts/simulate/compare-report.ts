import { compareQueues, compareRuns, compareSlowed, type Comparison } from './compare.ts';
import type { MeasuredRun } from './measured-runs.ts';

/** Part by which a prediction for two workers may differ from the measurement. */
const MAY_DIFFER = 0.15;

/** Part of the processors that other programs may use; more spoils a comparison. */
const OTHERS_MAY_USE = 0.05;

/**
 * Prints predictions beside measurements; true when those for two workers are near enough that know
 * what the workers cost one another, which is a property of the machine and not of the service.
 */
export function printComparison(runs: readonly MeasuredRun[], processors: number): boolean {
  const slowed = compareSlowed(runs);
  const queues = compareQueues(runs);
  const graded = [...slowed, ...queues].filter(({ workers }) => workers === 2);
  console.log('From what one worker alone needed, with as many processors as wanted:');
  print(compareRuns(runs, Infinity));
  console.log(`\nThe same with ${processors} processors, which all processes share:`);
  print(compareRuns(runs, processors));
  console.log('\nRandom arrivals, from how much workers slowed one another down when all arrived at once:');
  print(slowed);
  console.log('\nThe queue alone, from what the recognition of each recording took in the run itself:');
  print(queues);
  if (graded.length === 0) {
    console.log('\nThe file has no run of one worker alone and of two.');
    return false;
  }
  const farthest = Math.max(...graded.map(({ difference }) => Math.abs(difference)));
  const isNear = farthest <= MAY_DIFFER;
  console.log(
    `\ntwo workers, in the last two tables: at most ${(100 * farthest).toFixed(1)} % from the measurement, ` +
      `goal ≤ ${100 * MAY_DIFFER} %: ${isNear ? 'met' : 'MISSED'}`,
  );
  const shares = runs.map(({ cpuSeconds, wallSeconds }) => cpuSeconds.others / (wallSeconds * processors));
  if (shares.some((part) => part > OTHERS_MAY_USE)) {
    const parts = shares.map((part) => `${(100 * part).toFixed(0)} %`).join(', ');
    console.log(`Other programs used ${parts} of the processors during the runs: repeat it on a quiet machine.`);
  }
  return isNear;
}

function print(compared: readonly Comparison[]): void {
  for (const { workers, arrivals, what, predictedS, measuredS, difference } of compared) {
    const signed = `${difference < 0 ? '−' : '+'}${(100 * Math.abs(difference)).toFixed(1)} %`;
    console.log(
      `  ${workers} × transcribe, ${arrivals.padEnd(7)}  ${what.padEnd(8)}  ` +
        `predicted ${predictedS.toFixed(2).padStart(6)} s  measured ${measuredS.toFixed(2).padStart(6)} s  ${signed}`,
    );
  }
}
