import type { AudioInfo, PcmChunk } from '#contracts/audio.ts';
import { probeAudio } from '#audio/probe.ts';
import type { FusionEvent } from '#features/transcription/stages.ts';
import { serveTasks } from '#runtime/serve-tasks.ts';
import type { FuseCall } from '#worker/fuse.ts';
import { listen, type ListenCall } from '#worker/listen.ts';
import { findRegistry, openRecognizer, type EnginePlace } from '#worker/opened-engines.ts';
import type { ProbeCall, WarmUpCall } from './speech-workers.ts';

/** What one worker process can do; the main process talks to it through speech-workers.ts. */
serveTasks({
  probe: (payload) => probe(payload as ProbeCall),
  listen: (payload, signal) => listen(payload as ListenCall, signal),
  fuse: (payload, signal) => fuse(payload as FuseCall, signal),
  'prepare-fusion': (payload) => prepareFusion(payload as EnginePlace),
  'warm-up': (payload, signal) => warmUp(payload as WarmUpCall, signal),
});

async function* probe(call: ProbeCall): AsyncGenerator<AudioInfo> {
  yield await probeAudio(call.path, call.limits);
}

// Imported here: its dictionaries take half a second and 150 MB, which processes that only listen should not pay.
async function* fuse(call: FuseCall, signal: AbortSignal): AsyncGenerator<FusionEvent> {
  const { fuseTranscript } = await import('#worker/fuse.ts');
  yield* fuseTranscript(call, signal);
}

async function* prepareFusion(place: EnginePlace): AsyncGenerator<{ type: 'warm' }> {
  const { openCorrectors } = await import('#worker/fuse.ts');
  await openCorrectors(place);
  yield { type: 'warm' };
}

/** Hears nothing, for which the models must be loaded all the same. */
async function* warmUp(call: WarmUpCall, signal: AbortSignal): AsyncGenerator<{ type: 'warm' }> {
  const registry = await findRegistry(call);
  const { language } = call;
  const recognizer = await openRecognizer(registry.chooseRecognizer(language, call.preference), call.surroundings);
  const options = { language, context: null, romanize: false };
  for await (const event of recognizer.recognize(silence(), options, signal)) void event;
  yield { type: 'warm' };
}

async function* silence(): AsyncGenerator<PcmChunk> {}
