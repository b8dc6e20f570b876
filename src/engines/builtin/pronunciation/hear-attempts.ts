import type { AlignedUnit, Attempt } from './align.ts';
import { evidenceWindow, modelToneLogp, soundingFrames, type FrameRange } from './attempts.ts';
import type { Calibration } from './calibration.ts';
import { judgeSyllable, partEvidence, type JudgedSyllable } from './judge-syllable.ts';
import { joinDoubles, type SegmentListener } from './segment-evidence.ts';
import type { SyllableSound, SyllableSounds } from './syllable-sounds.ts';
import type { Hearing, ToneAnswer, ToneJudge, ToneQuestion } from './types.ts';

/** What scores a language of syllables. */
export type SyllableTools = {
  sounds: SyllableSounds;
  calibration: Calibration;
  listenToSegments: SegmentListener;
  judgeTones: ToneJudge;
  /** Writes down freely what a recording says: characters with times in milliseconds. Mandarin only. */
  decode: ((hearing: Hearing) => readonly { text: string; startMs: number; endMs: number }[]) | null;
};

/** An attempt and all that is known of it. `judged` is null for a sound that the text does not have. */
export type HeardAttempt = {
  attempt: Attempt;
  sounding: FrameRange;
  heard: SyllableSound;
  judged: JudgedSyllable | null;
  contourSemitones: readonly number[];
};

/** Finds out what every attempt is: by its accepted readings where it is one at a unit, freely where the text has nothing. */
export function hearAttempts(
  attempts: readonly Attempt[],
  units: readonly AlignedUnit[],
  hearing: Hearing,
  { listenToSegments, sounds, judgeTones, calibration }: SyllableTools,
): HeardAttempt[] {
  const sounding = attempts.map((_, index) => soundingFrames(attempts, index, hearing));
  const questions = attempts.map(({ unit }, index): ToneQuestion => {
    const readings = (unit === null ? null : units[unit]) ?? [];
    return {
      expected: readings.map(({ tone }) => tone),
      rime: sounds.rimeName(readings[0]?.rime ?? -1),
      ...sounding[index]!,
      modelLogp: modelToneLogp(attempts[index]!, hearing),
    };
  });
  const isAsked = (index: number): boolean => questions[index]!.expected.length > 0;
  const answers = judgeTones(
    questions.filter((_, index) => isAsked(index)),
    hearing,
  );
  let answered = 0;
  return attempts.map((attempt, index) => {
    const window = evidenceWindow(attempts, index, hearing.posteriors.frameCount);
    const segments = listenToSegments(hearing.posteriors, window.startFrame, window.endFrame);
    joinDoubles(segments, sounds.doubles);
    const answer: ToneAnswer = isAsked(index)
      ? answers[answered++]!
      : { logp: questions[index]!.modelLogp, contourSemitones: [] };
    const evidence = partEvidence(segments, answer.logp);
    const readings = (attempt.unit === null ? null : units[attempt.unit]) ?? [];
    const judged = readings.length === 0 ? null : judgeSyllable(readings, evidence, calibration);
    return {
      attempt,
      sounding: sounding[index]!,
      heard: judged?.heard ?? {
        onset: argmax(evidence.onset),
        rime: argmax(evidence.rime),
        tone: argmax(evidence.tone) + 1,
      },
      judged,
      contourSemitones: answer.contourSemitones,
    };
  });
}

function argmax(values: ArrayLike<number>): number {
  let best = 0;
  for (let index = 1; index < values.length; index++) if (values[index]! > values[best]!) best = index;
  return best;
}
