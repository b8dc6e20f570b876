import { join } from 'node:path';
import type { OfflineTtsConfig } from 'sherpa-onnx-node';
import type { SynthesizerCapabilities } from '@jyutsing/contracts/synthesizer';

/** How to run a voice package of the catalogue. */
export type SherpaVoice = {
  /** The name of both package and model. */
  name: string;
  /** 0–100, estimated: none was tried in development. */
  quality: SynthesizerCapabilities['languages'];
  /** Its pronunciation dictionary, `word phone phone …` per line: only its words can be spoken. */
  lexicon: string;
  config(folder: string): OfflineTtsConfig;
};

/** One: worker processes run in parallel already. */
const THREADS = 1;

/** All synthesizers of the catalogue. */
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
