import { AppError } from '@jyutsing/contracts/errors';
import type { Language } from '@jyutsing/contracts/transcript';
import { openAcousticModel, type AcousticModel } from './acoustic-model.ts';
import { createDecoder, symbolCount, type AcousticLabels, type Decoder, type Posteriors } from './decoder/index.ts';
import { symbolEvidence } from './language-evidence.ts';
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

/**
 * Mean log-probability of symbols above which a voice is known: 0 to -0.1 for the synthetic voices
 * of the training, below -0.2 for all sentences of people in the development set.
 */
const KNOWN_VOICE_LOGP = -0.15;

/**
 * Returns true for a voice like those that the acoustic models were trained on, which they hear
 * nearly without errors; people they do not understand.
 */
export function isVoiceKnown({ symbolLogp, frameCount }: Posteriors, labels: AcousticLabels): boolean {
  const evidence = symbolEvidence(symbolLogp, { frameCount, width: symbolCount(labels), frameMs: labels.frameMs });
  return evidence.symbolShare > 0 && evidence.symbolLogp > KNOWN_VOICE_LOGP;
}
