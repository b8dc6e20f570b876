import type { RecognitionEvent, RecognitionOptions } from '#contracts/recognizer.ts';
import type { Language, Segment } from '#contracts/transcript.ts';
import type { TranscriptionOptions, TranscriptionResult } from '#contracts/transcription.ts';
import { AppError } from '#contracts/errors.ts';

/**
 * What listening to one file gives: once that the work begins (before it, the file may wait for a free worker), the recogniser's
 * events, and last how long the sound really was.
 */
export type ListeningEvent = { type: 'audio-start' } | RecognitionEvent | { type: 'audio-end'; durationMs: number };

/** Decodes and recognises one file; the caller chose file and engine. Throws AppError; an aborted signal throws its reason. */
export type Listen = (options: RecognitionOptions, signal: AbortSignal) => AsyncIterable<ListeningEvent>;

/**
 * From a recording to its transcript: the recognition stage now, later stages (speakers, fusion) after it.
 * `onProgress` hears how many milliseconds of the recording are done; it never goes back.
 */
export async function transcribe(
  options: TranscriptionOptions,
  listen: Listen,
  onProgress: (processedMs: number) => void,
  signal: AbortSignal,
): Promise<TranscriptionResult> {
  let startedMs = performance.now();
  const segments: Segment[] = [];
  let language: Language | null = options.language === 'auto' ? null : options.language;
  let durationMs: number | null = null;
  for await (const event of listen({ language: options.language, context: options.context }, signal)) {
    switch (event.type) {
      case 'audio-start':
        startedMs = performance.now();
        break;
      case 'progress':
        onProgress(event.processedMs);
        break;
      case 'language-detected':
        language = event.language;
        break;
      case 'segment-end':
        segments.push(event.segment);
        break;
      case 'audio-end':
        durationMs = event.durationMs;
        break;
    }
  }
  if (durationMs === null) throw new AppError('engine_failed', 'The recognition ended before the recording did.');
  return {
    // An engine that was asked to decide and heard no speech has nothing to decide by.
    language: language ?? 'cantonese',
    segments,
    durationMs,
    transcriptionSeconds: secondsSince(startedMs),
    fusionSeconds: 0,
    isCached: false,
  };
}

/** Seconds from a moment of `performance.now()` until now, to the millisecond. */
export function secondsSince(startedMs: number): number {
  return Math.round(performance.now() - startedMs) / 1_000;
}

/** Credits of a recording: one for each begun second, at least one. */
export function creditsFor(durationMs: number): number {
  return Math.max(1, Math.ceil(durationMs / 1_000));
}
