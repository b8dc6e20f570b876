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

/** How long a timed block may be: characters of Chinese (Latin letters count half), and milliseconds. */
export type CueLimits = { maxCharacters: number; maxMs: number };

/** Where the work stands. `queued` also while it waits for a free worker. */
export const TRANSCRIPTION_STAGES = ['queued', 'recognition', 'diarization', 'fusion'] as const;
export type TranscriptionStage = (typeof TRANSCRIPTION_STAGES)[number];

/** How far the work is: `processedMs` of the recording in the present stage; never goes back within one. */
export type TranscriptionProgress = { stage: TranscriptionStage; processedMs: number };

/**
 * Who does the work of a request. `backend` is the model, or with `auto` as language what the choice will be made from; `version`
 * names code and weights of every ability that takes part.
 */
export type TranscriptionPlan = { backend: string; version: string; willFuse: boolean };

/** What fusion gave. Both lists have one entry for each segment of the transcription, in their order. */
export type Fusion = {
  /** The same stretches and speakers with the corrected text. */
  segments: Segment[];
  /** The syllables that the romanising pass heard, jyutping with one space between. */
  romanization: string[];
};

/** What the work gave. Times are seconds. */
export type TranscriptionResult = {
  language: Language;
  /** The model that recognised it. */
  backend: string;
  segments: Segment[];
  /** Null where it did not run. */
  fusion: Fusion | null;
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
  /** Names everything that the text depends on; records of an account with the same key have the same text. */
  cacheKey: string;
  /** Where the final record is sent as a signed POST; null: nowhere. */
  callbackUrl: string | null;
  stage: TranscriptionStage;
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

/** A record without its texts, which may be large. */
export type TranscriptionSummary = Omit<TranscriptionRecord, 'result'>;
