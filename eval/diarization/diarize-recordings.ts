import { toAppError } from '@jyutsing/contracts/errors';
import type { Diarizer } from '@jyutsing/contracts/diarizer';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { diarizationError, type DiarizationError, type Turn } from './diarization-error.ts';
import { closePauses } from './close-pauses.ts';
import { errorRate, type ErrorRate } from '../score.ts';
import { asChunks } from '../sound.ts';

/** Recording with its true speaker turns. */
export type Annotated = { name: string; samples: Float32Array; turns: Turn[] };

/**
 * Result of a diarizer on one recording, in milliseconds of speech; `found` counts speakers;
 * `failure` null: success.
 */
export type Diarized = DiarizationError & {
  name: string;
  speakers: number;
  found: number;
  /** Error with a collar. */
  forgiving: DiarizationError;
  /** Errors with pauses of up to CLOSED_PAUSE_MS in the found turns closed. */
  closed: DiarizationError & { forgiving: DiarizationError };
  soundSeconds: number;
  cpuSeconds: number;
  failure: string | null;
};

/** Result of a diarizer on several recordings: shares of the speech, with bootstrap intervals. */
export type DiarizationRow = {
  set: string;
  diarizer: string;
  recordings: number;
  failed: number;
  error: ErrorRate;
  missed: number | null;
  falseAlarm: number | null;
  confused: number | null;
  /** The error with a collar of COLLAR_MS. */
  errorWithCollar: ErrorRate;
  /** How often the number of speakers is wrong. */
  wrongCount: ErrorRate;
  /** Seconds of audio per second of processor time; null without any. */
  speed: number | null;
  details: Diarized[];
};

/** Collar that NIST uses. */
const COLLAR_MS = 250;
/** References of AMI meetings end no turn at a shorter pause: the shortest is 0.84 s. */
const CLOSED_PAUSE_MS = 800;

/** Diarizes one recording. A failure counts as everything missed. */
export async function diarizeOne(diarizer: Diarizer, { name, samples, turns }: Annotated): Promise<Diarized> {
  const cpuBefore = process.cpuUsage();
  let found: Turn[] = [];
  let failure: string | null = null;
  try {
    for await (const event of diarizer.diarize(asChunks(samples), new AbortController().signal)) {
      if (event.type === 'turns') found = event.turns;
    }
  } catch (thrown) {
    failure = toAppError(thrown).message;
  }
  const { user, system } = process.cpuUsage(cpuBefore);
  const closed = closePauses(found, CLOSED_PAUSE_MS);
  return {
    name,
    speakers: countOf(turns),
    found: countOf(found),
    ...diarizationError(found, turns),
    forgiving: diarizationError(found, turns, COLLAR_MS),
    closed: { ...diarizationError(closed, turns), forgiving: diarizationError(closed, turns, COLLAR_MS) },
    soundSeconds: samples.length / RECOGNIZER_SAMPLE_RATE_HZ,
    cpuSeconds: (user + system) / 1_000_000,
    failure,
  };
}

/**
 * Aggregates several recordings. Intervals are bootstrapped over recordings; conversations share
 * speakers, so the intervals are slightly too narrow.
 */
export function diarizationRow(set: string, diarizer: string, details: Diarized[]): DiarizationRow {
  const total = (of: (one: Diarized) => number) => details.reduce((sum, one) => sum + of(one), 0);
  const spokenMs = total((one) => one.spokenMs);
  const share = (of: (one: Diarized) => number) => (spokenMs === 0 ? null : total(of) / spokenMs);
  const cpuSeconds = total((one) => one.cpuSeconds);
  return {
    set,
    diarizer,
    recordings: details.length,
    failed: details.filter(({ failure }) => failure !== null).length,
    error: errorRate(details.map((one) => asCount(one))),
    missed: share((one) => one.missedMs),
    falseAlarm: share((one) => one.falseAlarmMs),
    confused: share((one) => one.confusedMs),
    errorWithCollar: errorRate(details.map((one) => asCount(one.forgiving))),
    wrongCount: errorRate(
      details.map(({ speakers, found }) => ({ errors: speakers === found ? 0 : 1, length: 1, speaker: null })),
    ),
    speed: cpuSeconds > 0 ? total((one) => one.soundSeconds) / cpuSeconds : null,
    details,
  };
}

function asCount({ spokenMs, missedMs, falseAlarmMs, confusedMs }: DiarizationError) {
  return { errors: missedMs + falseAlarmMs + confusedMs, length: spokenMs, speaker: null };
}

function countOf(turns: readonly Turn[]): number {
  return new Set(turns.map(({ speaker }) => speaker)).size;
}
