import type { EngineEnv } from '@jyutsing/contracts/engine';
import { AppError } from '@jyutsing/contracts/errors';
import type { Synthesizer, SynthesizerEngine } from '@jyutsing/contracts/synthesizer';
import { installedDigest } from '#engines/runtime/model-files/installed-digest.ts';
import { installedModelDir } from '#engines/runtime/model-files/installed.ts';
import { MODEL_NAME } from './packages.ts';
import { nanoSettings } from './variables.ts';

/** Increase it whenever this code could give other audio from the same model. */
const CODE_VERSION = '1';

/**
 * Cantonese in the voice of a sample by a network: canto-tts-nano, a language model over the codes
 * of a codec (MOSS-TTS-Nano). It is used only where somebody names it: we never ran it on its real
 * weights, and it is slower than its sound on two small cores.
 */
export const engine: SynthesizerEngine = {
  ability: 'synthesizer',
  name: MODEL_NAME,
  models: ({ modelsDir, settings }) => {
    const digest = installedDigest(modelsDir, MODEL_NAME);
    const read = nanoSettings(settings);
    const { sampling, quality } = 'settings' in read ? read.settings : { sampling: 'fixed', quality: 1 };
    const reason =
      digest === null ? `not pulled: npm run models -- pull ${MODEL_NAME}` : 'reason' in read && read.reason;
    return [
      {
        name: MODEL_NAME,
        version: [CODE_VERSION, ...(digest === null ? [] : [digest]), sampling, quality].join('-'),
        capabilities: {
          // An estimate from the publisher's 11.8 % of characters misheard.
          languages: { cantonese: 40 },
          clones: 'reference',
          onlyByName: true,
          maySpeakSlowly: true,
          ...(quality > 1 ? { candidates: quality } : {}),
          unit: 'piece',
          readings: true,
          wordTimes: false,
          adjusts: { speed: false, pitch: false },
          placement: 'worker',
        },
        availability: reason === false ? { available: true } : { available: false, reason },
      },
    ];
  },
  open: openNano,
};

async function openNano({ modelsDir, settings }: EngineEnv, modelName: string): Promise<Synthesizer> {
  const folder = installedModelDir(modelsDir, MODEL_NAME);
  if (modelName !== MODEL_NAME || folder === null) {
    throw new AppError('engine_unavailable', `The model "${modelName}" is not installed on this server.`);
  }
  const read = nanoSettings(settings);
  if ('reason' in read)
    throw new AppError('engine_unavailable', `The engine ${MODEL_NAME} cannot be used: ${read.reason}.`);
  const [{ openVoice }, { speak }, { raceAbort }] = await Promise.all([
    import('./open-voice.ts'),
    import('./speak.ts'),
    import('@jyutsing/concurrency/race-abort'),
  ]);
  const { voice, close } = await openVoice(folder, read.settings);
  /** Steps that still compute, after an abort too: a graph that runs must not be closed. */
  const running = new Set<Promise<unknown>>();
  const untilDone = (step: Promise<unknown>) => {
    const done = step.catch(() => {}).finally(() => running.delete(done));
    running.add(done);
  };
  let isClosed = false;
  return {
    async *synthesize(request, signal) {
      signal.throwIfAborted();
      if (request.language !== 'cantonese') {
        throw new AppError('engine_unavailable', `The model "${MODEL_NAME}" does not speak ${request.language}.`);
      }
      const events = speak(voice, request, signal);
      try {
        for (;;) {
          const step = events.next();
          untilDone(step);
          const { done, value } = await raceAbort(step, signal);
          if (done === true) return;
          yield value;
        }
      } finally {
        // The present run of a graph, at most a second, ends on its thread.
        untilDone(events.return(undefined));
      }
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      await Promise.all(running);
      await close();
    },
  };
}
