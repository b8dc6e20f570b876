import { readFile } from 'node:fs/promises';
import { AppError } from '@jyutsing/contracts/errors';

/** Speech of one speaker from `startMs` to `endMs`. */
export type Turn = { startMs: number; endMs: number; speaker: string | number };

/**
 * Milliseconds of speech, counted per speaker. Error rate = (missed + falseAlarm + confused) ÷
 * spoken.
 */
export type DiarizationError = { spokenMs: number; missedMs: number; falseAlarmMs: number; confusedMs: number };

/**
 * NIST diarization error (Fiscus et al. 2006, "The Rich Transcription 2006 Spring Meeting
 * Recognition Evaluation"): excess reference speakers are missed, excess found speakers are false
 * alarm, and the rest is confused unless it follows the best one-to-one speaker mapping. Overlap
 * counts. A collar excludes that much time around every boundary of the reference.
 */
export function diarizationError(found: readonly Turn[], reference: readonly Turn[], collarMs = 0): DiarizationError {
  const spans = sharedSpans(found, reference, collarMs);
  const foundNames = [...new Set(found.map(({ speaker }) => speaker))];
  const names = [...new Set(reference.map(({ speaker }) => speaker))];
  const together = foundNames.map(() => names.map(() => 0));
  for (const { lengthMs, found: detected, spoken } of spans) {
    for (const one of detected) {
      const row = together[foundNames.indexOf(one)]!;
      for (const other of spoken) row[names.indexOf(other)]! += lengthMs;
    }
  }
  const partners = new Map(bestMapping(together).map((column, row) => [foundNames[row]!, names[column ?? -1]]));
  const error = { spokenMs: 0, missedMs: 0, falseAlarmMs: 0, confusedMs: 0 };
  for (const { lengthMs, found: detected, spoken } of spans) {
    const right = [...detected].filter((one) => spoken.has(partners.get(one) ?? UNMAPPED)).length;
    error.spokenMs += spoken.size * lengthMs;
    error.missedMs += Math.max(0, spoken.size - detected.size) * lengthMs;
    error.falseAlarmMs += Math.max(0, detected.size - spoken.size) * lengthMs;
    error.confusedMs += (Math.min(detected.size, spoken.size) - right) * lengthMs;
  }
  return error;
}

const UNMAPPED = Symbol('unmapped').toString();

type Span = { lengthMs: number; found: Set<Turn['speaker']>; spoken: Set<Turn['speaker']> };

/** Spans between all turn boundaries, without the collars. */
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
      found: speakersAt(found, middleMs),
      spoken: speakersAt(reference, middleMs),
    });
  }
  return spans;
}

function speakersAt(turns: readonly Turn[], timeMs: number): Set<Turn['speaker']> {
  return new Set(turns.filter(({ startMs, endMs }) => startMs <= timeMs && timeMs < endMs).map((turn) => turn.speaker));
}

/**
 * Assigns to each row a column or null, without repeats, with the highest sum of values. Uses
 * dynamic programming over sets of columns, which are few (the speakers of a reference).
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

/**
 * Reads SPEAKER lines of a Rich Transcription Time Marked file. Throws `invalid_parameter` for a
 * malformed one.
 */
export async function readRttm(path: string): Promise<Turn[]> {
  const lines = (await readFile(path, 'utf8')).split(/\r?\n/).filter((line) => line.startsWith('SPEAKER'));
  return lines.map((line) => {
    const [, , , start, duration, , , speaker] = line.split(/\s+/);
    const startMs = Number(start) * 1_000;
    const endMs = startMs + Number(duration) * 1_000;
    if (!Number.isFinite(endMs) || speaker === undefined) {
      throw new AppError('invalid_parameter', `${path}: "${line}" is not a valid speaker turn.`);
    }
    return { startMs, endMs, speaker };
  });
}
