import { AppError } from '@jyutsing/contracts/errors';
import type { SynthesizerEngine } from '@jyutsing/contracts/synthesizer';
import { openEspeak } from './espeak-driver.ts';

const MODEL = 'espeak-jyutping';
/** Version of this code and of the espeak-ng library. */
const VERSION = '6+espeak-ng-emscripten-0.3.5';

/**
 * Built-in synthesizer: the sounds of espeak-ng with F0 contours of this engine, in the voice of a
 * profile.
 */
export const engine: SynthesizerEngine = {
  ability: 'synthesizer',
  name: 'espeak',
  models: () => [
    {
      name: MODEL,
      version: VERSION,
      capabilities: {
        languages: { cantonese: 30, mandarin: 30, english: 30 },
        clones: 'profile',
        unit: 'piece',
        readings: true,
        wordTimes: true,
        adjusts: { speed: true, pitch: true },
        placement: 'worker',
      },
      availability: { available: true },
    },
  ],
  async open(_env, modelName) {
    if (modelName !== MODEL)
      throw new AppError('engine_unavailable', `There is no model "${modelName}" of this engine.`);
    const [driver, { speak }] = await Promise.all([openEspeak(), import('./speak.ts')]).catch((thrown: unknown) => {
      throw new AppError('engine_failed', 'The built-in synthesizer could not be started.', { cause: thrown });
    });
    return {
      synthesize: (request, signal) => speak(driver, request, signal),
      close: () => Promise.resolve(),
    };
  },
};
