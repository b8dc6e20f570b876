import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '@jyutsing/contracts/errors';
import type { SynthesizerEngine } from '@jyutsing/contracts/synthesizer';

const MODEL = 'syllable-yue';
/** Version of this code and of the voice file. */
const VERSION = '4';
const FILE = 'yue/syllables.voice';

/** Built-in synthesizer: Cantonese from one man's recorded syllables. */
export const engine: SynthesizerEngine = {
  ability: 'synthesizer',
  name: 'syllable',
  models: ({ builtinModelsDir }) => [
    {
      name: MODEL,
      version: VERSION,
      capabilities: {
        languages: { cantonese: 35 },
        clones: 'profile',
        // Less like the person than a synthesizer whose sounds all come from the profile.
        cloned: { cantonese: 25 },
        unit: 'piece',
        readings: true,
        wordTimes: true,
        adjusts: { speed: true, pitch: true },
        placement: 'worker',
      },
      availability: existsSync(join(builtinModelsDir, FILE))
        ? { available: true }
        : { available: false, reason: 'its voice file is not installed' },
    },
  ],
  async open({ builtinModelsDir }, modelName) {
    if (modelName !== MODEL)
      throw new AppError('engine_unavailable', `There is no model "${modelName}" of this engine.`);
    const [{ openVoice }, { speak }] = await Promise.all([import('./open-voice.ts'), import('./speak.ts')]);
    const voice = await openVoice(join(builtinModelsDir, FILE)).catch((thrown: unknown) => {
      throw new AppError('engine_failed', 'The voice of recorded syllables could not be opened.', { cause: thrown });
    });
    let isClosed = false;
    return {
      synthesize: (request, signal) => speak({ voice, pronounce }, request, signal),
      close() {
        if (!isClosed) voice.close();
        isClosed = true;
        return Promise.resolve();
      },
    };
  },
};

let pronouncer: Promise<(word: string) => readonly (readonly string[])[]> | null = null;

/** English words are rare: their dictionary is loaded with the first one. */
function pronounce() {
  pronouncer ??= import('@jyutsing/text/pronunciation/english/pronounce-word').then(
    async ({ openPronouncer }) => (await openPronouncer()).pronounce,
  );
  return pronouncer;
}
