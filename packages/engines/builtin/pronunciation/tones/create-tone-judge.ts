import { dirname } from 'node:path';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import type { SyllabicLanguage } from '#engines/builtin/decoder/types.ts';
import { modelFiles } from '#engines/builtin/model-files.ts';
import type { AcousticAnalysis, ToneJudge } from '#engines/builtin/pronunciation/types.ts';
import { judgeTones } from './judge-tones.ts';
import { measureContours, measurePitchCourse, type PitchCourse } from './measure-contour.ts';
import { readToneModel } from './tone-model.ts';
import type { Calibration, ToneWeights } from '#engines/builtin/pronunciation/calibration.ts';

type VotingWeights = Calibration['pooled']['tones'];

/** Number of voiced syllables from which on speech is fluent. */
const FLUENT_SYLLABLES = 4;

/** Returns the weights for a recording, between those of a single syllable and of fluent speech. */
function votingAmong(contours: readonly unknown[], { alone, fluent }: VotingWeights): ToneWeights {
  const voiced = contours.filter((contour) => contour !== null).length;
  const share = Math.min(1, Math.max(0, (voiced - 1) / (FLUENT_SYLLABLES - 1)));
  const between = (a: number, b: number): number => a + share * (b - a);
  return { contour: between(alone.contour, fluent.contour), models: between(alone.models, fluent.models) };
}

/**
 * Creates the tone judge of a language, from pitch contours of the audio and the acoustic models'
 * tones. Without `weights` the tone model says how much these count. Throws `engine_unavailable`
 * when tones.json of the language is missing or damaged.
 */
export function createToneJudge(
  language: SyllabicLanguage,
  modelsDir: string,
  weights: VotingWeights | null = null,
): ToneJudge {
  const model = readToneModel(dirname(modelFiles(modelsDir, language).description));
  // Pitch depends on the recording alone and is most of the work, so it is measured once for many
  // texts.
  const courses = new WeakMap<AcousticAnalysis, PitchCourse>();
  const courseOf = (analysis: AcousticAnalysis): PitchCourse => {
    const course = courses.get(analysis) ?? measurePitchCourse(analysis.samples, RECOGNIZER_SAMPLE_RATE_HZ);
    courses.set(analysis, course);
    return course;
  };
  return (questions, analysis, knownRegister = null) => {
    if (questions.length === 0) return { answers: [], register: null };
    const contours = measureContours(questions, analysis, courseOf(analysis));
    const voting = weights === null ? null : votingAmong(contours, weights);
    const weighted = voting === null ? model : { ...model, modelWeight: voting.models / voting.contour };
    const { logp, register } = judgeTones(weighted, questions, contours, knownRegister);
    const answers = questions.map((_, index) => ({
      logp: (logp[index] ?? []).map((value) => (voting?.contour ?? 1) * value),
      contourSemitones: Array.from(
        contours[index]?.points ?? [],
        (point) => Math.round((point - register.semitones) * 100) / 100,
      ),
    }));
    return { answers, register: contours.some((contour) => contour !== null) ? register : null };
  };
}
