import type { AudioInfo, PcmChunk } from '#contracts/audio.ts';
import { RECOGNIZER_SAMPLE_RATE_HZ, type EngineSurroundings, type Recognizer } from '#contracts/recognizer.ts';
import { decodeAudio } from '#audio/decode.ts';
import { probeAudio } from '#audio/probe.ts';
import { loadEngines, type EngineRegistry } from '#engines/registry.ts';
import type { ListeningEvent } from '#features/transcription/transcribe.ts';
import { serveTasks } from '#runtime/serve-tasks.ts';
import type { EngineCall, ProbeCall, RecognizeCall } from './speech-workers.ts';

/** What one worker process can do; the main process talks to it through speech-workers.ts. */
serveTasks({
  probe: (payload) => probe(payload as ProbeCall),
  recognize: (payload, signal) => recognize(payload as RecognizeCall, signal),
  'warm-up': (payload) => warmUp(payload as EngineCall),
});

async function* probe(call: ProbeCall): AsyncGenerator<AudioInfo> {
  yield await probeAudio(call.path, call.limits);
}

async function* warmUp(call: EngineCall): AsyncGenerator<{ type: 'warm' }> {
  await openRecognizer(call);
  yield { type: 'warm' };
}

async function* recognize(call: RecognizeCall, signal: AbortSignal): AsyncGenerator<ListeningEvent> {
  const recognizer = await openRecognizer(call);
  yield { type: 'audio-start' };
  const audio = measured(
    decodeAudio(call.path, {
      sampleRateHz: RECOGNIZER_SAMPLE_RATE_HZ,
      maxDurationMs: call.limits.maxDurationMs,
      signal,
    }),
  );
  yield* recognizer.recognize(audio.chunks(), call.options, signal);
  // An engine may stop before the end; the length, and whether the file is whole, are known only there.
  const rest = audio.chunks();
  while (!(await rest.next()).done) signal.throwIfAborted();
  yield { type: 'audio-end', durationMs: audio.durationMs() };
}

/** Counts the sound that passes. `chunks` may be asked for again and goes on where the last consumer left. */
function measured(source: AsyncGenerator<PcmChunk>) {
  let durationMs = 0;
  return {
    durationMs: () => durationMs,
    async *chunks(): AsyncGenerator<PcmChunk> {
      // By hand, because `for await` would close the source when its consumer leaves early.
      for (let step = await source.next(); !step.done; step = await source.next()) {
        const { samples, sampleRateHz, startMs } = step.value;
        durationMs = startMs + (samples.length * 1_000) / sampleRateHz;
        yield step.value;
      }
    },
  };
}

/** Engines stay open for the life of the process: loading a model takes longer than most recordings. */
const opened = new Map<string, Promise<Recognizer>>();
const registries = new Map<string, Promise<EngineRegistry>>();

async function openRecognizer({ enginesDir, surroundings, engineName }: EngineCall): Promise<Recognizer> {
  const key = JSON.stringify([enginesDir, surroundings, engineName]);
  let recognizer = opened.get(key);
  if (recognizer === undefined) {
    recognizer = findRegistry(enginesDir, surroundings).then((registry) =>
      registry.getRecognizer(engineName).open(surroundings),
    );
    opened.set(key, recognizer);
    // A model that was missing may be there at the next request.
    recognizer.catch(() => opened.delete(key));
  }
  return recognizer;
}

function findRegistry(enginesDir: string, surroundings: EngineSurroundings): Promise<EngineRegistry> {
  const key = JSON.stringify([enginesDir, surroundings]);
  let registry = registries.get(key);
  if (registry === undefined) {
    registry = loadEngines({ enginesDir, surroundings });
    registries.set(key, registry);
  }
  return registry;
}
