import type { Engine, RankedCapabilities } from './engine.ts';
import type { Language } from './transcript.ts';

/** Scores from which a recording passes (interface 2.9); of a part, what is as likely wrong as right. */
export const PASS_MARKS = { cantonese: 90, mandarin: 70, english: 70 } as const satisfies Record<Language, number>;

/** A syllable of Cantonese or Mandarin that is to be said. */
export type TargetSyllable = {
  kind: 'syllable';
  /** The character as it is spoken: a digit or a letter is written out (`3` is `三`), one unit for each syllable. */
  text: string;
  /** Every accepted reading as jyutping or pinyin with a tone digit, the one that fits the context best first; at least one. */
  readings: readonly string[];
  /** Whether a punctuation mark before it allows a pause. */
  afterPause: boolean;
};

/** A word of English that is to be said. */
export type TargetWord = {
  kind: 'word';
  /** As it is spoken: numbers are written out. */
  text: string;
  /** Every accepted pronunciation as ARPAbet phones without stress (`AX` is the schwa), the commonest first; at least one, none empty. */
  pronunciations: readonly (readonly string[])[];
  afterPause: boolean;
};

/** A word of another language within the text. It may be said, and is neither judged nor missed. */
export type TargetOther = { kind: 'other'; text: string; afterPause: boolean };

/** A text to be said, in the order of its units; at least one of them is not `other`. */
export type PronunciationTarget =
  | { language: 'cantonese' | 'mandarin'; units: readonly (TargetSyllable | TargetOther)[] }
  | { language: 'english'; units: readonly (TargetWord | TargetOther)[] };

/**
 * What became of one part of a unit. `variant` is a pronunciation that many native speakers use in its place; `omitted` parts have
 * nothing heard and no score but 0.
 */
export const VERDICTS = ['right', 'variant', 'wrong', 'omitted'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** A judged onset, rime or phone. The zero onset is the empty string. `heard` is null for what was not said. */
export type AssessedPart = { expected: string; heard: string | null; verdict: Verdict; /** 0–100. */ score: number };

/** A judged tone. */
export type AssessedTone = {
  expected: number;
  heard: number | null;
  verdict: Verdict;
  score: number;
  /** The measured pitch from the start to the end of the syllable's voiced part at equal distances, in semitones around the speaker's own register; empty where nothing is voiced. */
  contourSemitones: readonly number[];
};

/** Where a unit was said; null for what was left out. */
type Place = { startMs: number | null; endMs: number | null };

export type AssessedSyllable = Place & {
  text: string;
  /** The reading that it was judged by: of the accepted ones the nearest to what was heard. */
  expected: string;
  /** What was really heard in its place; null when it was left out. */
  heard: string | null;
  /** 0–100. */
  score: number;
  verdict: Verdict;
  onset: AssessedPart;
  rime: AssessedPart;
  tone: AssessedTone;
};

export type AssessedWord = Place & {
  text: string;
  score: number;
  verdict: Verdict;
  /** In order, phones that were put in between left out. */
  phonemes: readonly (AssessedPart & Place)[];
};

/** What is common to all languages. Scores are 0–100. */
type AssessmentSummary = {
  /** The whole: see docs/pronunciation.md for how each language makes it of the others. */
  score: number;
  /** How right the sounds of what was said are. */
  accuracyScore: number;
  /** How fluently it was said: rate, pauses, repetitions. */
  fluencyScore: number;
  /** How much of the text was said. */
  integrityScore: number;
  /** What was really heard from beginning to end, not the target: jyutping (Cantonese) with spaces between, or text. */
  heard: string;
};

export type PronunciationAssessment = AssessmentSummary &
  (
    | { language: 'cantonese' | 'mandarin'; syllables: readonly AssessedSyllable[] }
    | { language: 'english'; words: readonly AssessedWord[] }
  );

/**
 * An opened assessor: compares one recording with the text that it should be. `samples` are mono sound at 16 kHz, −1..1, 0.1 to 60
 * seconds, in which somebody speaks. Throws AppError `engine_failed`; an aborted signal throws its reason.
 */
export type PronunciationAssessor = {
  assess(samples: Float32Array, target: PronunciationTarget, signal: AbortSignal): Promise<PronunciationAssessment>;
  close(): Promise<void>;
};

export type PronunciationAssessorEngine = Engine<'pronunciation-assessor', RankedCapabilities, PronunciationAssessor>;
