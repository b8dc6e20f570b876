import { join } from 'node:path';
import type { OfflineTtsConfig } from 'sherpa-onnx-node';
import type { SynthesizerCapabilities } from '@jyutsing/contracts/synthesizer';
import type { Language } from '@jyutsing/contracts/transcript';

/** Settings for running a voice package of the catalogue. */
export type SherpaVoice = {
  /** The name of both package and model. */
  name: string;
  /** Names of packages that must be installed beside it. */
  requires: readonly string[];
  /** How it imitates the voice of a request; 'none' if it only has voices of its own. */
  clones: Extract<SynthesizerCapabilities['clones'], 'reference-and-text' | 'none'>;
  /** Quality by language, 0–100, estimated: none was tried in development. */
  quality: SynthesizerCapabilities['languages'];
  /**
   * File names of its pronunciation dictionaries, `word phone phone …` per line: only their words
   * can be spoken.
   */
  lexicons: readonly string[];
  /** True if espeak-ng reads words in Latin letters, so they need no dictionary. */
  readsLatin: boolean;
  /** Speaker number by language; absent if the model has only one. */
  speakers: Readonly<Partial<Record<Language, number>>>;
  /** Makes the configuration; `folderOf` returns the folder of a required package. */
  config(folder: string, folderOf: (name: string) => string): OfflineTtsConfig;
};

/** One thread, because worker processes run in parallel already. */
const THREADS = 1;
const MATCHA_VOCODER = 'vocos-22khz';
const ZIPVOICE_VOCODER = 'vocos-24khz';

/** All synthesizers of the catalogue. */
export const SHERPA_VOICES: readonly SherpaVoice[] = [
  {
    name: 'vits-cantonese',
    requires: [],
    clones: 'none',
    quality: { cantonese: 55 },
    lexicons: ['lexicon.txt'],
    readsLatin: false,
    speakers: {},
    config: (folder) =>
      complete({
        vits: {
          model: join(folder, 'vits-cantonese-hf-xiaomaiiwn.onnx'),
          lexicon: join(folder, 'lexicon.txt'),
          tokens: join(folder, 'tokens.txt'),
        },
      }),
  },
  {
    name: 'kokoro',
    requires: [],
    clones: 'none',
    quality: { mandarin: 60, english: 75 },
    lexicons: ['lexicon-us-en.txt', 'lexicon-zh.txt'],
    readsLatin: true,
    // The numbers are those of zf_xiaoxiao and af_heart.
    speakers: { mandarin: 47, english: 3 },
    config: (folder) =>
      complete({
        kokoro: {
          model: join(folder, 'model.onnx'),
          voices: join(folder, 'voices.bin'),
          tokens: join(folder, 'tokens.txt'),
          dataDir: join(folder, 'espeak-ng-data'),
          lexicon: ['lexicon-us-en.txt', 'lexicon-zh.txt'].map((name) => join(folder, name)).join(','),
        },
      }),
  },
  {
    name: 'matcha-mandarin',
    requires: [MATCHA_VOCODER],
    clones: 'none',
    quality: { mandarin: 58 },
    lexicons: ['lexicon.txt'],
    readsLatin: false,
    speakers: {},
    config: (folder, folderOf) =>
      complete({
        matcha: {
          acousticModel: join(folder, 'model-steps-3.onnx'),
          vocoder: join(folderOf(MATCHA_VOCODER), 'vocos-22khz-univ.onnx'),
          lexicon: join(folder, 'lexicon.txt'),
          tokens: join(folder, 'tokens.txt'),
        },
      }),
  },
  {
    name: 'matcha-english',
    requires: [MATCHA_VOCODER],
    clones: 'none',
    quality: { english: 70 },
    lexicons: [],
    readsLatin: true,
    speakers: {},
    config: (folder, folderOf) =>
      complete({
        matcha: {
          acousticModel: join(folder, 'model-steps-3.onnx'),
          vocoder: join(folderOf(MATCHA_VOCODER), 'vocos-22khz-univ.onnx'),
          tokens: join(folder, 'tokens.txt'),
          dataDir: join(folder, 'espeak-ng-data'),
        },
      }),
  },
  {
    name: 'zipvoice',
    requires: [ZIPVOICE_VOCODER],
    clones: 'reference-and-text',
    quality: { mandarin: 72, english: 72 },
    lexicons: ['lexicon.txt'],
    readsLatin: true,
    speakers: {},
    config: (folder, folderOf) =>
      complete({
        zipvoice: {
          encoder: join(folder, 'encoder.int8.onnx'),
          decoder: join(folder, 'decoder.int8.onnx'),
          vocoder: join(folderOf(ZIPVOICE_VOCODER), 'vocos_24khz.onnx'),
          tokens: join(folder, 'tokens.txt'),
          lexicon: join(folder, 'lexicon.txt'),
          dataDir: join(folder, 'espeak-ng-data'),
        },
      }),
  },
];

function complete(model: Pick<OfflineTtsConfig['model'], 'vits' | 'kokoro' | 'matcha' | 'zipvoice'>): OfflineTtsConfig {
  return { model: { ...model, numThreads: THREADS, provider: 'cpu', debug: 0 }, maxNumSentences: 1 };
}
