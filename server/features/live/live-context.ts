import type { Ability, ModelRef, OpenedOf } from '@jyutsing/contracts/abilities';
import type { LiveSpeechDetector } from '@jyutsing/audio/speech/live-speech-detector';
import type { LiveCorrectionModels, LiveEvent } from '@jyutsing/contracts/live-recognition';
import type { Segment } from '@jyutsing/contracts/transcript';

/** A recognized piece of Cantonese with its sound; times count from its beginning. */
export type SpeechCorrection = {
  models: LiveCorrectionModels;
  /** See `RecognitionOptions`. */
  context: string | null;
  /** The piece to correct; null only loads the models. */
  piece: { segment: Segment; samples: Float32Array } | null;
};

/** The services of the process that a session uses. */
export type LiveContext = {
  open<A extends Ability>(ref: ModelRef<A>): Promise<OpenedOf<A>>;
  /**
   * Runs work when it is this session's turn: the sessions of a process share its processor, or the
   * `concurrency` of a recognizer that computes elsewhere. The work that is due first comes first.
   */
  inTurn<Result>(turn: { concurrency: number; dueInMs: number }, work: () => Promise<Result>): Promise<Result>;
  /** Finds where somebody speaks; one for each session. */
  createDetector(): Promise<LiveSpeechDetector>;
  /** Tells whether a piece that the detector found contains speech, as opposed to noise. */
  isSpeech(samples: Float32Array): Promise<boolean>;
  /** The corrected piece; null where that takes too long or there is nothing to correct. */
  correct(correction: SpeechCorrection): Promise<Segment | null>;
  emit(event: LiveEvent): void;
  /** Called for every sound that has been taken, with its number of samples. */
  onTaken(samples: number): void;
};
