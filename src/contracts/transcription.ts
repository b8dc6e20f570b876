import type { SerializedError } from './errors.ts';
import type { Language, LanguageChoice, Segment } from './transcript.ts';

export type TranscriptionStatus = 'pending' | 'processing' | 'completed' | 'failed';

/** What a caller asked for, after validation. `corpusIds` null: the default public corpora; empty: no fusion. */
export type TranscriptionOptions = {
  language: LanguageChoice;
  withTimestamp: boolean;
  withDiarization: boolean;
  context: string | null;
  skipFusion: boolean;
  corpusIds: string[] | null;
  /** The model or engine that shall recognise it; null leaves the choice to the server. */
  model: string | null;
};

/** What the work gave. Times are seconds. */
export type TranscriptionResult = {
  language: Language;
  /** The model that recognised it. */
  backend: string;
  segments: Segment[];
  durationMs: number;
  transcriptionSeconds: number;
  fusionSeconds: number;
  isCached: boolean;
};

/** One request for speech-to-text through its whole life. */
export type TranscriptionRecord = {
  id: string;
  accountId: string;
  status: TranscriptionStatus;
  /** Where the upload lies in the blob store until the record is final; it is deleted then. Null: it was never stored. */
  blobKey: string | null;
  contentSha256: string;
  sizeBytes: number;
  options: TranscriptionOptions;
  /** Measured once decoded, declared by the file before that. */
  durationMs: number;
  outputLanguage: LanguageChoice;
  /** The model that is to recognise it; with `auto` as language, what the choice will be made from once the language is known. */
  backend: string;
  processedMs: number;
  result: TranscriptionResult | null;
  error: SerializedError | null;
  processingSeconds: number | null;
  creditsUsed: number | null;
  createdAtMs: number;
  /** When a worker first took it; null while it waits. */
  startedAtMs: number | null;
  /** Last sign of life of the work; the server fails a record that shows none for too long. */
  progressAtMs: number | null;
  finishedAtMs: number | null;
};
