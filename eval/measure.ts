import { totalmem } from 'node:os';
import { AppError, toAppError } from '@jyutsing/contracts/errors';
import { startWorkerProcess } from '#server/workers/pool/worker-process.ts';
import type { MeasureEvent } from './tasks.ts';

/** Cost of one model on one set. */
export type Costs = {
  /** Seconds of audio per second of processor time, including decoding; null without any. */
  speed: number | null;
  /** The same by wall-clock time, which matters for engines that run on another machine. */
  speedByClock: number | null;
  /** Peak resident memory minus that before opening the model. */
  memoryBytes: number | null;
};

/** Costs of a model without results. */
export const NO_COSTS: Costs = { speed: null, speedByClock: null, memoryBytes: null };

/** Events of a measuring process, by type and in order. */
export type Measurement = {
  recognized: Extract<MeasureEvent, { type: 'recognized' }>[];
  clips: Extract<MeasureEvent, { type: 'clip' }>[];
  failed: Extract<MeasureEvent, { type: 'failed' }>[];
  costs: Costs;
};

/** Limit for one recording; the slowest models run at about real time. */
const RECORDING_LIMIT_MS = 30 * 60_000;
const START_LIMIT_MS = 60_000;

/**
 * Runs a task of `measure-entry.ts` in its own process; `onProgress` gets the count of recordings
 * done. Throws AppError when the process crashes or cannot start, with the progress in the message.
 */
export async function measure(
  task: { kind: 'recognizer' | 'acoustic' | 'language'; payload: unknown },
  onProgress: (count: number) => void,
): Promise<Measurement> {
  const child = startWorkerProcess({
    entry: new URL('./measure-entry.ts', import.meta.url),
    memoryLimitBytes: totalmem(),
    startTimeoutMs: START_LIMIT_MS,
  });
  const done: Measurement = { recognized: [], clips: [], failed: [], costs: { ...NO_COSTS } };
  let doneCount = 0;
  try {
    await child.ready;
    const run = child.begin(task, { silenceTimeoutMs: RECORDING_LIMIT_MS, timeLimitMs: Infinity });
    for await (const taken of run.events) {
      run.acknowledge();
      const event = taken as MeasureEvent;
      if (event.type === 'done') onProgress((doneCount += 1));
      else if (event.type === 'memory') done.costs.memoryBytes = event.peakBytes - event.idleBytes;
      else if (event.type === 'recognized') done.recognized.push(event);
      else if (event.type === 'clip') done.clips.push(event);
      else done.failed.push(event);
    }
  } catch (thrown) {
    const error = toAppError(thrown);
    throw new AppError(error.code, `after ${doneCount} recordings: ${withCause(error)}`, { cause: error });
  } finally {
    await child.stop(new AppError('client_closed_request'));
  }
  const efforts = [...done.recognized, ...done.clips];
  const soundSeconds = sum(efforts.map((effort) => effort.soundSeconds));
  if (soundSeconds > 0) {
    done.costs.speed = soundSeconds / sum(efforts.map((effort) => effort.cpuSeconds));
    done.costs.speedByClock = soundSeconds / sum(efforts.map((effort) => effort.elapsedSeconds));
  }
  return done;
}

/** Appends the first line of the cause, which says how an engine process ended. */
function withCause(error: AppError): string {
  return typeof error.cause === 'string' ? `${error.message} (${error.cause.split('\n')[0]})` : error.message;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
