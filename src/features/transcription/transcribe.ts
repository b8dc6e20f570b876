import type { RecognitionEvent } from '#contracts/recognizer.ts';
import type { Language, LanguageChoice, Segment } from '#contracts/transcript.ts';
import type { TranscriptionOptions, TranscriptionResult } from '#contracts/transcription.ts';
import { AppError } from '#contracts/errors.ts';

export type ListeningOptions = { language: LanguageChoice; context: string | null };

/**
 * What listening to one file gives: once that the work begins (before it, the file may wait for a free worker); the language,
 * where it had to be found out and there was speech to tell it by; who recognises; the recogniser's events; and last how long the
 * sound really was.
 */
export type ListeningEvent =
  | { type: 'audio-start' }
  | { type: 'language-detected'; language: Language; confidence: number }
  | { type: 'recognizer-chosen'; backend: string }
  | RecognitionEvent
  | { type: 'audio-end'; durationMs: number };

/** Hears of the work while it goes on. `progress` never goes back; segments come in order and are final. */
export type TranscriptionObserver = {
  progress(processedMs: number): void;
  segment(segment: Segment): void;
};

/** Decodes and recognises one file; the caller chose file and engine. Throws AppError; an aborted signal throws its reason. */
export type Listen = (options: ListeningOptions, signal: AbortSignal) => AsyncIterable<ListeningEvent>;

/**
 * From a recording to its transcript: the recognition stage now, later stages (speakers, fusion) after it.
 */
export async function transcribe(
  options: TranscriptionOptions,
  listen: Listen,
  observer: TranscriptionObserver,
  signal: AbortSignal,
): Promise<TranscriptionResult> {
  let startedMs = performance.now();
  const segments: Segment[] = [];
  let language: Language | null = options.language === 'auto' ? null : options.language;
  let backend: string | null = null;
  let durationMs: number | null = null;
  for await (const event of listen({ language: options.language, context: options.context }, signal)) {
    switch (event.type) {
      case 'audio-start':
        startedMs = performance.now();
        break;
      case 'progress':
        observer.progress(event.processedMs);
        break;
      case 'language-detected':
        language = event.language;
        break;
      case 'recognizer-chosen':
        backend = event.backend;
        break;
      case 'segment-end':
        segments.push(event.segment);
        observer.segment(event.segment);
        break;
      case 'audio-end':
        durationMs = event.durationMs;
        break;
    }
  }
  if (durationMs === null || backend === null)
    throw new AppError('engine_failed', 'The recognition ended before the recording did.');
  return {
    // Where there was no speech, there was nothing to tell the language by.
    language: language ?? 'cantonese',
    backend,
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
