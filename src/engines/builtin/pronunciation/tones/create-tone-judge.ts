import { dirname } from 'node:path';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '#contracts/recognizer.ts';
import type { SyllabicLanguage } from '#engines/builtin/decoder/types.ts';
import { modelFiles } from '#engines/builtin/model-files.ts';
import type { ToneJudge } from '#engines/builtin/pronunciation/types.ts';
import { judgeTones } from './judge-tones.ts';
import { measureContours, measurePitchCourse } from './measure-contour.ts';
import { readToneModel } from './tone-model.ts';

/**
 * Makes the judge of a language's tones: the pitch contours are measured on the sound itself, and what the acoustic model heard is
 * weighed in. Throws `engine_unavailable` when tones.json of the language is missing or damaged.
 */
export function createToneJudge(language: SyllabicLanguage, modelsDir: string): ToneJudge {
  const model = readToneModel(dirname(modelFiles(modelsDir, language).description));
  return (questions, hearing) => {
    if (questions.length === 0) return [];
    const course = measurePitchCourse(hearing.samples, RECOGNIZER_SAMPLE_RATE_HZ);
    const contours = measureContours(questions, hearing, course);
    const { logp, register } = judgeTones(model, questions, contours);
    return questions.map((_, index) => ({
      logp: logp[index] ?? [],
      contourSemitones: Array.from(
        contours[index]?.points ?? [],
        (point) => Math.round((point - register) * 100) / 100,
      ),
    }));
  };
}
