import type { TranscriptionResult } from '@jyutsing/contracts/transcription';

/** The credits of a recording: one for each second that has begun, at least one. */
export function creditsFor(durationMs: number): number {
  return Math.max(1, Math.ceil(durationMs / 1_000));
}

/** The credits of a result: gaps in its file cost nothing, a cached result neither. */
export function creditsOf({
  durationMs,
  soundMs = durationMs,
  isCached,
}: Pick<TranscriptionResult, 'durationMs' | 'soundMs' | 'isCached'>): number {
  return isCached ? 0 : creditsFor(soundMs);
}

/** Seconds since a time of `performance.now()`, to the millisecond. */
export function secondsSince(startedMs: number): number {
  return Math.round(performance.now() - startedMs) / 1_000;
}
