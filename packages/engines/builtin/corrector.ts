import { existsSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { Corrector, CorrectorEngine } from '@jyutsing/contracts/corrector';
import type { EngineEnv } from '@jyutsing/contracts/engine';
import { builtinModel, LOWEST_RANK } from './builtin-model.ts';
import { modelFiles, modelsVersion } from './model-files.ts';

/** Increase it whenever this code could propose another text with the same models. */
const CODE_VERSION = '2';

const languageModelPath = (modelsDir: string) => modelFiles(modelsDir, 'cantonese').languageModel;

/**
 * Re-decodes recognized syllables, one position per character, with the language model, the terms
 * of the request, and a preference for the written text. It needs the language model, but no audio.
 */
export const engine: CorrectorEngine = {
  ability: 'corrector',
  name: 'builtin',
  models: ({ builtinModelsDir }) =>
    builtinModel({
      version: () => `${CODE_VERSION}-${modelsVersion(builtinModelsDir)}`,
      capabilities: LOWEST_RANK,
      isAvailable: existsSync(languageModelPath(builtinModelsDir)),
      reason: 'the Cantonese language model of the built-in engine is missing',
    }),
  open: openCorrector,
};

async function openCorrector({ builtinModelsDir }: EngineEnv): Promise<Corrector> {
  // Loads the dictionary of readings lazily, because it is slow and a start that opens no corrector
  // does not need it.
  const { createTextCorrector } = await import('./correction/correct-text.ts');
  const correctText = createTextCorrector(languageModelPath(builtinModelsDir));
  return {
    async correct({ segments, terms }, signal) {
      signal.throwIfAborted();
      const correctSegment = correctText(terms);
      const texts: string[] = [];
      for (const segment of segments) {
        texts.push(await correctSegment(segment, signal));
        await setImmediate();
        signal.throwIfAborted();
      }
      return texts;
    },
    async close() {},
  };
}
