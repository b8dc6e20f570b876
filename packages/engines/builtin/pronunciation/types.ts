import type { PronunciationAssessment, PronunciationTarget, SpeakerRegister } from '@jyutsing/contracts/pronunciation';
import type { FramePitch } from '#engines/builtin/acoustic-model.ts';
import type { AcousticLabels, Posteriors } from '#engines/builtin/decoder/types.ts';

/** The opinion of one model about a recording, in frames of `labels.frameMs` from its start. */
export type Hearing = { labels: AcousticLabels; posteriors: Posteriors };

/**
 * A recording as it was heard. `further` is another model's opinion, with the same onsets, rimes
 * and tones in frames of its own length; the first one places the syllables.
 */
export type AcousticAnalysis = Hearing & {
  /** Mono sound at 16 kHz. */
  samples: Float32Array;
  /** One value for each frame of `posteriors`. */
  pitch: FramePitch;
  further?: Hearing;
};

/** A syllable whose tone is to be judged. */
export type ToneQuestion = {
  /** Tones of the accepted readings, counted from 1; the most probable first. */
  expected: readonly number[];
  /** The rime as the model spells it: checked ones (-p, -t, -k) have other contours. */
  rime: string;
  /** Frames of the whole aligned syllable: its voiced frames carry the tone. */
  startFrame: number;
  endFrame: number;
  /** Mean log-posteriors of the acoustic model's tones over the frames of the rime, by tone − 1. */
  modelLogp: readonly number[];
};

export type ToneAnswer = {
  /**
   * Calibrated log-probabilities of the tones, by tone − 1, without a preference for the expected
   * one.
   */
  logp: readonly number[];
  /** Contour as `AssessedTone` describes it. */
  contourSemitones: readonly number[];
};

/** Answers in the order of the questions; `register` is null without voiced syllables. */
export type JudgedTones = { answers: readonly ToneAnswer[]; register: SpeakerRegister | null };

/**
 * Judges the tones of one recording together: each gives evidence about the register of the others.
 * Questions are in order of time; `knownRegister` comes from earlier recordings of the speaker.
 */
export type ToneJudge = (
  questions: readonly ToneQuestion[],
  analysis: AcousticAnalysis,
  knownRegister?: SpeakerRegister | null,
) => JudgedTones;

/** Timing of a recording, independent of its content. */
export type SpokenTiming = {
  /**
   * Spoken units of the text in order: syllables or English words, each with its number of
   * syllables.
   */
  units: readonly {
    startMs: number;
    endMs: number;
    syllables: number;
    /** True if a pause before it is as it should be. */ afterPause: boolean;
  }[];
  /** Number of units in the text. */
  expectedUnits: number;
  /** Numbers of repeated units, and of inserted sounds. */
  repetitions: number;
  insertions: number;
};

/**
 * The two halves of scoring in one language, separate so that one recording can be compared with
 * many texts.
 */
export type Scorer = {
  /** Analyzes a recording. Throws `engine_failed`. */
  analyze(samples: Float32Array): Promise<AcousticAnalysis>;
  /**
   * Compares an analysis with a text of the scorer's language. Synchronous, without state between
   * calls.
   */
  assess(
    analysis: AcousticAnalysis,
    target: PronunciationTarget,
    register?: SpeakerRegister | null,
  ): PronunciationAssessment;
  close(): Promise<void>;
};
