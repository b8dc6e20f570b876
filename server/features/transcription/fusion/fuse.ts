import type { CorrectionRequest, CorrectionSegment, Corrector, Term } from '@jyutsing/contracts/corrector';
import { AppError, toAppError } from '@jyutsing/contracts/errors';
import type { Segment } from '@jyutsing/contracts/transcript';
import type { Fusion, TranscriptionEvent } from '@jyutsing/contracts/transcription';
import type { checkCorrection } from './check-correction.ts';
import { cutIntoChunks } from './chunks.ts';
import { createCircuitBreaker, type CircuitBreaker } from './circuit-breaker.ts';
import { raceAbort } from '@jyutsing/concurrency/race-abort';
import { withinTime } from '@jyutsing/concurrency/within-time';

/**
 * Segments with their syllables, the terms of the corpora and the context, and the context itself.
 */
export type FusionInput = { segments: readonly CorrectionSegment[]; terms: readonly Term[]; context: string | null };

/** A corrector, opened when first needed; its owner decides how long it stays open. */
export type CorrectorChoice = { name: string; open(): Promise<Corrector> };

/**
 * The events of correcting segments: its progress, a corrector that failed (the next one is used),
 * and the result.
 */
export type FusionEvent =
  | Extract<TranscriptionEvent, { type: 'progress' | 'correction-failed' }>
  | { type: 'fusion-end'; fusion: Fusion };

/**
 * Corrects segments with the corpora and the context of their request. Throws `timed_out` when a
 * chunk exceeds its time budget; an aborted signal throws its reason.
 */
export type Fuse = (segments: readonly CorrectionSegment[], signal: AbortSignal) => AsyncIterable<FusionEvent>;

type FusionOptions = {
  /** Time limit of each chunk, over all correctors. */
  chunkBudgetMs: number;
  observer?: FusionObserver;
  /** Remembers failing servers beyond one transcript. */
  breaker?: CircuitBreaker;
};

/** The outcome of a chunk, without any text. */
export type ChunkReport = {
  /** The corrector whose changes were used; null: the chunk stays as recognized. */
  corrector: string | null;
  accepted: number;
  dropped: number;
  seconds: number;
  /** Correctors with an answer in time and in form, whether or not it was used. */
  answers: string[];
  /** Correctors that failed, and why. */
  failures: { corrector: string; error: AppError }[];
};

/** Receives the outcomes for logs and metrics. */
type FusionObserver = { chunk(report: ChunkReport): void };

const NO_OBSERVER: FusionObserver = { chunk: () => {} };

/**
 * The share of the time of a chunk for all correctors but the last, so a slow one leaves time for
 * the next.
 */
const TIME_SHARE = 0.6;
/** After this many consecutive failures a corrector is not used again for this transcript. */
const MAX_FAILURES = 2;

/**
 * Corrects homophones chunk by chunk: uses the correctors in order (best first) and takes the
 * first answer in time and in form, as far as the audio supports it (check-correction.ts). When
 * nothing of an answer can be accepted, or a corrector fails, the next one is used; when all fail,
 * the chunk stays as recognized. Yields progress after each chunk and the fusion at the end.
 * Throws `timed_out` when a chunk exceeds its time budget; an aborted signal throws its reason.
 */
export async function* fuse(
  { segments, terms, context }: FusionInput,
  correctors: readonly CorrectorChoice[],
  { chunkBudgetMs, observer = NO_OBSERVER, breaker = createCircuitBreaker() }: FusionOptions,
  signal: AbortSignal,
): AsyncGenerator<FusionEvent> {
  // Loads dictionaries and script tables (160 MB, one second) only when needed, outside the time of
  // a chunk.
  const { checkCorrection } = await import('./check-correction.ts');
  const failures = new Map<string, number>();
  const fused: Segment[] = [];
  for (const chunk of cutIntoChunks(segments)) {
    signal.throwIfAborted();
    if (chunk.some(isCorrectable)) {
      const last = correctors.at(-1);
      const usable = correctors.filter(
        (corrector) => corrector === last || (failures.get(corrector.name) ?? 0) < MAX_FAILURES,
      );
      // Asked only at its turn: the answer may be the one try of a server that may have recovered.
      const isSkipped = (corrector: CorrectorChoice) => corrector !== last && breaker.isOpen(corrector.name);
      const request = { segments: chunk, terms, context };
      const { checked, report } = await fuseChunk(
        request,
        { usable, isSkipped },
        checkCorrection,
        chunkBudgetMs,
        signal,
      );
      for (const { corrector, error } of report.failures) {
        failures.set(corrector, (failures.get(corrector) ?? 0) + 1);
        breaker.recordFailure(corrector, error.code);
      }
      for (const corrector of report.answers) {
        failures.delete(corrector);
        breaker.recordSuccess(corrector);
      }
      observer.chunk(report);
      fused.push(...checked);
    } else fused.push(...chunk.map(({ segment }) => segment));
    const processedMs = chunk.at(-1)?.segment.endMs;
    if (processedMs !== undefined) yield { type: 'progress', stage: 'fusion', processedMs };
  }
  yield { type: 'fusion-end', fusion: { segments: fused, romanization: segments.map(romanize) } };
}

