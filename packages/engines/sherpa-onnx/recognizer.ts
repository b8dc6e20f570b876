import { AppError } from '@jyutsing/contracts/errors';
import type { EngineEnv } from '@jyutsing/contracts/engine';
import {
  RECOGNIZER_SAMPLE_RATE_HZ,
  type Recognizer,
  type RecognizerEngine,
  type RecognizerModel,
} from '@jyutsing/contracts/recognizer';
import { recognizeSegments } from '@jyutsing/audio/speech/recognize-segments';
import { installedModelDir } from '#engines/runtime/model-files/installed.ts';
import { createDetectorOf, speechDetectorOf } from '#engines/runtime/speech-detection.ts';
import { installedDigest } from '#engines/runtime/model-files/installed-digest.ts';
import { LIVE_MODELS } from './live-models.ts';
import { SHERPA_MODELS, type SherpaModel } from './models.ts';
import { withoutTags } from './pieces.ts';
import { openPunctuator, PUNCTUATION_PACKAGE, type Punctuator } from './punctuation.ts';
import { computeOf } from './variables.ts';

/** Increase it whenever this code could give another text from the same models. */
const CODE_VERSION = '3';

/** The recognizers that sherpa-onnx runs; each is available when its package is installed. */
export const engine: RecognizerEngine = {
  ability: 'recognizer',
  name: 'sherpa-onnx',
  models(env) {
    const { modelsDir } = env;
    // For recognizers without punctuation, the punctuation model changes the text as well.
    const punctuation = installedDigest(modelsDir, PUNCTUATION_PACKAGE);
    const code = `${CODE_VERSION}-${speechDetectorOf(env)}`;
    const codeVersion = punctuation === null ? code : `${code}-${punctuation}`;
    const live = LIVE_MODELS.map((model) => ({ ...model, timestamps: model.hasTimes ? 'word' : 'segment' }) as const);
    return [...SHERPA_MODELS, ...live].map((model) =>
      describe(model, installedDigest(modelsDir, model.name), codeVersion),
    );
  },
  open: openSherpa,
};

function describe(
  model: Pick<SherpaModel, 'name' | 'quality' | 'timestamps'> & Partial<Pick<SherpaModel, 'contextAs'>>,
  digest: string | null,
  codeVersion: string,
): RecognizerModel {
  return {
    name: model.name,
    version: digest === null ? codeVersion : `${codeVersion}-${digest}`,
    capabilities: {
      languages: model.quality,
      timestamps: model.timestamps,
      confidence: false,
      readings: false,
      ...((model.contextAs ?? 'nothing') === 'nothing' ? {} : { hotWords: true as const }),
    },
    availability:
      digest === null
        ? { available: false, reason: `not pulled: npm run models -- pull ${model.name}` }
        : { available: true },
  };
}

async function openSherpa(env: EngineEnv, modelName: string): Promise<Recognizer> {
  const { modelsDir, settings } = env;
  const liveModel = LIVE_MODELS.find(({ name }) => name === modelName);
  const liveFolder = liveModel === undefined ? null : installedModelDir(modelsDir, liveModel.name);
  if (liveModel !== undefined && liveFolder !== null) {
    const { openLiveRecognizer } = await import('./live-recognizer.ts');
    const compute = computeOf(settings);
    return openLiveRecognizer(liveModel, liveFolder, compute, {
      openPunctuator: () => openPunctuator(modelsDir, compute.threads),
      createDetector: createDetectorOf(env),
    });
  }
  const model = SHERPA_MODELS.find(({ name }) => name === modelName);
  const folder = model === undefined ? null : installedModelDir(modelsDir, model.name);
  if (model === undefined || folder === null) {
    throw new AppError('engine_unavailable', `The model "${modelName}" is not installed on this server.`);
  }
  const compute = computeOf(settings);
  const createDetector = createDetectorOf(env);
  // Script conversion takes 100 MB and 250 ms, so only servers with these models load it.
  const [{ openNative }, { toSegment }] = await Promise.all([import('./native.ts'), import('./segment-text.ts')]);
  const native = openNative(model, folder, compute);
  let punctuator: Promise<Punctuator | null> | null = null;
  const openedPunctuator = (): Promise<Punctuator | null> => {
    punctuator ??= openPunctuator(modelsDir, compute.threads).catch((thrown: unknown) => {
      punctuator = null;
      throw thrown;
    });
    return punctuator;
  };
  return {
    concurrency: 1,
    follow: null,
    async *recognize(audio, options, signal) {
      // Whisper ends the process for a language that it does not know.
      if (model.quality[options.language] === undefined) {
        throw new AppError('engine_unavailable', `The model "${model.name}" does not recognize ${options.language}.`);
      }
      // The language is loaded before the first audio, so that a warm-up without audio loads it
      // too.
      await native.prepare(options.language);
      const rules = {
        hasWordTimes: model.timestamps === 'word',
        isGenerative: model.isGenerative,
        punctuator: await openedPunctuator(),
      };
      yield* recognizeSegments(
        audio,
        async (speech) => {
          const raw = await native.recognize(lengthened(speech.samples, model.minSoundMs), options, signal);
          return {
            recognized: toSegment(speech, raw, options.language, rules),
            writtenText: withoutTags(raw.text),
          };
        },
        signal,
        { createDetector, language: options.language, maxSegmentMs: model.maxSegmentMs },
      );
    },
    async close() {
      punctuator = null;
      native.close();
    },
  };
}

/** The sound with silence after it where it is shorter than a model takes. */
function lengthened(samples: Float32Array, minSoundMs: number): Float32Array {
  const minSamples = (minSoundMs * RECOGNIZER_SAMPLE_RATE_HZ) / 1_000;
  if (samples.length >= minSamples) return samples;
  const longer = new Float32Array(minSamples);
  longer.set(samples);
  return longer;
}
