import { AppError } from '@jyutsing/contracts/errors';
import type { PronunciationAssessor, PronunciationAssessorEngine } from '@jyutsing/contracts/pronunciation';
import type { EngineEnv } from '@jyutsing/contracts/engine';
import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';
import { memoizeAsync } from '@jyutsing/concurrency/memoize-async';
import { builtinModel, LOWEST_RANK } from './builtin-model.ts';
import { canScore, modelsVersion, scoringVersion } from './model-files.ts';
import type { Scorer } from './pronunciation/types.ts';

/** Increase it whenever this code may return other scores with the same models. */
const CODE_VERSION = '6';

/**
 * Scores by forced alignment with the acoustic models of the built-in recognizer. Loads the models
 * of a language on first use.
 */
export const engine: PronunciationAssessorEngine = {
  ability: 'pronunciation-assessor',
  name: 'builtin',
  models: ({ builtinModelsDir }) =>
    builtinModel({
      version: () => `${CODE_VERSION}-${modelsVersion(builtinModelsDir)}-${scoringVersion(builtinModelsDir)}`,
      capabilities: LOWEST_RANK,
      isAvailable: LANGUAGES.some((language) => canScore(builtinModelsDir, language)),
      reason: 'the model files of the built-in recognizer are missing',
    }),
  open: openAssessor,
};

async function openAssessor({ builtinModelsDir }: EngineEnv): Promise<PronunciationAssessor> {
  const opened = new Map<Language, Promise<Scorer>>();
  let isClosed = false;
  return {
    async assess(samples, target, signal, register = null) {
      signal.throwIfAborted();
      if (isClosed) throw new AppError('engine_failed');
      const { language } = target;
      const scorer = await memoizeAsync(opened, language, async () => {
        // The registry loads this file in every process; the scorer needs the tables of OpenCC.
        const { openScorer } = await import('./pronunciation/open-scorer.ts');
        return openScorer(builtinModelsDir, language);
      });
      const analysis = await scorer.analyze(samples);
      signal.throwIfAborted();
      return scorer.assess(analysis, target, register);
    },
    async close() {
      isClosed = true;
      const all = await Promise.allSettled(opened.values());
      opened.clear();
      for (const scorer of all) if (scorer.status === 'fulfilled') await scorer.value.close();
    },
  };
}