/** The most likely syllables, separated by spaces. */
function romanize({ syllables }: CorrectionSegment): string {
  return syllables.flatMap(({ alternatives }) => alternatives[0]?.reading ?? []).join(' ');
}

/** Without Chinese characters or syllables every change would be dropped. */
function isCorrectable({ segment, syllables }: CorrectionSegment): boolean {
  return syllables.length > 0 && /\p{Script=Han}/u.test(segment.text);
}

type FusedChunk = { checked: Segment[]; report: ChunkReport };

async function fuseChunk(
  request: CorrectionRequest,
  {
    usable: correctors,
    isSkipped,
  }: { usable: readonly CorrectorChoice[]; isSkipped: (corrector: CorrectorChoice) => boolean },
  checkOne: typeof checkCorrection,
  budgetMs: number,
  signal: AbortSignal,
): Promise<FusedChunk> {
  const startedMs = performance.now();
  const spentMs = () => performance.now() - startedMs;
  const report: ChunkReport = { corrector: null, accepted: 0, dropped: 0, seconds: 0, answers: [], failures: [] };
  let checked = request.segments.map(({ segment }) => segment);
  let isInTime = false;
  for (const [index, corrector] of correctors.entries()) {
    const isLast = index === correctors.length - 1;
    const leftMs = budgetMs * (isLast ? 1 : TIME_SHARE) - spentMs();
    // Time used up by an earlier corrector is not a failure of this one.
    if (!isLast && leftMs <= 0) continue;
    if (isSkipped(corrector)) continue;
    try {
      const answer = check(request, await correctInTime(corrector, request, leftMs, signal), checkOne);
      isInTime ||= spentMs() <= budgetMs;
      report.answers.push(corrector.name);
      report.dropped += answer.dropped;
      if (answer.accepted === 0 && answer.dropped > 0 && !isLast) continue;
      checked = answer.segments;
      report.accepted = answer.accepted;
      report.corrector = corrector.name;
      break;
    } catch (thrown) {
      signal.throwIfAborted();
      report.failures.push({ corrector: corrector.name, error: toAppError(thrown) });
    }
  }
  // After an answer in time, however useless, a slow successor must not fail the record.
  if (!isInTime && spentMs() >= budgetMs) {
    const seconds = Number((budgetMs / 1_000).toPrecision(3));
    throw new AppError('timed_out', `A fusion chunk exceeded its time budget of ${seconds} s.`, {
      cause: report.failures.at(-1)?.error,
    });
  }
  report.seconds = Math.round(spentMs()) / 1_000;
  return { checked, report };
}

/** Stops waiting after the time limit, even for a corrector that ignores its signal. */
async function correctInTime(
  corrector: CorrectorChoice,
  request: CorrectionRequest,
  leftMs: number,
  signal: AbortSignal,
): Promise<string[]> {
  signal.throwIfAborted();
  const late = new AbortController();
  const stop = AbortSignal.any([signal, late.signal]);
  const refuse = () => {
    late.abort(new AppError('timed_out', 'The corrector did not answer in time.'));
    throw late.signal.reason;
  };
  const answer = corrector.open().then((opened) => opened.correct(request, stop));
  // In this order, so that nothing listens to the signal after the time limit. Timers may fire
  // slightly early; the clock that decides about the budget must have passed it.
  return raceAbort(withinTime(answer, Math.max(0, leftMs) + 2, refuse), signal);
}

type CheckedChunk = { segments: Segment[]; accepted: number; dropped: number };

function check(
  { segments, terms }: CorrectionRequest,
  texts: readonly unknown[],
  checkOne: typeof checkCorrection,
): CheckedChunk {
  if (!Array.isArray(texts) || texts.length !== segments.length || texts.some((text) => typeof text !== 'string')) {
    throw new AppError('engine_failed', 'The answer of the corrector has the wrong form.');
  }
  const answers = segments.map((segment, index) => checkOne(segment, String(texts[index]), terms));
  return {
    segments: answers.map(({ segment }) => segment),
    accepted: answers.reduce((sum, { accepted }) => sum + accepted, 0),
    dropped: answers.reduce((sum, { dropped }) => sum + dropped, 0),
  };
}
