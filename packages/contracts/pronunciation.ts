import type { Engine, RankedCapabilities } from './engine.ts';
import type { Language } from './transcript.ts';

/** Minimum scores to pass (interface 2.9). A part with this score is as likely wrong as right. */
export const PASS_MARKS = { cantonese: 90, mandarin: 70, english: 70 } as const satisfies Record<Language, number>;

/** A syllable of Cantonese or Mandarin in a target text. */
export type TargetSyllable = {
  kind: 'syllable';
  /**
   * The character as spoken, with digits and letters written out (`3` is `三`): one unit per
   * syllable.
   */
  text: string;
  /**
   * Accepted readings as jyutping or pinyin with a tone digit, the most likely in context first; at
   * least one.
   */
  readings: readonly string[];
  /** A punctuation mark before it allows a pause. */
  afterPause: boolean;
  /** Other usual ways to say this and the following units; absent for none. */
  otherWordings?: readonly OtherWording<TargetSyllable>[];
};

/** Another way to say the same: 廿三 for 二十三. `replaces` counts units from the one that has it. */
export type OtherWording<Unit> = { replaces: number; units: readonly (Unit | TargetOther)[] };

/** An English word in a target text. */
export type TargetWord = {
  kind: 'word';
  /** As spoken, with numbers written out. */
  text: string;
  /**
   * Accepted pronunciations as ARPAbet phones without stress (`AX` is schwa), the commonest first;
   * at least one, none empty.
   */
  pronunciations: readonly (readonly string[])[];
  afterPause: boolean;
  /** As of `TargetSyllable`. */
  otherWordings?: readonly OtherWording<TargetWord>[];
};

/** Words of numbers of one kind by their text: another of them in the place of one is wrong. */
export type NumberWords = Readonly<Record<string, TargetWord>>;

/** A word of another language in the text: it may be spoken, and is not scored. */
export type TargetOther = { kind: 'other'; text: string; afterPause: boolean };

/**
 * How much is a matter of taste: `everyday` accepts the sound changes of many native speakers (你 as
 * lei5), `broadcast` only the pronunciation of dictionaries.
 */
export const STRICTNESSES = ['everyday', 'broadcast'] as const;
export type Strictness = (typeof STRICTNESSES)[number];

/**
 * The text to be read aloud, in order; at least one unit is not `other`. Only Cantonese has more
 * than one strictness; the default is `everyday`.
 */
export type PronunciationTarget =
  | {
      language: 'cantonese' | 'mandarin';
      units: readonly (TargetSyllable | TargetOther)[];
      strictness?: Strictness;
    }
  | {
      language: 'english';
      units: readonly (TargetWord | TargetOther)[];
      /** The words of numbers, where the text has any. */
      numbers?: readonly NumberWords[];
    };

/**
 * The result for one part of a unit. `variant` is another pronunciation that many native speakers
 * use; `unsure` parts count as right, because the recording as a whole agrees with its text, though
 * `heard` is what they resemble more; `omitted` parts have `heard` null and score 0.
 */
export const VERDICTS = ['right', 'variant', 'unsure', 'wrong', 'omitted'] as const;
export type Verdict = (typeof VERDICTS)[number];

/**
 * A scored onset, rime or phone. The zero onset is the empty string. `heard` is null for an omitted
 * part.
 */
export type AssessedPart = { expected: string; heard: string | null; verdict: Verdict; /** 0–100. */ score: number };

/** A scored tone. */
export type AssessedTone = {
  expected: number;
  heard: number | null;
  verdict: Verdict;
  score: number;
  /**
   * Pitch of the syllable's voiced part at equal intervals, in semitones relative to the speaker's
   * register; empty when unvoiced.
   */
  contourSemitones: readonly number[];
};

/** The time span of a unit; null when omitted. */
type TimeSpan = { startMs: number | null; endMs: number | null };

export type AssessedSyllable = TimeSpan & {
  text: string;
  /** The accepted reading that is nearest to the recording. */
  expected: string;
  /** The recognized reading; null when omitted. */
  heard: string | null;
  /** 0–100. */
  score: number;
  verdict: Verdict;
  /**
   * The sound change of native speakers, such as `n/l`, by which the heard syllable differs from
   * the expected one; null without one.
   */
  rule: string | null;
  onset: AssessedPart;
  rime: AssessedPart;
  tone: AssessedTone;
};

export type AssessedWord = TimeSpan & {
  text: string;
  score: number;
  verdict: Verdict;
  /** In order, without inserted phones. */
  phonemes: readonly (AssessedPart & TimeSpan)[];
};

/**
 * Kinds of speech that the text does not have: a part of the text said once more (a restart), a
 * hesitation such as 誒, 嗯 and er, and anything else.
 */
export const INSERTION_KINDS = ['repetition', 'filler', 'other'] as const;
export type InsertionKind = (typeof INSERTION_KINDS)[number];

/** A stretch of speech that the text does not have; `heard` as jyutping, pinyin or ARPAbet. */
export type InsertedSpeech = { kind: InsertionKind; heard: string; startMs: number; endMs: number };

/** The middle of a speaker's pitch when speaking, in semitones above 1 Hz, and how sure it is. */
export type SpeakerRegister = { semitones: number; deviation: number };

/** The fields of all languages. Scores are 0–100. */
type AssessmentSummary = {
  /** The overall score; docs/pronunciation.md says how each language derives it from the others. */
  score: number;
  /** Correctness of the sounds that were spoken. */
  accuracyScore: number;
  /** Rate, pauses, repetitions. */
  fluencyScore: number;
  /** Share of the text that was spoken. */
  integrityScore: number;
  /** The whole recognized speech, not the target: jyutping with spaces (Cantonese), or text. */
  heard: string;
  /** In order of time. */
  insertions: readonly InsertedSpeech[];
  /**
   * The register of the speaker, including earlier recordings; absent in languages without tones.
   */
  register?: SpeakerRegister;
};

export type PronunciationAssessment = AssessmentSummary &
  (
    | { language: 'cantonese' | 'mandarin'; syllables: readonly AssessedSyllable[] }
    | { language: 'english'; words: readonly AssessedWord[] }
  );

/**
 * An opened assessor: scores one recording against its text. `samples` are mono audio with speech
 * at 16 kHz, −1..1, 0.1 to 60 seconds; `register`, where known, is that of earlier recordings of
 * the same speaker. Throws `engine_failed`; an aborted signal throws its reason.
 */
export type PronunciationAssessor = {
  assess(
    samples: Float32Array,
    target: PronunciationTarget,
    signal: AbortSignal,
    register?: SpeakerRegister | null,
  ): Promise<PronunciationAssessment>;
  close(): Promise<void>;
};

export type PronunciationAssessorEngine = Engine<'pronunciation-assessor', RankedCapabilities, PronunciationAssessor>;
