import { readFile } from 'node:fs/promises';
import { AppError } from '@jyutsing/contracts/errors';

/** One stretch of one speaker, whatever it is called. */
export type Turn = { startMs: number; endMs: number; speaker: string | number };

/** Milliseconds of speech, counted once for each who speaks. The error rate is (missed + falseAlarm + confused) ÷ spoken. */
export type DiarizationError = { spokenMs: number; missedMs: number; falseAlarmMs: number; confusedMs: number };

/**
 * The diarization error of NIST (Fiscus et al. 2006, "The Rich Transcription 2006 Spring Meeting Recognition Evaluation"): where
 * more speak than were found, the difference is missed; where fewer, false alarm; of the others those are confused who are not the
 * ones that the best one-to-one mapping of speakers says. Overlap counts. With a collar, so much around every beginning and
 * end in the reference is left out.
 */
export function diarizationError(found: readonly Turn[], reference: readonly Turn[], collarMs = 0): DiarizationError {
  const spans = sharedSpans(found, reference, collarMs);
  const foundNames = [...new Set(found.map(({ speaker }) => speaker))];
  const names = [...new Set(reference.map(({ speaker }) => speaker))];
  const together = foundNames.map(() => names.map(() => 0));
  for (const { lengthMs, heard, spoken } of spans) {
    for (const one of heard) {
      const row = together[foundNames.indexOf(one)]!;
      for (const other of spoken) row[names.indexOf(other)]! += lengthMs;
    }
  }
  const partners = new Map(bestMapping(together).map((column, row) => [foundNames[row]!, names[column ?? -1]]));
  const error = { spokenMs: 0, missedMs: 0, falseAlarmMs: 0, confusedMs: 0 };
  for (const { lengthMs, heard, spoken } of spans) {
    const right = [...heard].filter((one) => spoken.has(partners.get(one) ?? NOBODY)).length;
    error.spokenMs += spoken.size * lengthMs;
    error.missedMs += Math.max(0, spoken.size - heard.size) * lengthMs;
    error.falseAlarmMs += Math.max(0, heard.size - spoken.size) * lengthMs;
    error.confusedMs += (Math.min(heard.size, spoken.size) - right) * lengthMs;
  }
  return error;
}

const NOBODY = Symbol('nobody').toString();

type Span = { lengthMs: number; heard: Set<Turn['speaker']>; spoken: Set<Turn['speaker']> };

/** The recording cut wherever somebody begins or ends, without the collars. */
function sharedSpans(found: readonly Turn[], reference: readonly Turn[], collarMs: number): Span[] {
  const collars = reference.flatMap(({ startMs, endMs }) => [startMs, endMs]);
  const edges = [found, reference].flat().flatMap(({ startMs, endMs }) => [startMs, endMs]);
  if (collarMs > 0) edges.push(...collars.flatMap((edgeMs) => [edgeMs - collarMs, edgeMs + collarMs]));
  const cuts = [...new Set(edges)].sort((a, b) => a - b);
  const spans: Span[] = [];
  for (const [index, startMs] of cuts.slice(0, -1).entries()) {
    const endMs = cuts[index + 1]!;
    const middleMs = (startMs + endMs) / 2;
    if (collarMs > 0 && collars.some((edgeMs) => Math.abs(edgeMs - middleMs) < collarMs)) continue;
    spans.push({
      lengthMs: endMs - startMs,
      heard: speakersAt(found, middleMs),
      spoken: speakersAt(reference, middleMs),
    });
  }
  return spans;
}

function speakersAt(turns: readonly Turn[], timeMs: number): Set<Turn['speaker']> {
  return new Set(turns.filter(({ startMs, endMs }) => startMs <= timeMs && timeMs < endMs).map((turn) => turn.speaker));
}

/**
 * For each row the column that it is mapped to, or null: no column twice, the sum of the values the highest. By dynamic
 * programming over sets of columns, of which there are few here (the speakers of a reference).
 */
export function bestMapping(values: readonly (readonly number[])[]): (number | null)[] {
  const columns = values[0]?.length ?? 0;
  if (columns > 16) throw new AppError('invalid_parameter', 'A reference has more than 16 speakers.');
  let best = new Map<number, { sum: number; chosen: (number | null)[] }>([[0, { sum: 0, chosen: [] }]]);
  for (const row of values) {
    const next: typeof best = new Map();
    for (const [used, { sum, chosen }] of best) {
      for (let column = -1; column < columns; column += 1) {
        const bit = column < 0 ? 0 : 1 << column;
        if ((used & bit) !== 0) continue;
        const total = sum + (row[column] ?? 0);
        if (total <= (next.get(used | bit)?.sum ?? -1)) continue;
        next.set(used | bit, { sum: total, chosen: [...chosen, column < 0 ? null : column] });
      }
    }
    best = next;
  }
  return [...best.values()].reduce((a, b) => (b.sum > a.sum ? b : a)).chosen;
}

/** The turns of a Rich Transcription Time Marked file: SPEAKER lines with seconds. Throws `invalid_parameter` for another line. */
export async function readRttm(path: string): Promise<Turn[]> {
  const lines = (await readFile(path, 'utf8')).split(/\r?\n/).filter((line) => line.startsWith('SPEAKER'));
  return lines.map((line) => {
    const [, , , start, duration, , , speaker] = line.split(/\s+/);
    const startMs = Number(start) * 1_000;
    const endMs = startMs + Number(duration) * 1_000;
    if (!Number.isFinite(endMs) || speaker === undefined) {
      throw new AppError('invalid_parameter', `${path}: "${line}" is no turn of a speaker.`);
    }
    return { startMs, endMs, speaker };
  });
}
