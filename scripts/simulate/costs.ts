type Cost = { value: number; unit: string; what: string; command: string };

const CLUSTER = 'npm run cluster-test -- --only throughput';

/**
 * Costs measured on two cores of an AMD EPYC with the built-in models, which the simulator uses.
 * Each has its unit; `CPU s` are seconds of one core. `command` measures them on another
 * machine.
 */
export const COSTS = {
  workerAudio: { value: 0.0034, unit: 's', what: 'a worker for a second of recording', command: CLUSTER },
  workerRecording: { value: 0.04, unit: 's', what: 'a worker for a recording, whatever its length', command: CLUSTER },
  recognition: { value: 0.0036, unit: 'CPU s', what: 'a second of recording, in a worker process', command: CLUSTER },
  transcribe: {
    value: 0.03,
    unit: 'CPU s',
    what: 'a recording, in its process of the role transcribe',
    command: CLUSTER,
  },
  upload: { value: 0.028, unit: 'CPU s', what: 'an upload of a megabyte, in the API process', command: CLUSTER },
  database: { value: 0.018, unit: 'CPU s', what: 'a recording, in PostgreSQL', command: CLUSTER },
  poll: { value: 0.0003, unit: 'CPU s', what: 'a poll, in the API process', command: CLUSTER },
  pollDatabase: { value: 0.00032, unit: 'CPU s', what: 'a poll, in PostgreSQL', command: CLUSTER },
  stream: { value: 0.00035, unit: 'CPU s', what: 'a second of /events, in the API process', command: CLUSTER },
  streamDatabase: { value: 0.00015, unit: 'CPU s', what: 'a second of /events, in PostgreSQL', command: CLUSTER },
  idle: { value: 0.03, unit: 'CPU s', what: 'a second of a process that does nothing', command: CLUSTER },
  connectionsOpen: { value: 14, unit: 'connections', what: 'open at once by a process under load', command: CLUSTER },
} as const satisfies Record<string, Cost>;

export function printCosts(): void {
  for (const { value, unit, what, command } of Object.values(COSTS)) {
    console.log(`${String(value).padStart(8)} ${unit.padEnd(11)} ${what.padEnd(52)} ${command}`);
  }
}
