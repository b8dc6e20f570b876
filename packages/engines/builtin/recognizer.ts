import type { EngineEnv } from '@jyutsing/contracts/engine';
import { RECOGNIZER_SAMPLE_RATE_HZ, type Recognizer, type RecognizerEngine } from '@jyutsing/contracts/recognizer';
import type { Language, RecognizedSyllable, Segment } from '@jyutsing/contracts/transcript';
import type { SpeechSegment } from '@jyutsing/audio/speech/segmenter';
import { recognizeSegments } from '@jyutsing/audio/speech/recognize-segments';
import { memoizeAsync } from '@jyutsing/concurrency/memoize-async';
import { createDetectorOf, speechDetectorOf } from '#engines/runtime/speech-detection.ts';
import { openAsrModel, type AsrModel } from './asr-model.ts';
import type { SyllableAlternatives } from './decoder/index.ts';
import { followSpeech } from './follow-speech.ts';
import { builtinModel } from './builtin-model.ts';
import { lazyListener } from './listener/lazy-listener.ts';
import { toRecognizedSyllables } from './recognized-syllables.ts';
import { hasListener, hasModels, modelsVersion } from './model-files.ts';
import { readPerson } from './read-person.ts';
import { toSegment } from './segment-text.ts';

/** Increase it whenever this code or the decoder may return another text with the same models. */
const CODE_VERSION = '7';

/**
 * 100 minus the error rate in percent on people of the development sets (models/listener), but
 * below every model that can be pulled; Mandarin sentences were not measured.
 */
const QUALITY: Readonly<Record<Language, number>> = { cantonese: 67, mandarin: 59, english: 74 };

/**
 * Built-in recognizer: a small acoustic model and a word decoder for the synthetic voices that they
 * know, and the listener (models/listener) for people. Loads its models on first use.
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
  const lazy = lazyListener(builtinModelsDir);
  const listenerOf = async () => (hasListener(builtinModelsDir) ? lazy.open() : null);
  return {
    concurrency: 1,
    async follow({ language }) {
      return followSpeech(await modelOf(language), language, await listenerOf());
    },
    async *recognize(audio, { language, romanize }, signal) {
      const [{ acoustic, decoder }, listener] = [await modelOf(language), await listenerOf()];
      const isRomanized = romanize && language === 'cantonese';
      yield* recognizeSegments(
        audio,
        async (speech) => {
          const posteriors = await acoustic.compute(speech.samples);
          signal.throwIfAborted();
          const { labels } = acoustic;
          const read = await readPerson(listener, { speech, language, posteriors, labels }, signal);
          if (read !== null) return isRomanized ? withSyllables(speech, read.segment, read.syllables()) : read.segment;
          if (!isRomanized) return toSegment(speech, decoder.decode(posteriors), language);
          const { units, syllables } = decoder.decodeWithAlternatives(posteriors);
          return withSyllables(speech, toSegment(speech, units, language), syllables);
        },
        signal,
        { createDetector },
      );
    },
    async close() {
      const all = await Promise.allSettled(opened.values());
      opened.clear();
      for (const asrModel of all) if (asrModel.status === 'fulfilled') await asrModel.value.acoustic.close();
      await lazy.close();
    },
  };
}

function withSyllables(
  { startMs, samples }: SpeechSegment,
  segment: Segment | null,
  syllables: readonly SyllableAlternatives[],
): { segment: Segment; syllables: RecognizedSyllable[] } | null {
  const endMs = startMs + (samples.length * 1_000) / RECOGNIZER_SAMPLE_RATE_HZ;
  return segment && { segment, syllables: toRecognizedSyllables(syllables, startMs, endMs) };
}
