import { join } from 'node:path';
import type { OfflineTtsConfig } from 'sherpa-onnx-node';
import type { SynthesizerCapabilities } from '@jyutsing/contracts/synthesizer';

/** How a package of the catalogue speaks. */
export type SherpaVoice = {
  /** The package's name, and the model's. */
  name: string;
  /** 0–100, guessed: none was heard in development. */
  quality: SynthesizerCapabilities['languages'];
  /** Its pronouncing dictionary, `word phone phone …` a line: only what is in it can be said. */
  lexicon: string;
  config(folder: string): OfflineTtsConfig;
};

/** One: many speak side by side in workers of their own, and more threads would give each less. */
const THREADS = 1;

/** Every synthesiser of the catalogue. */
export const SHERPA_VOICES: readonly SherpaVoice[] = [
  {
    name: 'vits-cantonese',
    quality: { cantonese: 55 },
    lexicon: 'lexicon.txt',
    config: (folder) => ({
      model: {
        vits: {
          model: join(folder, 'vits-cantonese-hf-xiaomaiiwn.onnx'),
          lexicon: join(folder, 'lexicon.txt'),
          tokens: join(folder, 'tokens.txt'),
        },
        numThreads: THREADS,
        provider: 'cpu',
        debug: 0,
      },
      maxNumSentences: 1,
    }),
  },
];
