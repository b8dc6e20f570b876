import type { OfflineRecognizer, OfflineRecognizerConfig } from 'sherpa-onnx-node';
import { AppError } from '@jyutsing/contracts/errors';
import { RECOGNIZER_SAMPLE_RATE_HZ, type RecognitionOptions } from '@jyutsing/contracts/recognizer';
import type { Language } from '@jyutsing/contracts/transcript';
import { raceAbort } from '@jyutsing/concurrency/race-abort';
import { hotwordsOf, promptOf, readSymbols } from './context.ts';
import { releaseMemory } from './release-memory.ts';
import { QWEN_LANGUAGE_NAMES, type SherpaModel } from './models.ts';
import type { RawRecognition } from './segment-text.ts';
import type { Compute } from './variables.ts';
import { decodeBytes, withByteTokens } from './whisper-tokens.ts';

/** A loaded model, in one instance or one per language. */
type NativeRecognizer = {
  /** Loads the instance of a language. */
  prepare(language: Language): Promise<void>;
  /**
   * Recognizes a speech segment (16 kHz mono), one at a time. An aborted signal rejects at once
   * with its reason, while the model finishes. Throws `engine_failed`; an invalid model may abort
   * the process.
   */
  recognize(samples: Float32Array, options: RecognitionOptions, signal: AbortSignal): Promise<RawRecognition>;
  close(): void;
};

/** Opens a model from its folder; the instance of a language is loaded when it is first needed. */
export function openNative(model: SherpaModel, folder: string, compute: Compute): NativeRecognizer {
  const instances = new Map<string, Promise<Instance>>();
  let turn: Promise<unknown> = Promise.resolve();

  const instanceFor = (language: Language): Promise<Instance> => {
    const key = model.languageBy === 'instance' ? language : 'all';
    let instance = instances.get(key);
    if (instance === undefined) {
      instance = load(model, model.config(folder, language, compute));
      instances.set(key, instance);
      // Forget the failure, so that the next request tries again, when the files may be readable.
      instance.catch(() => instances.delete(key));
    }
    return instance;
  };
  const decode = async (samples: Float32Array, options: RecognitionOptions): Promise<RawRecognition> => {
    const { native, symbols } = await instanceFor(options.language);
    const hotwords = model.contextAs === 'hotwords' ? hotwordsOf(options.context, symbols) : null;
    if (model.languageBy === 'setting') native.setConfig(model.config(folder, options.language, compute));
    const stream = hotwords === null ? native.createStream() : native.createStream(hotwords);
    if (model.languageBy === 'stream') stream.setOption('language', QWEN_LANGUAGE_NAMES[options.language]);
    const prompt = model.contextAs === 'prompt' ? promptOf(options.context) : null;
    if (prompt !== null) stream.setOption('hotwords', prompt);
    stream.acceptWaveform({ samples, sampleRate: RECOGNIZER_SAMPLE_RATE_HZ });
    const result = await native.decodeAsync(stream).catch((cause: unknown) => {
      throw new AppError('engine_failed', undefined, { cause });
    });
    // The library logs a failed inference and returns an empty result, which would look like
    // silence.
    if (model.namesLanguage && result.text === '' && result.lang === '') {
      throw new AppError('engine_failed', undefined, { cause: `${model.name} failed to run` });
    }
    return model.encodesBytes ? { ...result, text: decodeBytes(result.text) } : result;
  };

  return {
    async prepare(language) {
      await instanceFor(language);
    },
    recognize(samples, options, signal) {
      const recognized = turn.then(() => {
        signal.throwIfAborted();
        return decode(samples, options);
      });
      turn = recognized.catch(() => {});
      return raceAbort(recognized, signal);
    },
    close() {
      instances.clear();
      releaseMemory();
    },
  };
}

type Instance = { native: OfflineRecognizer; symbols: ReadonlySet<string> };

async function load(model: SherpaModel, config: OfflineRecognizerConfig): Promise<Instance> {
  const { default: sherpa } = await import('sherpa-onnx-node').catch((cause: unknown) => {
    throw new AppError('engine_unavailable', 'sherpa-onnx has no build for this system.', { cause });
  });
  try {
    const symbols = model.contextAs === 'hotwords' ? await readSymbols(config.modelConfig.tokens) : new Set<string>();
    const create = (tokens: string) =>
      sherpa.OfflineRecognizer.createAsync({ ...config, modelConfig: { ...config.modelConfig, tokens } });
    const { tokens } = config.modelConfig;
    return { native: model.encodesBytes ? await withByteTokens(tokens, create) : await create(tokens), symbols };
  } catch (cause) {
    throw new AppError('engine_failed', `The model "${model.name}" could not be loaded.`, { cause });
  }
}
