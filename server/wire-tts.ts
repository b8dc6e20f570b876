import { join } from 'node:path';
import { VOICE_PROFILE_VERSION } from '@jyutsing/audio/voice/measure-voice';
import type { Config } from './config/config.ts';
import { SHIPPED_ENGINES_DIR, type EngineRegistry } from '@jyutsing/engines/registry';
import { createSpeechService, type SpeechService } from './features/synthesis/speech.ts';
import type { Speak } from './features/synthesis/stages.ts';
import { createVoiceLibrary, type VoiceEditor, type VoiceLibrary } from './features/voices/library.ts';
import { loadShippedVoices } from './features/voices/shipped-voices.ts';
import type { BlobStore } from '@jyutsing/contracts/blobs';
import type { Store } from './store/store.ts';
import { speak as speakHere } from './workers/tasks/speak.ts';
import type { WorkerPools } from './workers/worker-pools.ts';

type Rooms = { config: Config; engines: EngineRegistry; workers: WorkerPools; store: Store; blobs: BlobStore };

/** The public voices of this package. */
const SHIPPED_VOICES_DIR = join(import.meta.dirname, '../voices');

/** Who speaks, and in whose voice. Files in passing lie in `incomingDir`. */
export function createSpeaking(
  rooms: Rooms,
  incomingDir: string,
): { speech: SpeechService; voices: VoiceLibrary & VoiceEditor } {
  const { config, engines, workers, store, blobs } = rooms;
  const place = { enginesDir: SHIPPED_ENGINES_DIR, env: config.engines };
  // Engines that compute do it in processes of their own; those that only wait for a server wait in this one.
  const speak: Speak = (call, signal) => {
    const { placement } = call.model.capabilities;
    return placement === 'worker' ? workers.speak(call, signal) : speakHere({ ...place, call }, signal);
  };
  const speech = createSpeechService({
    speak,
    chooseSpeaker(language, requested) {
      const model = requested === 'auto' ? config.tts.engine : requested;
      const ref = engines.select('synthesizer', { language, model });
      return { ...ref, places: ref.capabilities.placement === 'worker' ? config.workers.count : null };
    },
    renderSpeechFile: workers.renderSpeechFile,
    incomingDir,
  });
  const voices = createVoiceLibrary({
    shipped: loadShippedVoices(SHIPPED_VOICES_DIR),
    voices: store.voices,
    samples: blobs,
    measureSample: workers.measureVoice,
    profileVersion: VOICE_PROFILE_VERSION,
    temporaryDir: incomingDir,
  });
  return { speech, voices };
}
