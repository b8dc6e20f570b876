import { join } from 'node:path';
import { readSpeech } from '@jyutsing/audio/speech/read-speech';
import { voiceModelOf } from '@jyutsing/engines/runtime/speech-detection';
import type { Language } from '@jyutsing/contracts/transcript';
import { openAcousticModel } from '#packages/engines/builtin/acoustic-model.ts';
import { modelFiles } from '#packages/engines/builtin/model-files.ts';
import { openScorer } from '#packages/engines/builtin/pronunciation/open-scorer.ts';
import { readTarget } from '@jyutsing/text/pronunciation/read-target';

/** The steps of a score of the built-in models, and the acoustic model alone. */
export async function openBareScoring(language: Language) {
  const modelsDir = join(import.meta.dirname, '../../models');
  const scorer = await openScorer(modelsDir, language);
  const acoustic = await openAcousticModel(modelFiles(modelsDir, language));
  const voiceOf = voiceModelOf({ builtinModelsDir: modelsDir });
  const { signal } = new AbortController();
  return {
    readText: (text: string) => readTarget(text, language),
    readSound: async (path: string) => (await readSpeech(path, { voiceOf, maxDurationMs: 60_000, signal })).samples,
    analyze: scorer.analyze,
    assess: scorer.assess,
    compute: (samples: Float32Array) => acoustic.computeWithPitch(samples),
  };
}
