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
import type { Reading, SyllableSound } from './syllable-sounds.ts';
import { unfamiliarVoiceRelief, type SyllableAgreement } from './unfamiliar-voice.ts';
import { segmentFit } from './part-evidence.ts';
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
  const others = comparedUnits(units);
  let answered = 0;
  const weighed = attempts.map((attempt, index) => {
    const question = questions[index]!;
    const withoutQuestion: ToneAnswer = { logp: question.modelLogp, contourSemitones: [] };
    const { logp: toneLogp, contourSemitones } = hasExpectedTone(question) ? answers[answered++]! : withoutQuestion;
    const window = evidenceWindow(attempts, index, analysis.posteriors.frameCount);
    const segments = tools.scoreSegments(analysis.posteriors, window.startFrame, window.endFrame);
    joinDoubles(segments, sounds.doubles);
    return {
      evidence: weighSyllable(readingsOf(attempt, units), { segments, toneLogp }, sounds),
      leadLogp:
        attempt.unit === null
          ? 0
          : leadOf(attempt.unit, readingsOf(attempt, units), others, segmentFit(segments, sounds)),
      contourSemitones,
    };
  });
  const expectedSyllables = units.filter((unit) => unit !== null).length;
  const relief = unfamiliarVoiceRelief(agreementsOf(attempts, weighed), expectedSyllables);
  const recognized = attempts.map((attempt, index) => {
    const { evidence, contourSemitones } = weighed[index]!;
    const judged = evidence.readings.length === 0 ? null : judgeSyllable(evidence, tools, relief);
    const heard = judged?.heard ?? evidence.likeliest;
    return { attempt, sounding: sounding[index]!, heard, judged, contourSemitones };
  });
  return { attempts: recognized, register };
}

/** The last attempt at each unit, compared with the text. */
function agreementsOf(
  attempts: readonly Attempt[],
  weighed: readonly { evidence: SyllableEvidence; leadLogp: number }[],
): SyllableAgreement[] {
  const agreements = new Map<number, SyllableAgreement>();
  attempts.forEach(({ unit }, index) => {
    const { evidence, leadLogp } = weighed[index]!;
    if (unit === null || evidence.readings.length === 0) return;
    agreements.set(unit, { fitLogp: Math.max(...evidence.readings.map(({ fitLogp }) => fitLogp)), leadLogp });
  });
  return [...agreements.values()];
}

/** Units with which a syllable is compared: more tell no more. */
const MOST_COMPARED = 40;
/** A fit below this says no more than another one, in nats. */
const POOREST_FIT = -18;

type Compared = { unit: number; readings: readonly Reading[] };

/** Syllables of the text, spread evenly over it. */
function comparedUnits(units: readonly AlignedUnit[]): Compared[] {
  const all = units.flatMap((readings, unit) => (readings === null ? [] : [{ unit, readings }]));
  const count = Math.min(MOST_COMPARED, all.length);
  return Array.from({ length: count }, (_, index) => all[Math.floor((index * all.length) / count)]!);
}

/** By how much onset and rime of a unit fit better than those of the others on average, in nats. */
function leadOf(
  unit: number,
  own: readonly Reading[],
  others: readonly Compared[],
  fit: (reading: Reading) => number,
): number {
  const fitOf = (readings: readonly Reading[]): number => Math.max(POOREST_FIT, ...readings.map(fit));
  const rest = others.filter((other) => other.unit !== unit);
  return rest.length === 0
    ? 0
    : fitOf(own) - rest.reduce((sum, { readings }) => sum + fitOf(readings), 0) / rest.length;
}

const hasExpectedTone = ({ expected }: ToneQuestion): boolean => expected.length > 0;

const readingsOf = ({ unit }: Attempt, units: readonly AlignedUnit[]) => (unit === null ? null : units[unit]) ?? [];
