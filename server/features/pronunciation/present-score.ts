import {
  PASS_MARKS,
  type AssessedPart,
  type AssessedSyllable,
  type AssessedTone,
  type AssessedWord,
  type InsertedSpeech,
  type InsertionKind,
  type PronunciationTarget,
  type Strictness,
  type Verdict,
} from '@jyutsing/contracts/pronunciation';
import { explainScore, type ScoreReason } from './explain-score.ts';
import type { ScoredRecording } from './score-recording.ts';

/** Seconds from the start of the recording; null for an omitted part. */
type ShownTimeSpan = { start: number | null; end: number | null };

/** A scored onset, rime or phone. */
type ShownPart = { expected: string; heard: string | null; score: number; verdict: Verdict };

/** A scored tone; `contour` in semitones around the speaker's register. */
type ShownTone = {
  expected: number;
  heard: number | null;
  score: number;
  verdict: Verdict;
  contour: number[];
};

type ShownSyllable = ShownTimeSpan & {
  text: string;
  expected: string;
  heard: string | null;
  score: number;
  verdict: Verdict;
  rule: string | null;
  onset: ShownPart;
  rime: ShownPart;
  tone: ShownTone;
};

type ShownWord = ShownTimeSpan & {
  text: string;
  score: number;
  verdict: Verdict;
  phonemes: (ShownPart & ShownTimeSpan)[];
};

/** Speech that the text does not have. */
type ShownInsertion = { kind: InsertionKind; heard: string; start: number; end: number };

/** A unit of the text that was not heard; `index` among the syllables or words. */
type ShownOmission = { index: number; text: string };

type ShownSummary = {
  success: true;
  score: number;
  passed: boolean;
  /** It is null where the score passes. */
  reason: ScoreReason | null;
  insertions: ShownInsertion[];
  omissions: ShownOmission[];
};

/** Fields of English and Mandarin. */
type ShownReading = ShownSummary & {
  expectedText: string;
  transcribedText: string;
  wordScores: { word: string; score: number }[];
  accuracyScore: number;
  fluencyScore: number;
  integrityScore: number;
  pronunciationScore: number;
};

/**
 * A score as the interface shows it: scores 0 to 100 with one decimal, times in seconds with three,
 * pitch in semitones with two.
 */
export type ShownScore =
  | (ShownSummary & {
      language: 'cantonese';
      strictness: Strictness;
      expectedJyutping: string;
      transcribedJyutping: string;
      syllables: ShownSyllable[];
    })
  | (ShownReading & { language: 'mandarin'; syllables: ShownSyllable[] })
  | (ShownReading & { language: 'english'; words: ShownWord[] });

/** `text`: the trimmed text of the request. */
export function presentScore({ target, assessment }: ScoredRecording, text: string): ShownScore {
  const { language } = assessment;
  const score = rounded(assessment.score, 1);
  // Compares the rounded score: 89.96 is shown as 90 and must pass.
  const passed = score >= PASS_MARKS[language];
  const compared = assessment.language === 'english' ? assessment.words : assessment.syllables;
  const summary: ShownSummary = {
    success: true,
    score,
    passed,
    reason: passed ? null : withShownPinyin(explainScore(assessment), language),
    insertions: assessment.insertions.map((inserted) => showInsertion(inserted, language)),
    omissions: compared.flatMap(({ verdict, text: omitted }, index) =>
      verdict === 'omitted' ? [{ index, text: language === 'mandarin' ? umlauted(omitted) : omitted }] : [],
    ),
  };
  if (language === 'cantonese') {
    return {
      ...summary,
      language,
      strictness: strictnessOf(target),
      expectedJyutping: usualReadings(target),
      transcribedJyutping: assessment.heard,
      syllables: assessment.syllables.map(showSyllable),
    };
  }
  const { heard, units } =
    language === 'english'
      ? { heard: assessment.heard, units: assessment.words }
      : { heard: umlauted(assessment.heard), units: assessment.syllables.map(withUmlauts) };
  const reading = {
    expectedText: text,
    transcribedText: heard,
    wordScores: units.map((unit) => ({ word: unit.text, score: rounded(unit.score, 1) })),
    accuracyScore: rounded(assessment.accuracyScore, 1),
    fluencyScore: rounded(assessment.fluencyScore, 1),
    integrityScore: rounded(assessment.integrityScore, 1),
    pronunciationScore: score,
  };
  return language === 'english'
    ? { ...summary, language, ...reading, words: assessment.words.map(showWord) }
    : {
        ...summary,
        language,
        ...reading,
        syllables: assessment.syllables.map((syllable) => showSyllable(withUmlauts(syllable))),
      };
}

