import type { PcmChunk } from '@jyutsing/contracts/audio';
import type { IdentifiedLanguage } from '@jyutsing/contracts/language-identifier';
import { AppError } from '@jyutsing/contracts/errors';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { LANGUAGES, type Language, type Segment } from '@jyutsing/contracts/transcript';
import type { TranscriptionModels } from '@jyutsing/contracts/transcription-plan';
import { decodeAudio } from '@jyutsing/audio/decode';
import { withLookahead, type LookaheadAudio } from '@jyutsing/audio/lookahead';
import type { AudioLimits } from '@jyutsing/audio/probe';
import type { FileRecognitionEvent, FileRecognitionOptions } from '#features/transcription/stages.ts';
import { openModel, type EngineLocation } from '#workers/opened-engines.ts';

export type ListenCall = EngineLocation & {
  path: string;
  limits: AudioLimits;
  models: TranscriptionModels;
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
  const { options, models } = call;
  await using audio = withLookahead(decode(call, signal));
  const identified = await identifyLanguage(call, audio, signal);
  if (identified !== null) yield { type: 'language-detected', ...identified };
  const language = identified?.language ?? possibleLanguages(models)[0];
  const ref = language === undefined ? undefined : models.recognizers[language];
  if (language === undefined || ref === undefined) throw new AppError('engine_unavailable');
  yield { type: 'recognizer-chosen', backend: ref.model, language };
  const recognizer = await openModel(call, ref);
  const { context, romanize: isRomanized } = options;
  yield* recognizer.recognize(audio.take(), { language, context, romanize: isRomanized }, signal);
  // An engine may stop before the end; the length, and whether the file is whole, are known only there.
  for await (const chunk of audio.take()) {
    void chunk;
    signal.throwIfAborted();
  }
  yield { type: 'audio-end', durationMs: audio.durationMs() };
}

/** Null where only one language is possible, and for a recording without speech. */
async function identifyLanguage(
  call: ListenCall,
  audio: LookaheadAudio,
  signal: AbortSignal,
): Promise<IdentifiedLanguage | null> {
  const { languageIdentifier } = call.models;
  if (languageIdentifier === null) return null;
  const identifier = await openModel(call, languageIdentifier);
  return identifier.identify(audio.peek(), possibleLanguages(call.models), signal);
}

function possibleLanguages({ recognizers }: TranscriptionModels): Language[] {
  return LANGUAGES.filter((language) => recognizers[language] !== undefined);
}

/** Decoding once more costs a thousandth of real time; keeping the sound would cost four gigabytes for ten hours. */
async function* romanize(
  call: ListenCall,
  segments: readonly Pick<Segment, 'startMs' | 'endMs'>[],
  signal: AbortSignal,
): AsyncGenerator<FileRecognitionEvent> {
  const { romanizer: ref } = call.models;
  if (ref === null) return;
  const romanizer = await openModel(call, ref);
  for await (const heard of romanizer.romanize(decode(call, signal), segments, signal)) {
    yield { type: 'segment-syllables', syllables: heard };
  }
}

async function* diarize(call: ListenCall, signal: AbortSignal): AsyncGenerator<FileRecognitionEvent> {
  const { diarizer: ref } = call.models;
  if (ref === null) return;
  const diarizer = await openModel(call, ref);
  for await (const event of diarizer.diarize(decode(call, signal), signal)) {
    if (event.type === 'turns') yield event;
    else yield { type: 'diarization-progress', processedMs: event.processedMs };
  }
}

function decode({ path, limits }: ListenCall, signal: AbortSignal): AsyncGenerator<PcmChunk> {
  return decodeAudio(path, { sampleRateHz: RECOGNIZER_SAMPLE_RATE_HZ, maxDurationMs: limits.maxDurationMs, signal });
}
