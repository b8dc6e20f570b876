import type { ModelRef } from '@jyutsing/contracts/abilities';
import type { CorpusEntry } from '@jyutsing/contracts/corpus';
import type { CorrectionSegment } from '@jyutsing/contracts/corrector';
import type { SpeakerTurn } from '@jyutsing/contracts/diarizer';
import type { AppError, ErrorCode } from '@jyutsing/contracts/errors';
import type { RecognitionEvent } from '@jyutsing/contracts/recognizer';
import type { Language, LanguageChoice, RecognizedSyllable, Segment } from '@jyutsing/contracts/transcript';
import type { Fusion, TranscriptionProgress } from '@jyutsing/contracts/transcription';

export type FileRecognitionOptions = {
  language: LanguageChoice;
  context: string | null;
  /** Whether to return the syllables of Cantonese. */
  romanize: boolean;
  /** Whether to find the speakers. */
  diarize: boolean;
};

/**
 * The events of recognizing one file, in this order: the work begins (the file may have waited for
 * a free worker); the language, if it was unknown and there is speech; the recognizer's model; its
 * events; the measured duration; then, if requested, the syllables of each segment in order (unless
 * the recognizer gave them) and the speaker turns.
 */
export type FileRecognitionEvent =
  | { type: 'audio-start' }
  | { type: 'language-detected'; language: Language; confidence: number }
  | { type: 'recognizer-chosen'; backend: string }
  | RecognitionEvent
  | { type: 'audio-end'; durationMs: number }
  | { type: 'segment-syllables'; syllables: RecognizedSyllable[] }
  | { type: 'diarization-progress'; processedMs: number }
  | { type: 'turns'; turns: SpeakerTurn[] };

/**
 * Decodes and recognizes a file that the caller chose, with the planned models. Throws AppError; an
 * aborted signal throws its reason.
 */
export type RecognizeFile = (
  options: FileRecognitionOptions,
  signal: AbortSignal,
) => AsyncIterable<FileRecognitionEvent>;

/** The events of correcting segments. When a corrector fails, the next one is used. */
export type FusionEvent =
  | { type: 'progress'; processedMs: number }
  | { type: 'corrector-failed'; corrector: string; code: ErrorCode; message: string }
  | { type: 'fusion-end'; fusion: Fusion };

/**
 * Corrects segments with the corpora and the context of their request. Throws `timed_out` when a
 * chunk exceeds its time budget; an aborted signal throws its reason.
 */
export type Fuse = (segments: readonly CorrectionSegment[], signal: AbortSignal) => AsyncIterable<FusionEvent>;

/** The input of the worker task that corrects segments. */
export type FusionCall = {
  segments: readonly CorrectionSegment[];
  context: string | null;
  /** Best first. */
  correctors: readonly ModelRef<'corrector'>[];
  /** Identifies the corpora of the request and their versions. */
  corporaKey: string;
  /** Null: use the entries sent before; a process without them answers `corpora-missing`. */
  entries: readonly CorpusEntry[] | null;
};

export type FusionCallEvent = FusionEvent | { type: 'corpora-missing' };

/** Receives the progress of a transcription. Segments come in order, before any correction. */
export type TranscriptionObserver = {
  progress(progress: TranscriptionProgress): void;
  segment(segment: Segment): void;
  /** A corrector failed; with null, all of fusion failed and the text stays as recognized. */
  correctionFailed(corrector: string | null, error: AppError): void;
};
