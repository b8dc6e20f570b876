import { dirname } from 'node:path';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import type { SyllabicLanguage } from '#engines/builtin/decoder/types.ts';
import { modelFiles } from '#engines/builtin/model-files.ts';
import type { AcousticAnalysis, ToneJudge } from '#engines/builtin/pronunciation/types.ts';
import { judgeTones } from './judge-tones.ts';
import { measureContours, measurePitchCourse, type PitchCourse } from './measure-contour.ts';
import { readToneModel } from './tone-model.ts';

/**
 * Creates the tone judge of a language, from pitch contours of the audio and the acoustic model's
 * tones. Throws `engine_unavailable` when tones.json of the language is missing or damaged.
 */
export function createToneJudge(language: SyllabicLanguage, modelsDir: string): ToneJudge {
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
    const { logp, register } = judgeTones(model, questions, contours, knownRegister);
    const answers = questions.map((_, index) => ({
      logp: logp[index] ?? [],
      contourSemitones: Array.from(
        contours[index]?.points ?? [],
        (point) => Math.round((point - register.semitones) * 100) / 100,
      ),
    }));
    return { answers, register: contours.some((contour) => contour !== null) ? register : null };
  };
}
