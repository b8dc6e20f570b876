import type {
  AssessedPart,
  AssessedSyllable,
  PronunciationAssessment,
  PronunciationTarget,
  SpeakerRegister,
} from '@jyutsing/contracts/pronunciation';
import { align } from './align.ts';
import type { AlignedUnit } from './alignment-graph.ts';
import type { Reading, SyllableSounds } from './syllable-sounds.ts';
import { recognizeAttempts, type RecognizedAttempt, type SyllableTools } from './recognize-attempts.ts';
import { measureFluency } from './measure-fluency.ts';
import type { JudgedPart } from './judge-syllable.ts';
import { summarize } from './summarize.ts';
import type { AcousticAnalysis, SpokenTiming } from './types.ts';
import { formatRecognized, recognizedSyllables } from './format-recognized.ts';
import { countInsertions, insertedSpeech } from './inserted-speech.ts';

type SyllabicTarget = Exclude<PronunciationTarget, { language: 'english' }>;

/** A result, and every syllable that was recognized, as jyutping or pinyin. */
type RecognizedAssessment = { assessment: PronunciationAssessment; recognized: readonly string[] };

/**
 * Compares one recording with the syllables of a text. Synchronous; see docs/pronunciation.md for
 * the method.
 */
export function assessSyllables(
  analysis: AcousticAnalysis,
  target: SyllabicTarget,
  tools: SyllableTools,
  knownRegister: SpeakerRegister | null = null,
): RecognizedAssessment {
  const units: AlignedUnit[] = target.units.map((unit) => {
    if (unit.kind === 'other') return null;
    const readings = unit.readings.flatMap((written) => tools.sounds.read(written) ?? []);
    return readings.length === 0 ? null : readings.map((reading) => asStrictAs(target, reading));
  });
  const all = align(analysis.posteriors, analysis.labels, units);
  const { attempts, register } = recognizeAttempts(all, units, analysis, tools, knownRegister);
  const lastOf = new Map<number, RecognizedAttempt>();
  for (const recognized of attempts) {
    const { unit } = recognized.attempt;
    if (unit !== null) lastOf.set(unit, recognized);
  }
  const { frameMs } = analysis.labels;
  const insertions = insertedSpeech(attempts, units, tools.sounds);
  const counts = countInsertions(insertions);
  const syllables: AssessedSyllable[] = [];
  target.units.forEach((unit, index) => {
    if (unit.kind === 'other' || units[index] === null) return;
    const spoken = lastOf.get(index);
    syllables.push(
      spoken === undefined ? omitted(unit, tools.sounds) : assessed(unit.text, spoken, tools.sounds, frameMs),
    );
  });
  const timing = timingOf(lastOf, target, syllables.length, frameMs, counts);
  const fluencyScore = measureFluency(timing, target.language);
  const summary = summarize(target.language, {
    spokenScores: syllables.flatMap(({ score, verdict }) => (verdict === 'omitted' ? [] : [score])),
    expectedUnits: syllables.length,
    ...counts,
    fluencyScore,
  });
  const texts = target.units.map(({ text }) => text);
  const assessment = {
    ...summary,
    fluencyScore,
    heard: formatRecognized(attempts, texts, analysis, tools),
    language: target.language,
    insertions,
    syllables,
    ...(register === null ? {} : { register }),
  };
  return { assessment, recognized: recognizedSyllables(attempts, tools.sounds) };
}

function asStrictAs({ strictness }: SyllabicTarget, reading: Reading): Reading {
  return strictness === 'broadcast' ? { ...reading, onsetVariants: [], rimeVariants: [] } : reading;
}

const round = (score: number): number => Math.round(score * 10) / 10;

function assessed(text: string, spoken: RecognizedAttempt, sounds: SyllableSounds, frameMs: number): AssessedSyllable {
  const { reading, onset, rime, tone, verdict, score } = spoken.judged!;
  const part = (
    { heard: recognizedPart, verdict, score }: JudgedPart,
    expected: number,
    name: (number: number) => string,
  ) => ({
    expected: name(expected),
    heard: name(recognizedPart),
    verdict,
    score: round(score),
  });
  return {
    text,
    expected: reading.written,
    heard: verdict === 'right' ? reading.written : sounds.write(spoken.heard),
    score: round(score),
    verdict,
    rule: verdict === 'right' || verdict === 'unsure' ? null : sounds.ruleOf(reading, spoken.heard),
    startMs: spoken.sounding.startFrame * frameMs,
    endMs: spoken.sounding.endFrame * frameMs,
    onset: part(onset, reading.onset, sounds.onsetName),
    rime: part(rime, reading.rime, sounds.rimeName),
    tone: {
      expected: reading.tone,
      heard: tone.heard,
      verdict: tone.verdict,
      score: round(tone.score),
      contourSemitones: spoken.contourSemitones,
    },
  };
}

function omitted(
  { text, readings }: { text: string; readings: readonly string[] },
  sounds: SyllableSounds,
): AssessedSyllable {
  const reading = readings.map((written) => sounds.read(written)).find((found) => found !== null)!;
  const omittedPart = { heard: null, verdict: 'omitted' as const, score: 0 };
  const part = (expected: string): AssessedPart => ({ expected, ...omittedPart });
  return {
    text,
    expected: reading.written,
    ...omittedPart,
    rule: null,
    startMs: null,
    endMs: null,
    onset: part(sounds.onsetName(reading.onset)),
    rime: part(sounds.rimeName(reading.rime)),
    tone: { expected: reading.tone, ...omittedPart, contourSemitones: [] },
  };
}

function timingOf(
  lastOf: ReadonlyMap<number, RecognizedAttempt>,
  target: SyllabicTarget,
  expectedUnits: number,
  frameMs: number,
  counts: Pick<SpokenTiming, 'repetitions' | 'insertions'>,
): SpokenTiming {
  const units = [...lastOf]
    .sort(([, a], [, b]) => a.attempt.startFrame - b.attempt.startFrame)
    .map(([unit, { sounding }]) => ({
      startMs: sounding.startFrame * frameMs,
      endMs: sounding.endFrame * frameMs,
      syllables: 1,
      afterPause: target.units[unit]!.afterPause,
    }));
  return { units, expectedUnits, ...counts };
}
