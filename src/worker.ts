import type { AudioInfo, PcmChunk } from '#contracts/audio.ts';
import type { IdentifiedLanguage, LanguageIdentifier } from '#contracts/language-identifier.ts';
import {
  RECOGNIZER_SAMPLE_RATE_HZ,
  type EngineSurroundings,
  type Recognizer,
  type RecognizerChoice,
} from '#contracts/recognizer.ts';
import type { Language } from '#contracts/transcript.ts';
import { decodeAudio } from '#audio/decode.ts';
import { withLookahead } from '#audio/lookahead.ts';
import { probeAudio } from '#audio/probe.ts';
import { loadEngines, type EngineRegistry } from '#engines/registry.ts';
import type { ListeningEvent } from '#features/transcription/transcribe.ts';
import { once } from '#runtime/once.ts';
import { serveTasks } from '#runtime/serve-tasks.ts';
import type { ProbeCall, RecognizeCall, WarmUpCall } from './speech-workers.ts';

/** What one worker process can do; the main process talks to it through speech-workers.ts. */
serveTasks({
  probe: (payload) => probe(payload as ProbeCall),
  recognize: (payload, signal) => recognize(payload as RecognizeCall, signal),
  'warm-up': (payload, signal) => warmUp(payload as WarmUpCall, signal),
});

async function* probe(call: ProbeCall): AsyncGenerator<AudioInfo> {
  yield await probeAudio(call.path, call.limits);
}

/** Hears nothing, for which the models must be loaded all the same. */
async function* warmUp(call: WarmUpCall, signal: AbortSignal): AsyncGenerator<{ type: 'warm' }> {
  const registry = await findRegistry(call.enginesDir, call.surroundings);
  const { language } = call;
  const recognizer = await openRecognizer(registry.chooseRecognizer(language, call.preference), call.surroundings);
  for await (const event of recognizer.recognize(silence(), { language, context: null }, signal)) void event;
  yield { type: 'warm' };
}

async function* silence(): AsyncGenerator<PcmChunk> {}

async function* recognize(call: RecognizeCall, signal: AbortSignal): AsyncGenerator<ListeningEvent> {
  const { path, limits, surroundings, options, preference } = call;
  const registry = await findRegistry(call.enginesDir, surroundings);
  yield { type: 'audio-start' };
  await using audio = withLookahead(
    decodeAudio(path, { sampleRateHz: RECOGNIZER_SAMPLE_RATE_HZ, maxDurationMs: limits.maxDurationMs, signal }),
  );
  let { language } = options;
  if (language === 'auto') {
    const among = registry.recognizableLanguages(preference);
    // With one language there is nothing to find out.
    const found = among.length < 2 ? null : await identifyLanguage(registry, surroundings, audio.peek(), among, signal);
    if (found !== null) yield { type: 'language-detected', ...found };
    // Nothing was said, so far as anybody can tell; whoever listens on needs some language.
    language = found?.language ?? among[0] ?? 'cantonese';
  }
  const choice = registry.chooseRecognizer(language satisfies Language, preference);
  yield { type: 'recognizer-chosen', backend: choice.model.name };
  const recognizer = await openRecognizer(choice, surroundings);
  yield* recognizer.recognize(audio.take(), { language, context: options.context }, signal);
  // An engine may stop before the end; the length, and whether the file is whole, are known only there.
  for await (const chunk of audio.take()) {
    void chunk;
    signal.throwIfAborted();
  }
  yield { type: 'audio-end', durationMs: audio.durationMs() };
}

/** Models stay open: loading one takes longer than most recordings. Large ones cannot all stay, so those used longest ago leave. */
const MAX_OPEN_RECOGNIZERS = 2;
const recognizers = new Map<string, Promise<Recognizer>>();
const identifiers = new Map<string, Promise<LanguageIdentifier>>();
const registries = new Map<string, Promise<EngineRegistry>>();

async function openRecognizer({ engine, model }: RecognizerChoice, surroundings: EngineSurroundings) {
  const key = JSON.stringify([surroundings, engine.name, model.name, model.version]);
  const recognizer = once(recognizers, key, () => engine.open(surroundings, model.name));
  // Last in the map is used last.
  recognizers.delete(key);
  recognizers.set(key, recognizer);
  for (const [oldKey, old] of [...recognizers].slice(0, -MAX_OPEN_RECOGNIZERS)) {
    recognizers.delete(oldKey);
    await old.then((each) => each.close()).catch(() => {});
  }
  return recognizer;
}

async function identifyLanguage(
  registry: EngineRegistry,
  surroundings: EngineSurroundings,
  audio: AsyncIterable<PcmChunk>,
  among: readonly Language[],
  signal: AbortSignal,
): Promise<IdentifiedLanguage | null> {
  const engine = registry.chooseLanguageIdentifier();
  const key = JSON.stringify([surroundings, engine.name]);
  const identifier = await once(identifiers, key, () => engine.open(surroundings));
  return identifier.identify(audio, among, signal);
}

function findRegistry(enginesDir: string, surroundings: EngineSurroundings): Promise<EngineRegistry> {
  return once(registries, JSON.stringify([enginesDir, surroundings]), () => loadEngines({ enginesDir, surroundings }));
}
