import type { Ability, ModelRef, OpenedOf } from '@jyutsing/contracts/abilities';
import type { CorpusEntry } from '@jyutsing/contracts/corpus';
import type { CorrectionSegment } from '@jyutsing/contracts/corrector';
import type { AppError, ErrorCode } from '@jyutsing/contracts/errors';
import type { Segment } from '@jyutsing/contracts/transcript';
import type {
  Fusion,
  TranscriptionOptions,
  TranscriptionProgress,
  TranscriptionResult,
} from '@jyutsing/contracts/transcription';
import type { TranscriptionModels } from '@jyutsing/contracts/transcription-plan';

/** The input of one transcription, as a worker process receives it. */
export type TranscriptionCall = {
  /** The file of the recording. */
  path: string;
  models: TranscriptionModels;
  options: Pick<
    TranscriptionOptions,
    | 'language'
    | 'context'
    | 'withDiarization'
    | 'knownSpeakers'
    | 'speakers'
    | 'diarizationThreshold'
    | 'withPunctuation'
    | 'numerals'
  >;
  /** Null: no correction. */
  bias: CorpusBias | null;
};

/** The corpora that bias the correction of a request. */
export type CorpusBias = {
  /** Identifies the corpora and their versions. */
  corporaKey: string;
  /** Null: use those sent before; a process without them answers `corpora-missing`. */
  entries: readonly CorpusEntry[] | null;
};

/**
 * The events of a transcription; `result` is the last one. Segments come before any correction. The
 * lists of the result come in parts before it, so that no message of ten hours stops the server.
 */
export type TranscriptionEvent =
  | { type: 'corpora-missing' }
  | { type: 'progress'; progress: TranscriptionProgress }
  | { type: 'segment'; segment: Segment }
  | { type: 'correction-failed'; corrector: string | null; code: ErrorCode; message: string }
  | ({ type: 'result-part' } & Pick<TranscriptionResult, 'segments' | 'fusion'>)
  | { type: 'result'; result: TranscriptionResult };

/** What a transcription finds in its process. */
export type TranscriptionContext = {
  /** Opens a planned model, or gives the one that is open. */
  open<A extends Ability>(ref: ModelRef<A>): Promise<OpenedOf<A>>;
  maxDurationMs: number;
  /** Null: no correction. */
  fuse: Fuse | null;
};

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

/** Receives the progress of a transcription. Segments come in order, before any correction. */
export type TranscriptionObserver = {
  progress(progress: TranscriptionProgress): void;
  segment(segment: Segment): void;
  /** A corrector failed; with null, all of fusion failed and the text stays as recognized. */
  correctionFailed(corrector: string | null, error: Pick<AppError, 'code' | 'message'>): void;
};
