import type { EngineEnv } from '@jyutsing/contracts/engine';
import { RECOGNIZER_SAMPLE_RATE_HZ, type Recognizer, type RecognizerEngine } from '@jyutsing/contracts/recognizer';
import type { Language } from '@jyutsing/contracts/transcript';
import { recognizeSegments } from '@jyutsing/audio/speech/recognize-segments';
import { memoizeAsync } from '@jyutsing/concurrency/memoize-async';
import { createDetectorOf, speechDetectorOf } from '#engines/runtime/speech-detection.ts';
import { openAsrModel, type AsrModel } from './asr-model.ts';
import { followSpeech } from './follow-speech.ts';
import { builtinModel } from './builtin-model.ts';
import { toRecognizedSyllables } from './recognized-syllables.ts';
import { hasModels, modelsVersion } from './model-files.ts';
import { toSegment } from './segment-text.ts';

/** Increase it whenever this code or the decoder may return another text with the same models. */
const CODE_VERSION = '3';

/**
 * Quality by language: 100 minus the error rate in percent on held-out speakers (model cards). It
 * is low, so a pulled model always ranks higher.
 */
const QUALITY: Readonly<Record<Language, number>> = { cantonese: 21, mandarin: 31, english: 44 };

/**
 * Built-in recognizer: voice activity detection, an acoustic model of onsets, rimes and tones (or
 * phones), and a word decoder. Loads the models of a language on first use.
 */
export const engine: RecognizerEngine = {
  ability: 'recognizer',
  name: 'builtin',
  models(env) {
    const { builtinModelsDir } = env;
    const languages = Object.fromEntries(
      Object.entries(QUALITY).filter(([language]) => hasModels(builtinModelsDir, language as Language)),
    );
    return builtinModel({
      version: () => `${CODE_VERSION}-${speechDetectorOf(env)}-${modelsVersion(builtinModelsDir)}`,
      capabilities: { languages, timestamps: 'word', confidence: true, readings: true },
      isAvailable: Object.keys(languages).length > 0,
      reason: 'the model files of the built-in recognizer are missing',
    });
  },
  open: openBuiltin,
};

async function openBuiltin(env: EngineEnv): Promise<Recognizer> {
  const { builtinModelsDir } = env;
  const createDetector = createDetectorOf(env);
  const opened = new Map<Language, Promise<AsrModel>>();
  const modelOf = (language: Language) =>
    memoizeAsync(opened, language, () => openAsrModel(builtinModelsDir, language));
  return {
    concurrency: 1,
    follow: async ({ language }) => followSpeech(await modelOf(language), language),
    async *recognize(audio, { language, romanize }, signal) {
      const { acoustic, decoder } = await modelOf(language);
      yield* recognizeSegments(
        audio,
        async (speech) => {
          const posteriors = await acoustic.compute(speech.samples);
          signal.throwIfAborted();
          if (!romanize || language !== 'cantonese') return toSegment(speech, decoder.decode(posteriors), language);
          const { units, syllables } = decoder.decodeWithAlternatives(posteriors);
          const segment = toSegment(speech, units, language);
          const endMs = speech.startMs + (speech.samples.length * 1_000) / RECOGNIZER_SAMPLE_RATE_HZ;
          return segment === null
            ? null
            : { segment, syllables: toRecognizedSyllables(syllables, speech.startMs, endMs) };
        },
        signal,
        { createDetector },
      );
    },
    async close() {
      const all = await Promise.allSettled(opened.values());
      opened.clear();
      for (const asrModel of all) if (asrModel.status === 'fulfilled') await asrModel.value.acoustic.close();
    },
  };
}
