import type { PronunciationAssessment, PronunciationTarget } from '@jyutsing/contracts/pronunciation';
import type { FramePitch } from '#engines/builtin/acoustic-model.ts';
import type { AcousticLabels, Posteriors } from '#engines/builtin/decoder/types.ts';

/** Everything that the acoustic model of a language says of one recording. Times in frames count from its start, `labels.frameMs` each. */
export type AcousticAnalysis = {
  /** Mono, 16 kHz. */
  samples: Float32Array;
  labels: AcousticLabels;
  posteriors: Posteriors;
  pitch: FramePitch;
};

/** A syllable of which the tone is asked. */
export type ToneQuestion = {
  /** Tones of the accepted readings, 1…; the likeliest first. */
  expected: readonly number[];
  /** The rime as the model spells it: checked ones (-p, -t, -k) have other contours. */
  rime: string;
  /** Frames of the whole syllable as it was aligned: voiced ones in it carry the tone. */
  startFrame: number;
  endFrame: number;
  /** Mean log-posteriors of the acoustic model's tones over the frames in which it hears the rime, by tone − 1. */
  modelLogp: readonly number[];
};

export type ToneAnswer = {
  /** Calibrated natural logarithms of the probabilities of the tones, by tone − 1, before the expected one is given any preference. */
  logp: readonly number[];
  /** See `AssessedTone`. */
  contourSemitones: readonly number[];
};

/** Judges the tones of one recording together: each tells something of the register of the others. Questions are in order of time. */
export type ToneJudge = (questions: readonly ToneQuestion[], analysis: AcousticAnalysis) => ToneAnswer[];

/** How a recording went in time, whatever was said. */
export type SpokenTiming = {
  /** What was said of the text, in order; a syllable or an English word each, with its number of syllables. */
  units: readonly {
    startMs: number;
    endMs: number;
    syllables: number;
    /** A pause before it is as it should be. */ afterPause: boolean;
  }[];
  /** How many units the text has. */
  expectedUnits: number;
  /** Units said once more, and sounds put in that the text does not have. */
  repetitions: number;
  insertions: number;
};

/** The two halves of scoring in one language, apart so that one recording can be compared with many texts. */
export type Scorer = {
  /** Throws `engine_failed`. */
  analyze(samples: Float32Array): Promise<AcousticAnalysis>;
  /** Synchronous, without state between calls. The target is of the scorer's language. */
  assess(analysis: AcousticAnalysis, target: PronunciationTarget): PronunciationAssessment;
  close(): Promise<void>;
};
