import { toAppError } from '@jyutsing/contracts/errors';
import type { Diarizer } from '@jyutsing/contracts/diarizer';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { diarizationError, type DiarizationError, type Turn } from './diarization-error.ts';
import { errorRate, type ErrorRate } from './score.ts';
import { asChunks } from './sound.ts';

/** A recording of which it is known who talks when. */
export type Annotated = { name: string; samples: Float32Array; turns: Turn[] };

/** What a diarizer made of one recording. Speech in milliseconds; `found` is the number of speakers; `failure` null: it worked. */
export type Diarized = DiarizationError & {
  name: string;
  speakers: number;
  found: number;
  /** The error with a collar. */
  forgiving: DiarizationError;
  soundSeconds: number;
  cpuSeconds: number;
  failure: string | null;
};

/** What a diarizer made of several recordings: shares of the speech, with intervals where they are drawn again. */
export type DiarizationRow = {
  set: string;
  diarizer: string;
  recordings: number;
  failed: number;
  error: ErrorRate;
  missed: number | null;
  falseAlarm: number | null;
  confused: number | null;
  /** With a collar of COLLAR_MS. */
  errorWithCollar: ErrorRate;
  /** How often the number of speakers is not the right one. */
  wrongCount: ErrorRate;
  /** Seconds of sound for each second of processor time; null when nothing was heard. */
  speed: number | null;
  details: Diarized[];
};

/** The usual one of NIST. */
export const COLLAR_MS = 250;

/** Lets a diarizer hear a recording. A failure is part of the result: everything is missed then. */
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
  return {
    name,
    speakers: countOf(turns),
    found: countOf(found),
    ...diarizationError(found, turns),
    forgiving: diarizationError(found, turns, COLLAR_MS),
    soundSeconds: samples.length / RECOGNIZER_SAMPLE_RATE_HZ,
    cpuSeconds: (user + system) / 1_000_000,
    failure,
  };
}

/**
 * The figures of several recordings. Intervals are drawn over recordings; conversations share speakers, so they are a little too
 * narrow where a voice is hard.
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
