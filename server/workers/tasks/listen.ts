import type { PcmChunk } from '@jyutsing/contracts/audio';
import type { IdentifiedLanguage } from '@jyutsing/contracts/language-identifier';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import type { Language, LanguageChoice, Segment } from '@jyutsing/contracts/transcript';
import { decodeAudio } from '@jyutsing/audio/decode';
import { withLookahead, type LookaheadAudio } from '@jyutsing/audio/lookahead';
import type { AudioLimits } from '@jyutsing/audio/probe';
import type { EngineRegistry } from '@jyutsing/engines/registry';
import type { FileRecognitionEvent, FileRecognitionOptions } from '#features/transcription/stages.ts';
import { findRegistry, openEngine, openRecognizer, type EngineLocation } from '#workers/opened-engines.ts';

/** `preference` is a model, an engine, or "auto" for the best. */
export type ListenCall = EngineLocation & {
  path: string;
  limits: AudioLimits;
  preference: string;
  options: FileRecognitionOptions;
};

/** Decodes and recognises one file, and hears its syllables and speakers where that is wanted; see `ListeningEvent`. */
export async function* listen(call: ListenCall, signal: AbortSignal): AsyncGenerator<FileRecognitionEvent> {
  yield { type: 'audio-start' };
  // Later passes need to know where speech is; its words would be as much again.
  const segments: Pick<Segment, 'startMs' | 'endMs'>[] = [];
  let isRomanizing = false;
  for await (const event of recognize(call, signal)) {
    if (event.type === 'recognizer-chosen') isRomanizing = call.options.romanize && event.language === 'cantonese';
    if (event.type === 'segment-end') {
      const { startMs, endMs } = event.segment;
      segments.push({ startMs, endMs });
      // The recogniser says it itself, so that a second pass would hear nothing new.
      if (event.syllables !== null) isRomanizing = false;
    }
    yield event;
  }
  if (isRomanizing && segments.length > 0) yield* romanize(call, segments, signal);
  if (call.options.diarize) yield* diarize(call, signal);
}

type RecognizePassEvent =
  | Exclude<FileRecognitionEvent, { type: 'recognizer-chosen' }>
  | { type: 'recognizer-chosen'; backend: string; language: Language };

async function* recognize(call: ListenCall, signal: AbortSignal): AsyncGenerator<RecognizePassEvent> {
  const { env, options, preference } = call;
  const registry = await findRegistry(call);
  await using audio = withLookahead(decode(call, signal));
  const identified = await identifyLanguage(call, registry, audio, signal);
  if (identified !== null) yield { type: 'language-detected', ...identified };
  const language = identified?.language ?? decidedLanguage(options.language, registry, preference);
  const choice = registry.chooseRecognizer(language, preference);
  yield { type: 'recognizer-chosen', backend: choice.model.name, language };
  const recognizer = await openRecognizer(choice, env);
  const { context, romanize: isRomanized } = options;
  yield* recognizer.recognize(audio.take(), { language, context, romanize: isRomanized }, signal);
  // An engine may stop before the end; the length, and whether the file is whole, are known only there.
  for await (const chunk of audio.take()) {
    void chunk;
    signal.throwIfAborted();
  }
  yield { type: 'audio-end', durationMs: audio.durationMs() };
}

/** Null where the request names its language, where there is but one to choose, and where nothing was said so far as anybody can tell. */
async function identifyLanguage(
  { env, options, preference }: ListenCall,
  registry: EngineRegistry,
  audio: LookaheadAudio,
  signal: AbortSignal,
): Promise<IdentifiedLanguage | null> {
  if (options.language !== 'auto') return null;
  const among = registry.recognizableLanguages(preference);
  if (among.length < 2) return null;
  const identifier = await openEngine(registry.choose('language-identifier'), env);
  return identifier.identify(audio.peek(), among, signal);
}

/** Whoever listens on needs some language, also where none could be told. */
function decidedLanguage(asked: LanguageChoice, registry: EngineRegistry, preference: string): Language {
  return asked === 'auto' ? (registry.recognizableLanguages(preference)[0] ?? 'cantonese') : asked;
}

/** Decoding once more costs a thousandth of real time; keeping the sound would cost four gigabytes for ten hours. */
async function* romanize(
  call: ListenCall,
  segments: readonly Pick<Segment, 'startMs' | 'endMs'>[],
  signal: AbortSignal,
): AsyncGenerator<FileRecognitionEvent> {
  const registry = await findRegistry(call);
  const romanizer = await openEngine(registry.choose('romanizer'), call.env);
  for await (const heard of romanizer.romanize(decode(call, signal), segments, signal)) {
    yield { type: 'segment-syllables', syllables: heard };
  }
}

async function* diarize(call: ListenCall, signal: AbortSignal): AsyncGenerator<FileRecognitionEvent> {
  const registry = await findRegistry(call);
  const diarizer = await openEngine(registry.choose('diarizer'), call.env);
  for await (const event of diarizer.diarize(decode(call, signal), signal)) {
    if (event.type === 'turns') yield event;
    else yield { type: 'diarization-progress', processedMs: event.processedMs };
  }
}

function decode({ path, limits }: ListenCall, signal: AbortSignal): AsyncGenerator<PcmChunk> {
  return decodeAudio(path, { sampleRateHz: RECOGNIZER_SAMPLE_RATE_HZ, maxDurationMs: limits.maxDurationMs, signal });
}
