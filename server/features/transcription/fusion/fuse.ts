import type { CorrectionRequest, CorrectionSegment, Corrector, Term } from '@jyutsing/contracts/corrector';
import { AppError, toAppError } from '@jyutsing/contracts/errors';
import type { Segment } from '@jyutsing/contracts/transcript';
import type { FusionEvent } from '#features/transcription/stages.ts';
import type { checkCorrection } from './check-correction.ts';
import { cutIntoChunks } from './chunks.ts';
import { createCircuitBreaker, type CircuitBreaker } from '@jyutsing/concurrency/circuit-breaker';

/** A transcript with what was heard of it, and what biases its correction: the terms of its corpora and of the hint, and the hint itself. */
export type FusionInput = { segments: readonly CorrectionSegment[]; terms: readonly Term[]; context: string | null };

/** A corrector that may be asked; it is opened when it is first needed, and stays open as long as its owner likes. */
export type CorrectorChoice = { name: string; open(): Promise<Corrector> };

export type FusionOptions = {
  /** Within which each chunk must be corrected, whoever does it. */
  chunkBudgetMs: number;
};

/** What became of a chunk; nothing of what was said is in it. */
export type ChunkReport = {
  /** Whose corrections were taken; null: the chunk stays as it was recognised. */
  corrector: string | null;
  accepted: number;
  dropped: number;
  seconds: number;
  /** Correctors that answered in time and in form, whether or not anything of it was taken. */
  answers: string[];
  /** Correctors that were asked in vain, and why. */
  failures: { corrector: string; error: AppError }[];
};

/** Hears of the work for logs and metrics. */
export type FusionObserver = { chunk(report: ChunkReport): void };

const NOBODY: FusionObserver = { chunk: () => {} };

/** All correctors but the last share so much of a chunk's time, so that one which is late leaves time for the next. */
const SHARE_OF_FIRST = 0.6;
/** After so many failures in a row a corrector is not asked again for this transcript, whatever its reasons. */
const MOST_FAILURES = 2;

/**
 * Corrects homophones, chunk by chunk: the correctors are asked in their order (the best first), and the first answer in time and in form
 * counts, so far as it was heard (check-correction.ts). Where nothing of an answer can be accepted, or a corrector fails, the next one is
 * asked; where all do, the chunk stays as it was recognised. Progress comes after each chunk, the fusion at the end. Throws `timed_out`
 * when a chunk exceeds its time budget; an aborted signal throws its reason. `rests` remembers what servers did beyond one transcript.
 */
export async function* fuse(
  { segments, terms, context }: FusionInput,
  correctors: readonly CorrectorChoice[],
  { chunkBudgetMs }: FusionOptions,
  signal: AbortSignal,
  observer: FusionObserver = NOBODY,
  rests: CircuitBreaker = createCircuitBreaker(),
): AsyncGenerator<FusionEvent> {
  // Dictionaries and script tables take 160 MB, which processes that correct nothing need not have; and a second, which is no chunk's.
  const { checkCorrection } = await import('./check-correction.ts');
  const failures = new Map<string, number>();
  const fused: Segment[] = [];
  for (const chunk of cutIntoChunks(segments)) {
    signal.throwIfAborted();
    if (chunk.some(isCorrectable)) {
      const last = correctors.at(-1);
      const asked = correctors.filter(
        (each) => each === last || ((failures.get(each.name) ?? 0) < MOST_FAILURES && !rests.isOpen(each.name)),
      );
      const request = { segments: chunk, terms, context };
      const { checked, report } = await fuseChunk(request, asked, checkCorrection, chunkBudgetMs, signal);
      for (const { corrector, error } of report.failures) {
        failures.set(corrector, (failures.get(corrector) ?? 0) + 1);
        rests.recordFailure(corrector, error.code);
      }
      for (const corrector of report.answers) {
        failures.delete(corrector);
        rests.recordSuccess(corrector);
      }
      observer.chunk(report);
      fused.push(...checked);
    } else fused.push(...chunk.map(({ segment }) => segment));
    const processedMs = chunk.at(-1)?.segment.endMs;
    if (processedMs !== undefined) yield { type: 'progress', processedMs };
  }
  yield { type: 'fusion-end', fusion: { segments: fused, romanization: segments.map(romanize) } };
}

/** The best syllable of each place, one space between. */
function romanize({ syllables: heard }: CorrectionSegment): string {
  return heard.flatMap(({ alternatives }) => alternatives[0]?.reading ?? []).join(' ');
}

/** Without Chinese characters, or without anything heard, every change would be dropped. */
function isCorrectable({ segment, syllables: heard }: CorrectionSegment): boolean {
  return heard.length > 0 && /\p{Script=Han}/u.test(segment.text);
}

type FusedChunk = { checked: Segment[]; report: ChunkReport };

async function fuseChunk(
  request: CorrectionRequest,
  correctors: readonly CorrectorChoice[],
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
    const leftMs = budgetMs * (isLast ? 1 : SHARE_OF_FIRST) - spentMs();
    // What an earlier one used up is not this one's failure.
    if (!isLast && leftMs <= 0) continue;
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
  // Once there was an answer in time, however useless, a slow successor must not cost the record.
  if (!isInTime && spentMs() >= budgetMs) {
    const seconds = Number((budgetMs / 1_000).toPrecision(3));
    throw new AppError('timed_out', `A fusion chunk exceeded its time budget of ${seconds} s.`, {
      cause: report.failures.at(-1)?.error,
    });
  }
  report.seconds = Math.round(spentMs()) / 1_000;
  return { checked, report };
}

/** Asks and waits no longer than that, also for one that does not heed its signal. */
async function correctInTime(
  corrector: CorrectorChoice,
  request: CorrectionRequest,
  leftMs: number,
  signal: AbortSignal,
): Promise<string[]> {
  signal.throwIfAborted();
  const late = new AbortController();
  const stop = AbortSignal.any([signal, late.signal]);
  const stopped = Promise.withResolvers<never>();
  const refuse = () => stopped.reject(stop.reason);
  stop.addEventListener('abort', refuse, { once: true });
  stopped.promise.catch(() => {});
  // Timers may run a little early; the clock that decides about the budget must have passed it.
  const timer = setTimeout(
    () => late.abort(new AppError('timed_out', 'The corrector did not answer in time.')),
    Math.max(0, leftMs) + 2,
  );
  const answer = corrector.open().then((opened) => opened.correct(request, stop));
  // Nobody listens any more to one that fails after its time.
  answer.catch(() => {});
  try {
    return await Promise.race([answer, stopped.promise]);
  } finally {
    clearTimeout(timer);
    // Made of others, the signal lives as long as they do while somebody listens, and with it what was corrected.
    stop.removeEventListener('abort', refuse);
  }
}

type CheckedChunk = { segments: Segment[]; accepted: number; dropped: number };

function check(
  { segments, terms }: CorrectionRequest,
  texts: readonly unknown[],
  checkOne: typeof checkCorrection,
): CheckedChunk {
  if (!Array.isArray(texts) || texts.length !== segments.length || texts.some((text) => typeof text !== 'string')) {
    throw new AppError('engine_failed', 'The corrector gave an answer of another form.');
  }
  const answers = segments.map((segment, index) => checkOne(segment, String(texts[index]), terms));
  return {
    segments: answers.map(({ segment }) => segment),
    accepted: answers.reduce((sum, { accepted }) => sum + accepted, 0),
    dropped: answers.reduce((sum, { dropped }) => sum + dropped, 0),
  };
}
