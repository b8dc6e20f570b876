import type { SpeakerRegister } from '@jyutsing/contracts/pronunciation';
import type { Attempt } from './align.ts';
import type { AlignedUnit } from './alignment-graph.ts';
import { evidenceWindow, modelToneLogp, soundingFrames, type FrameRange } from './attempt-frames.ts';
import {
  judgeSyllable,
  weighSyllable,
  type JudgedSyllable,
  type JudgingRules,
  type SyllableEvidence,
} from './judge-syllable.ts';
import { joinDoubles, type SegmentScorer } from './segment-evidence.ts';
import type { SyllableSound } from './syllable-sounds.ts';
import { unfamiliarVoiceRelief } from './unfamiliar-voice.ts';
import type { AcousticAnalysis, ToneAnswer, ToneJudge, ToneQuestion } from './types.ts';

/** Models and settings for scoring a syllable-based language. */
export type SyllableTools = JudgingRules & {
  scoreSegments: SegmentScorer;
  judgeTones: ToneJudge;
  /** Transcribes a recording freely: characters with times in milliseconds. Mandarin only. */
  decode: ((analysis: AcousticAnalysis) => readonly { text: string; startMs: number; endMs: number }[]) | null;
};

/** An attempt with its evidence and judgement. `judged` is null for an insertion. */
export type RecognizedAttempt = {
  attempt: Attempt;
  sounding: FrameRange;
  heard: SyllableSound;
  judged: JudgedSyllable | null;
  contourSemitones: readonly number[];
};

type Recognized = { attempts: RecognizedAttempt[]; register: SpeakerRegister | null };

/** Recognizes every attempt: against its accepted readings at a unit, freely for insertions. */
export function recognizeAttempts(
  attempts: readonly Attempt[],
  units: readonly AlignedUnit[],
  analysis: AcousticAnalysis,
  tools: SyllableTools,
  known: SpeakerRegister | null,
): Recognized {
  const { sounds, judgeTones } = tools;
  const sounding = attempts.map((_, index) => soundingFrames(attempts, index, analysis));
  const questions = attempts.map((attempt, index): ToneQuestion => {
    const readings = readingsOf(attempt, units);
    return {
      expected: readings.map(({ tone }) => tone),
      rime: sounds.rimeName(readings[0]?.rime ?? -1),
      ...sounding[index]!,
      modelLogp: modelToneLogp(attempt, analysis),
    };
  });
  const { answers, register } = judgeTones(questions.filter(hasExpectedTone), analysis, known);
  let answered = 0;
  const weighed = attempts.map((attempt, index) => {
    const question = questions[index]!;
    const withoutQuestion: ToneAnswer = { logp: question.modelLogp, contourSemitones: [] };
    const { logp: toneLogp, contourSemitones } = hasExpectedTone(question) ? answers[answered++]! : withoutQuestion;
    const window = evidenceWindow(attempts, index, analysis.posteriors.frameCount);
    const segments = tools.scoreSegments(analysis.posteriors, window.startFrame, window.endFrame);
    joinDoubles(segments, sounds.doubles);
    return { evidence: weighSyllable(readingsOf(attempt, units), { segments, toneLogp }, sounds), contourSemitones };
  });
  const relief = unfamiliarVoiceRelief(fitsOf(attempts, weighed), units.filter((unit) => unit !== null).length);
  const recognized = attempts.map((attempt, index) => {
    const { evidence, contourSemitones } = weighed[index]!;
    const judged = evidence.readings.length === 0 ? null : judgeSyllable(evidence, tools, relief);
    const heard = judged?.heard ?? evidence.likeliest;
    return { attempt, sounding: sounding[index]!, heard, judged, contourSemitones };
  });
  return { attempts: recognized, register };
}

/** How well the last attempt at each unit fits it, in nats. */
function fitsOf(attempts: readonly Attempt[], weighed: readonly { evidence: SyllableEvidence }[]): number[] {
  const fits = new Map<number, number>();
  attempts.forEach(({ unit }, index) => {
    const { readings } = weighed[index]!.evidence;
    if (unit !== null && readings.length > 0) fits.set(unit, Math.max(...readings.map(({ fitLogp }) => fitLogp)));
  });
  return [...fits.values()];
}

const hasExpectedTone = ({ expected }: ToneQuestion): boolean => expected.length > 0;

const readingsOf = ({ unit }: Attempt, units: readonly AlignedUnit[]) => (unit === null ? null : units[unit]) ?? [];