/** The usual reading of the text; the syllables have the reading that was compared. */
function usualReadings({ units }: ScoredRecording['target']): string {
  return units.flatMap((unit) => (unit.kind === 'syllable' ? unit.readings.slice(0, 1) : [])).join(' ');
}

const strictnessOf = (target: PronunciationTarget): Strictness =>
  target.language === 'english' ? 'everyday' : (target.strictness ?? 'everyday');

function showInsertion(inserted: InsertedSpeech, language: string): ShownInsertion {
  const { kind, startMs, endMs } = inserted;
  return {
    kind,
    heard: language === 'mandarin' ? umlauted(inserted.heard) : inserted.heard,
    start: rounded(startMs / 1_000, 3),
    end: rounded(endMs / 1_000, 3),
  };
}

/** Writes ü in the pinyin of a sentence, whose English words keep their v. */
function withShownPinyin({ code, message }: ScoreReason, language: string): ScoreReason {
  return { code, message: language === 'mandarin' ? message.replaceAll(/\b[a-z]*v[a-z]*\d/g, umlauted) : message };
}

function showSyllable(syllable: AssessedSyllable): ShownSyllable {
  const { text, expected, heard, score, verdict, rule, startMs, endMs, onset, rime, tone } = syllable;
  return {
    text,
    expected,
    heard,
    score: rounded(score, 1),
    verdict,
    rule,
    ...showTimeSpan(startMs, endMs),
    onset: showPart(onset),
    rime: showPart(rime),
    tone: showTone(tone),
  };
}

/** Pinyin with `ü` instead of the `v` of dictionaries. */
const umlauted = (pinyin: string): string => pinyin.replaceAll('v', 'ü');

function withUmlauts(syllable: AssessedSyllable): AssessedSyllable {
  const { text, expected, heard, rime } = syllable;
  return {
    ...syllable,
    text: umlauted(text),
    expected: umlauted(expected),
    heard: heard && umlauted(heard),
    rime: { ...rime, expected: umlauted(rime.expected), heard: rime.heard && umlauted(rime.heard) },
  };
}

function showWord({ text, score, verdict, startMs, endMs, phonemes }: AssessedWord): ShownWord {
  return {
    text,
    score: rounded(score, 1),
    verdict,
    ...showTimeSpan(startMs, endMs),
    phonemes: phonemes.map((phoneme) => ({ ...showPart(phoneme), ...showTimeSpan(phoneme.startMs, phoneme.endMs) })),
  };
}

function showPart({ expected, heard, score, verdict }: AssessedPart): ShownPart {
  return { expected, heard, score: rounded(score, 1), verdict };
}

function showTone({ expected, heard, score, verdict, contourSemitones }: AssessedTone): ShownTone {
  return {
    expected,
    heard,
    score: rounded(score, 1),
    verdict,
    contour: contourSemitones.map((semitones) => rounded(semitones, 2)),
  };
}

function showTimeSpan(startMs: number | null, endMs: number | null): ShownTimeSpan {
  return { start: inSeconds(startMs), end: inSeconds(endMs) };
}

function inSeconds(ms: number | null): number | null {
  return ms === null ? null : rounded(ms / 1_000, 3);
}

/** Adding 0 turns −0 into 0. */
function rounded(value: number, decimals: number): number {
  const factor = 10 ** decimals;
  return Math.round(value * factor) / factor + 0;
}
