import { AppError } from '@jyutsing/contracts/errors';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import type { Language } from '@jyutsing/contracts/transcript';
import { type AcousticModel, openAcousticModel } from '#engines/builtin/acoustic-model.ts';
import { openListener, type Listener } from '#engines/builtin/listener/listener.ts';
import { hasListener, hasModels, modelFiles } from '#engines/builtin/model-files.ts';
import { assessSyllables } from './assess-syllables.ts';
import { chooseWordings } from './choose-wordings.ts';
import { heardPhones } from './english/heard-phones.ts';
import { createWordAssessor } from './english/assess-words.ts';
import { hearAttempt } from './hear-attempt.ts';
import { openSyllableTools } from './open-syllable-tools.ts';
import type { AcousticAnalysis, Scorer } from './types.ts';

/** Shortest input of the acoustic model, in seconds; shorter recordings are padded with silence. */
const MIN_RECORDING_S = 0.3;

/** Opens the scorer of one language. Throws `engine_unavailable` when its models are missing. */
export async function openScorer(modelsDir: string, language: Language): Promise<Scorer> {
  if (!hasModels(modelsDir, language)) {
    throw new AppError('engine_unavailable', `The built-in assessor has no models for ${language} on this server.`);
  }
  const acoustic = await openAcousticModel(modelFiles(modelsDir, language));
  let listener: Listener | null = null;
  const close = async () => {
    await acoustic.close();
    await listener?.close();
  };
  try {
    if (language !== 'english' && hasListener(modelsDir)) listener = await openListener(modelsDir);
    const models = { acoustic, listener };
    const assess = await openAssess(modelsDir, language, models);
    return { analyze: (samples) => analyze(samples, language, models), assess, close };
  } catch (error) {
    await close();
    throw error;
  }
}

type Models = { acoustic: AcousticModel; listener: Listener | null };

async function openAssess(
  modelsDir: string,
  language: Language,
  { acoustic: { labels }, listener }: Models,
): Promise<Scorer['assess']> {
  if (language === 'english') {
    const assessWords = createWordAssessor(modelsDir, labels);
    return (analysis, target) => {
      if (target.language !== 'english') throw otherLanguage();
      const asUsual = assessWords(analysis, target);
      const reworded = chooseWordings(target, heardPhones(analysis));
      if (reworded === null) return asUsual;
      const otherwise = assessWords(analysis, reworded);
      return otherwise.score > asUsual.score ? otherwise : asUsual;
    };
  }
  const alone = await openSyllableTools(modelsDir, language, labels);
  const pooled = listener && (await openSyllableTools(modelsDir, language, listener.labels[language], labels));
  return (analysis, target, register = null) => {
    if (target.language === 'english' || target.language !== language) throw otherLanguage();
    const tools = analysis.further === undefined ? alone : (pooled ?? alone);
    const { assessment: asUsual, recognized } = assessSyllables(analysis, target, tools, register);
    const reworded = chooseWordings(target, recognized);
    if (reworded === null) return asUsual;
    const otherwise = assessSyllables(analysis, reworded, tools, register).assessment;
    return otherwise.score > asUsual.score ? otherwise : asUsual;
  };
}

const otherLanguage = (): AppError =>
  new AppError('engine_failed', undefined, { cause: 'the text is of another language than the scorer' });

async function analyze(samples: Float32Array, language: Language, models: Models): Promise<AcousticAnalysis> {
  const shortest = MIN_RECORDING_S * RECOGNIZER_SAMPLE_RATE_HZ;
  let sound = samples;
  if (samples.length < shortest) {
    sound = new Float32Array(shortest);
    sound.set(samples);
  }
  if (language !== 'english') return hearAttempt(sound, language, models);
  const { posteriors, pitch } = await models.acoustic.computeWithPitch(sound);
  return { samples: sound, labels: models.acoustic.labels, posteriors, pitch };
}
