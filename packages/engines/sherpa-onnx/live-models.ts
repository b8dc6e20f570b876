import { join } from 'node:path';
import type { OnlineRecognizerConfig } from 'sherpa-onnx-node';
import type { LanguageQuality } from '@jyutsing/contracts/engine';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import type { Compute } from './variables.ts';

/**
 * Settings for running a streaming package of the catalogue, which recognizes speech while it is
 * spoken.
 */
export type LiveModel = {
  /** The name of both package and model. */
  name: string;
  /**
   * Estimated quality: no figures on the sets of docs/engines-sherpa.md are published for these
   * models.
   */
  quality: LanguageQuality;
  /** True if tokens have start times. */
  hasTimes: boolean;
  config(folder: string, compute: Compute): OnlineRecognizerConfig;
};

type ModelConfig = Pick<OnlineRecognizerConfig['modelConfig'], 'transducer' | 'paraformer'>;

export const LIVE_MODELS: readonly LiveModel[] = [
  {
    name: 'paraformer-live',
    quality: { cantonese: 80, mandarin: 85, english: 75 },
    hasTimes: false,
    config: (folder, compute) =>
      complete(folder, compute, {
        paraformer: { encoder: join(folder, 'encoder.int8.onnx'), decoder: join(folder, 'decoder.int8.onnx') },
      }),
  },
  {
    name: 'x-asr-live',
    quality: { mandarin: 88, english: 88 },
    hasTimes: true,
    config: (folder, compute) =>
      complete(folder, compute, {
        transducer: {
          encoder: join(folder, 'encoder.int8.onnx'),
          decoder: join(folder, 'decoder.onnx'),
          joiner: join(folder, 'joiner.int8.onnx'),
        },
      }),
  },
];

function complete(folder: string, { threads, provider }: Compute, model: ModelConfig): OnlineRecognizerConfig {
  return {
    featConfig: { sampleRate: RECOGNIZER_SAMPLE_RATE_HZ, featureDim: 80 },
    modelConfig: { ...model, tokens: join(folder, 'tokens.txt'), numThreads: threads, provider, debug: 0 },
    // Endpoint detection is off: the voice activity detector decides where an utterance ends.
    enableEndpoint: false,
  };
}
