import type { CorrectionSegment } from '@jyutsing/contracts/corrector';
import type { SpeakerTurn } from '@jyutsing/contracts/diarizer';
import type { AppError, ErrorCode } from '@jyutsing/contracts/errors';
import type { RecognitionEvent } from '@jyutsing/contracts/recognizer';
import type { RecognizedSyllable, Language, LanguageChoice, Segment } from '@jyutsing/contracts/transcript';
import type { Fusion, TranscriptionProgress } from '@jyutsing/contracts/transcription';

export type FileRecognitionOptions = {
  language: LanguageChoice;
  context: string | null;
  /** Whether the syllables of Cantonese are wanted beside its text; and whether speakers are to be told apart. */
  romanize: boolean;
  diarize: boolean;
};

/**
 * What listening to one file gives: once that the work begins (before it, the file may wait for a free worker); the language,
 * where it had to be found out and there was speech to tell it by; who recognises; the recogniser's events; how long the sound really
 * was; then, where they were wanted, the syllables of each segment in turn (unless the recogniser gave them) and who spoke when.
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

/** Decodes and recognises one file; the caller chose file and engine. Throws AppError; an aborted signal throws its reason. */
export type RecognizeFile = (
  options: FileRecognitionOptions,
  signal: AbortSignal,
) => AsyncIterable<FileRecognitionEvent>;

/** What correcting a transcript gives, in the end the fusion. Where a corrector fails, the next one does its work. */
export type FusionEvent =
  | { type: 'progress'; processedMs: number }
  | { type: 'corrector-failed'; corrector: string; code: ErrorCode; message: string }
  | { type: 'fusion-end'; fusion: Fusion };

/**
 * Corrects a transcript with the corpora and the hint of its request. Throws `timed_out` when a chunk exceeds its time budget; an
 * aborted signal throws its reason.
 */
export type Fuse = (segments: readonly CorrectionSegment[], signal: AbortSignal) => AsyncIterable<FusionEvent>;

/** Hears of the work while it goes on. Progress never goes back within a stage; segments come in order and are as recognised. */
export type TranscriptionObserver = {
  progress(progress: TranscriptionProgress): void;
  segment(segment: Segment): void;
  /** A corrector failed, or with null all of fusion did: then the text is given as it was recognised. */
  correctionFailed(corrector: string | null, error: AppError): void;
};
