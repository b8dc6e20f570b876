import { join } from 'node:path';
import { VOICE_PROFILE_VERSION } from '@jyutsing/audio/voice/measure-voice';
import type { EngineRegistry } from '@jyutsing/engines/registry';
import type { Config } from '#config/config.ts';
import { createSpeechService, type SpeechService } from '#features/synthesis/speech-service.ts';
import { createVoiceLibrary, type VoiceEditor, type VoiceLibrary } from '#features/voices/library.ts';
import { loadShippedVoices } from '#features/voices/shipped-voices.ts';
import type { BlobStore } from '@jyutsing/contracts/blobs';
import type { Store } from '#store/store.ts';
import type { WorkerSettings } from '#workers/define-task.ts';
import { createEngineCache } from '#workers/engine-cache.ts';
import type { FairWorkers } from '#workers/fair-workers.ts';
import { renderSpeechFile } from '#workers/tasks/render-speech-file.ts';
import { recognizeSample } from '#workers/tasks/recognize-sample.ts';
import { measureVoice } from '#workers/tasks/measure-voice.ts';
import { speak } from '#workers/tasks/speak.ts';
import type { WorkerPools } from '#workers/worker-pools.ts';
import { createChooser } from './choose-synthesizer.ts';

type Parts = {
  config: Config;
  engines: EngineRegistry;
  pools: WorkerPools;
  workers: FairWorkers;
  workerSettings: WorkerSettings;
  store: Store;
  blobs: BlobStore;
  /** Folder for files that exist during a request only. */
  incomingDir: string;
};

const SHIPPED_VOICES_DIR = join(import.meta.dirname, '../../voices');

/** Wires text-to-speech and the voices. */
export function wireTts(parts: Parts): { speech: SpeechService; voices: VoiceLibrary & VoiceEditor } {
  const { config, engines, pools, workers, workerSettings, store, blobs, incomingDir } = parts;
  // Engines that compute run in worker processes; those that only wait for another server run in
  // this process.
  const ownContext = {
    ...workerSettings,
    engines: createEngineCache({ registry: async () => engines, open: engines.open }),
  };
  const speech = createSpeechService({
    async *speak(input, signal) {
      const isOwn = input.model.capabilities.placement !== 'worker';
      const lists = isOwn
        ? speak.run(input, ownContext, signal, async () => undefined)
        : pools.stream(speak, input, signal);
      for await (const events of lists) yield* events;
    },
    chooseModel: createChooser(engines, config.tts.engine),
    renderSpeechFile: (call, signal, accountId) => workers.run(renderSpeechFile, call, accountId, signal),
    concurrency: config.workers.count,
    incomingDir,
  });
  const voices = createVoiceLibrary({
    shipped: loadShippedVoices(SHIPPED_VOICES_DIR),
    voices: store.voices,
    samples: blobs,
    measureSample: (path, accountId) => workers.run(measureVoice, { path }, accountId),
    recognizeSample(path, language, accountId) {
      const model = engines.select('recognizer', { language, model: config.stt.engine });
      return workers.run(recognizeSample, { path, language, model }, accountId);
    },
    requireModel: (name) => void engines.languages('synthesizer', name),
    profileVersion: VOICE_PROFILE_VERSION,
    temporaryDir: incomingDir,
  });
  return { speech, voices };
}
