import { AppError } from '@jyutsing/contracts/errors';
import type { Language } from '@jyutsing/contracts/transcript';
import { openAcousticModel, type AcousticModel } from './acoustic-model.ts';
import { createDecoder, type Decoder } from './decoder/index.ts';
import { hasModels, modelFiles } from './model-files.ts';

/** Recognition models of one language: audio to posteriors, posteriors to syllables and text. */
export type AsrModel = { acoustic: AcousticModel; decoder: Decoder };

/**
 * Opens the models of one language. Throws `engine_unavailable` when they are missing or do not
 * belong together.
 */
export async function openAsrModel(modelsDir: string, language: Language): Promise<AsrModel> {
  if (!hasModels(modelsDir, language)) {
    throw new AppError('engine_unavailable', `The built-in recognizer has no models for ${language} on this server.`);
  }
  const files = modelFiles(modelsDir, language);
  const acoustic = await openAcousticModel(files);
  const decoder = createDecoder({ language, labels: acoustic.labels, languageModelPath: files.languageModel });
  return { acoustic, decoder };
}
