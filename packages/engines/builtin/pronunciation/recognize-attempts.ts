import { mean } from '@jyutsing/numeric/statistics';
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
import type { EvidenceScorer } from './pooled-evidence.ts';
import { joinDoubles } from './segment-evidence.ts';
import type { Reading, SyllableSound } from './syllable-sounds.ts';
import { unfamiliarVoiceRelief, type Relief, type SyllableAgreement } from './unfamiliar-voice.ts';
import { segmentFit } from './part-evidence.ts';
import type { AcousticAnalysis, ToneAnswer, ToneJudge, ToneQuestion } from './types.ts';

/** Models and settings for scoring a syllable-based language. */
export type SyllableTools = JudgingRules & {
  scoreSegments: EvidenceScorer;
  /** The relief for a voice that the models do not know well. */
  mostRelief: Pick<Relief, 'segments' | 'tone'>;
  judgeTones: ToneJudge;
  /**
   * Transcribes a recording without its text: characters with times in milliseconds. Only Mandarin
   * has it.
   */
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

/**
 * Recognizes every attempt: at a unit of the text against its accepted readings, otherwise among
 * all syllables.
 */
export function recognizeAttempts(
  attempts: readonly Attempt[],
  units: readonly AlignedUnit[],
  analysis: AcousticAnalysis,
  tools: SyllableTools,
  knownRegister: SpeakerRegister | null,
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
  const { answers, register } = judgeTones(questions.filter(hasExpectedTone), analysis, knownRegister);
  const compared = comparedUnits(units);
  let answered = 0;
  const weighed = attempts.map((attempt, index) => {
    const question = questions[index]!;
    const withoutQuestion: ToneAnswer = { logp: question.modelLogp, contourSemitones: [] };
    const { logp: toneLogp, contourSemitones } = hasExpectedTone(question) ? answers[answered++]! : withoutQuestion;
    const segments = tools.scoreSegments(analysis, evidenceWindow(attempts, index, analysis));
    joinDoubles(segments, sounds.doubles);
    return {
      evidence: weighSyllable(readingsOf(attempt, units), { segments, toneLogp }, sounds),
      leadLogp:
        attempt.unit === null
          ? 0
          : leadOf(attempt.unit, readingsOf(attempt, units), compared, segmentFit(segments, sounds)),
      contourSemitones,
    };
  });
  const expectedSyllables = units.filter((unit) => unit !== null).length;
  const relief = unfamiliarVoiceRelief(agreementsOf(attempts, weighed), expectedSyllables, tools.mostRelief);
  const recognized = attempts.map((attempt, index) => {
    const { evidence, contourSemitones } = weighed[index]!;
    const judged = evidence.readings.length === 0 ? null : judgeSyllable(evidence, tools, relief);
    const heardSound = judged?.heard ?? evidence.likeliest;
    return { attempt, sounding: sounding[index]!, heard: heardSound, judged, contourSemitones };
  });
  return { attempts: recognized, register };
}

/** Returns how the last attempt at each unit agrees with the text. */
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

/** Largest number of units with which a syllable is compared; more add no information. */
const MOST_COMPARED = 40;
/** Least fit in nats; a poorer one adds no information. */
const POOREST_FIT = -18;

type Compared = { unit: number; readings: readonly Reading[] };

/** Selects syllables of the text, spread evenly over it. */
function comparedUnits(units: readonly AlignedUnit[]): Compared[] {
  const all = units.flatMap((readings, unit) => (readings === null ? [] : [{ unit, readings }]));
  const count = Math.min(MOST_COMPARED, all.length);
  return Array.from({ length: count }, (_, index) => all[Math.floor((index * all.length) / count)]!);
}

/**
 * Computes by how much onset and rime of a unit fit better than those of the others on average, in
 * nats.
 */
function leadOf(
  unit: number,
  readings: readonly Reading[],
  compared: readonly Compared[],
  fit: (reading: Reading) => number,
): number {
  const fitOf = (readings: readonly Reading[]): number => Math.max(POOREST_FIT, ...readings.map(fit));
  const otherUnits = compared.filter((other) => other.unit !== unit);
  if (otherUnits.length === 0) return 0;
  return fitOf(readings) - mean(otherUnits.map((other) => fitOf(other.readings)));
}

const hasExpectedTone = ({ expected }: ToneQuestion): boolean => expected.length > 0;

const readingsOf = ({ unit }: Attempt, units: readonly AlignedUnit[]) => (unit === null ? null : units[unit]) ?? [];
