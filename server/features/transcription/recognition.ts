import { AppError } from '@jyutsing/contracts/errors';
import type { Channel } from '@jyutsing/concurrency/channel';
import type { Ability, ModelRef, OpenedOf } from '@jyutsing/contracts/abilities';
import type { CorrectionSegment } from '@jyutsing/contracts/corrector';
import type { SpeakerTurn } from '@jyutsing/contracts/diarizer';
import type { RecognizedSyllable } from '@jyutsing/contracts/transcript';
import type { TranscriptionOptions, TranscriptionResult } from '@jyutsing/contracts/transcription';
import type { TranscriptionModels } from '@jyutsing/contracts/transcription-plan';

/** The input of one transcription. `path` is the file of the recording. */
export type TranscriptionCall = {
  path: string;
  /** The only channel to recognize, from 0; absent: all are mixed. */
  channel?: number;
  models: TranscriptionModels;
  /** Words that recognizers shall hear more easily; absent: none. */
  hotWords?: readonly string[];
  options: Pick<
    TranscriptionOptions,
    | 'language'
    | 'context'
    | 'withDiarization'
    | 'channels'
    | 'knownSpeakers'
    | 'speakers'
    | 'diarizationThreshold'
    | 'withPunctuation'
    | 'numerals'
    | 'everydaySpelling'
  >;
};

/** The services of the process that a recognition uses. */
export type RecognitionContext = {
  /** Opens a planned model, or gives the one that is open. */
  open<A extends Ability>(ref: ModelRef<A>): Promise<OpenedOf<A>>;
  maxDurationMs: number;
  /**
   * Takes each segment with its syllables, in order, and is closed at the end; null: no syllables
   * are needed.
   */
  corrections: Pick<Channel<CorrectionSegment>, 'send' | 'close'> | null;
};

export type BestSyllable = Pick<RecognizedSyllable, 'startMs' | 'endMs'> & { reading: string };

/**
 * A recording as it was recognized, before correction and with one list of segments for all
 * speakers.
 */
export type Recognition = Pick<
  TranscriptionResult,
  | 'language'
  | 'backend'
  | 'modelFailures'
  | 'durationMs'
  | 'soundMs'
  | 'notice'
  | 'tracks'
  | 'segments'
  | 'speakerNames'
  | 'transcriptionSeconds'
> & {
  /** The most likely syllables of each segment; empty when not available. */
  syllables: BestSyllable[][];
  /** The turns of the speakers; null when the request does not ask for them. */
  turns: SpeakerTurn[] | null;
};

export type Speakers = Pick<Recognition, 'turns' | 'speakerNames'>;

/** The error is the model's own, and not that of the recording or of a server that is away. */
export function isFailureOfModel(thrown: unknown): boolean {
  return thrown instanceof AppError && (thrown.code === 'engine_failed' || thrown.code === 'timed_out');
}
