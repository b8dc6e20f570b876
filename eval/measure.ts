import { totalmem } from 'node:os';
import { AppError, toAppError } from '@jyutsing/contracts/errors';
import { startWorkerProcess } from '#server/workers/pool/worker-process.ts';
import type { MeasureEvent } from './tasks.ts';

/** What one model cost on one set. */
export type Costs = {
  /** Seconds of sound for each second of processor time, decoding included; null when nothing was heard. */
  speed: number | null;
  /** The same by the clock: what counts for an engine whose work is done on another machine. */
  speedByClock: number | null;
  /** Resident memory at its highest less that of the same process before it opened the model. */
  memoryBytes: number | null;
};

/** Of a model that gave nothing to measure. */
export const NO_COSTS: Costs = { speed: null, speedByClock: null, memoryBytes: null };

/** What a process told, in order. */
export type Measurement = {
  heard: Extract<MeasureEvent, { type: 'heard' }>[];
  clips: Extract<MeasureEvent, { type: 'clip' }>[];
  failed: Extract<MeasureEvent, { type: 'failed' }>[];
  costs: Costs;
};

/** For one recording: the slowest models need about as long as it lasts. */
const RECORDING_LIMIT_MS = 30 * 60_000;
const START_LIMIT_MS = 60_000;

/**
 * Lets a process of its own do a task of `measure-entry.ts`; `onListened` hears how many recordings are done. Throws AppError
 * when the process crashed or could not begin, saying how far it came.
 */
export async function measure(
  task: { kind: 'recognizer' | 'acoustic' | 'language'; payload: unknown },
  onListened: (count: number) => void,
): Promise<Measurement> {
  const child = startWorkerProcess({
    entry: new URL('./measure-entry.ts', import.meta.url),
    memoryLimitBytes: totalmem(),
    startTimeoutMs: START_LIMIT_MS,
  });
  const done: Measurement = { heard: [], clips: [], failed: [], costs: { ...NO_COSTS } };
  let listened = 0;
  try {
    await child.ready;
    const run = child.begin(task, { silenceTimeoutMs: RECORDING_LIMIT_MS, timeLimitMs: Infinity });
    for (let step = await run.next(); step.done !== true; step = await run.next()) {
      const event = step.value as MeasureEvent;
      if (event.type === 'listened') onListened((listened += 1));
      else if (event.type === 'memory') done.costs.memoryBytes = event.peakBytes - event.idleBytes;
      else if (event.type === 'heard') done.heard.push(event);
      else if (event.type === 'clip') done.clips.push(event);
      else done.failed.push(event);
    }
  } catch (thrown) {
    const error = toAppError(thrown);
    throw new AppError(error.code, `after ${listened} recordings: ${withCause(error)}`, { cause: error });
  } finally {
    await child.stop(new AppError('client_closed_request'));
  }
  const efforts = [...done.heard, ...done.clips];
  const soundSeconds = sum(efforts.map((effort) => effort.soundSeconds));
  if (soundSeconds > 0) {
    done.costs.speed = soundSeconds / sum(efforts.map((effort) => effort.cpuSeconds));
    done.costs.speedByClock = soundSeconds / sum(efforts.map((effort) => effort.elapsedSeconds));
  }
  return done;
}

/** Whoever evaluates an engine wants to know how it died; its first line says so. */
function withCause(error: AppError): string {
  return typeof error.cause === 'string' ? `${error.message} (${error.cause.split('\n')[0]})` : error.message;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
