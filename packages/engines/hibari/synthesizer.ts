import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '@jyutsing/contracts/errors';
import type { SynthesizerEngine } from '@jyutsing/contracts/synthesizer';

const MODEL = 'hibari-heart';
/** Version of this code and of the model's files. */
const VERSION = '3+hibari-tts-0.2.1';
const FILES = ['hibari/hibari.onnx', 'hibari/lexicon.tsv'] as const;

/**
 * Built-in synthesizer of English: the neural voice of hibari-tts, in the register, pace and
 * formants of a profile.
 */
export const engine: SynthesizerEngine = {
  ability: 'synthesizer',
  name: 'hibari',
  models: ({ builtinModelsDir }) => [
    {
      name: MODEL,
      version: VERSION,
      capabilities: {
        languages: { english: 68 },
        clones: 'profile',
        unit: 'piece',
        readings: true,
        leaves: ['cantonese', 'mandarin'],
        wordTimes: true,
        adjusts: { speed: true, pitch: true },
        placement: 'worker',
      },
      availability: FILES.every((file) => existsSync(join(builtinModelsDir, file)))
        ? { available: true }
        : { available: false, reason: 'its model files are not installed' },
    },
  ],
  async open({ builtinModelsDir }, modelName) {
    if (modelName !== MODEL)
      throw new AppError('engine_unavailable', `There is no model "${modelName}" of this engine.`);
    const [graphPath, lexiconPath] = FILES.map((file) => join(builtinModelsDir, file));
    const [{ openGraph }, { readLexicon }, { createSpeller }, { speak }] = await Promise.all([
      import('./open-graph.ts'),
      import('./lexicon.ts'),
      import('./spell-word.ts'),
      import('./speak.ts'),
    ]);
    const lexicon = await readLexicon(lexiconPath!).catch((cause: unknown) => {
      throw new AppError('engine_unavailable', 'The lexicon of the English voice cannot be read.', { cause });
    });
    const graph = await openGraph(graphPath!);
    const voice = { graph, spell: createSpeller(lexicon) };
    let isClosed = false;
    return {
      synthesize: (request, signal) => speak(voice, request, signal),
      async close() {
        if (isClosed) return;
        isClosed = true;
        await graph.close();
      },
    };
  },
};
