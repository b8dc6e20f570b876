import type { PcmChunk } from '@jyutsing/contracts/audio';
import type { DiarizationEvent, DiarizationHints } from '@jyutsing/contracts/diarizer';
import type { IdentifiedLanguage } from '@jyutsing/contracts/language-identifier';
import { AppError } from '@jyutsing/contracts/errors';
import { RECOGNIZER_SAMPLE_RATE_HZ, type RecognitionEvent } from '@jyutsing/contracts/recognizer';
import { LANGUAGES, type Language, type RecognizedSyllable, type Segment } from '@jyutsing/contracts/transcript';
import type { TranscriptionModels } from '@jyutsing/contracts/transcription-plan';
import { decodeAudio } from '@jyutsing/audio/decode';
import { withLookahead, type LookaheadAudio } from '@jyutsing/audio/lookahead';
import type { TranscriptionContext } from './stages.ts';

type RecognizeInput = { path: string; models: TranscriptionModels; options: RecordingOptions };

type RecordingOptions = {
  context: string | null;
  /** Whether to return the syllables of Cantonese. */
  romanize: boolean;
  /** Whether to find the speakers. */
  diarize: boolean;
  /** What is known about them. */
  hints?: DiarizationHints;
};

/**
 * The events of recognizing one recording, in this order: the language, if it was unknown and there
 * is speech; the recognizer's model; its events; the measured duration; then, if requested, the
 * syllables of each segment in order (unless the recognizer gave them) and the speaker turns.
 */
type RecordingEvent =
  | { type: 'language-detected'; language: Language; confidence: number }
  | { type: 'recognizer-chosen'; backend: string; language: Language }
  | RecognitionEvent
  | { type: 'audio-end'; durationMs: number }
  | { type: 'segment-syllables'; syllables: RecognizedSyllable[] }
  | { type: 'diarization-progress'; processedMs: number }
  | Extract<DiarizationEvent, { type: 'turns' }>;

type Context = Omit<TranscriptionContext, 'fuse'>;

type TimeSpan = Pick<Segment, 'startMs' | 'endMs'>;

/**
 * Decodes and recognizes one file, then finds its syllables and its speakers where the options ask
 * for them. Throws AppError; an aborted signal throws its reason.
 */
export async function* recognizeRecording(
  input: RecognizeInput,
  context: Context,
  signal: AbortSignal,
): AsyncGenerator<RecordingEvent> {
  // Later passes need the times of speech only; keeping the words as well would double the memory.
  const speech: TimeSpan[] = [];
  let isRomanizing = false;
  for await (const event of recognizeSpeech(input, context, signal)) {
    if (event.type === 'recognizer-chosen') isRomanizing = input.options.romanize && event.language === 'cantonese';
    if (event.type === 'segment-end') {
      const { startMs, endMs } = event.segment;
      speech.push({ startMs, endMs });
      // This recognizer gives the syllables itself.
      if (event.syllables !== null) isRomanizing = false;
    }
    yield event;
  }
  if (isRomanizing && speech.length > 0) yield* romanize(input, speech, context, signal);
  if (input.options.diarize) yield* diarize(input, context, signal);
}

async function* recognizeSpeech(
  input: RecognizeInput,
  context: Context,
  signal: AbortSignal,
): AsyncGenerator<RecordingEvent> {
  const { options, models } = input;
  await using audio = withLookahead(decode(input, context, signal));
  const identified = await identifyLanguage(input, context, audio, signal);
  if (identified !== null) yield { type: 'language-detected', ...identified };
  // A recognizer needs a language also where none could be identified.
  const language = identified?.language ?? possibleLanguages(models)[0];
  const ref = language === undefined ? undefined : models.recognizers[language];
  if (language === undefined || ref === undefined) throw new AppError('engine_unavailable');
  yield { type: 'recognizer-chosen', backend: ref.model, language };
  const recognizer = await context.open(ref);
  const { context: hint, romanize: isRomanized } = options;
  yield* recognizer.recognize(audio.take(), { language, context: hint, romanize: isRomanized }, signal);
  // An engine may stop before the end; the duration, and whether the file is whole, are known only
  // there.
  for await (const chunk of audio.take()) {
    void chunk;
    signal.throwIfAborted();
  }
  yield { type: 'audio-end', durationMs: audio.durationMs() };
}

/** Null where only one language is possible, and for a recording without speech. */
async function identifyLanguage(
  { models }: RecognizeInput,
  { open }: Context,
  audio: LookaheadAudio,
  signal: AbortSignal,
): Promise<IdentifiedLanguage | null> {
  if (models.languageIdentifier === null) return null;
  const identifier = await open(models.languageIdentifier);
  return identifier.identify(audio.peek(), possibleLanguages(models), signal);
}

function possibleLanguages({ recognizers }: TranscriptionModels): Language[] {
  return LANGUAGES.filter((language) => recognizers[language] !== undefined);
}

/**
 * Decodes the file once more, which costs a thousandth of real time; keeping the samples would cost
 * four gigabytes for ten hours.
 */
async function* romanize(
  input: RecognizeInput,
  speech: readonly TimeSpan[],
  context: Context,
  signal: AbortSignal,
): AsyncGenerator<RecordingEvent> {
  const { romanizer: ref } = input.models;
  if (ref === null) return;
  const romanizer = await context.open(ref);
  for await (const syllables of romanizer.romanize(decode(input, context, signal), speech, signal)) {
    yield { type: 'segment-syllables', syllables };
  }
}

async function* diarize(input: RecognizeInput, context: Context, signal: AbortSignal): AsyncGenerator<RecordingEvent> {
  const { diarizer: ref } = input.models;
  if (ref === null) return;
  const diarizer = await context.open(ref);
  for await (const event of diarizer.diarize(decode(input, context, signal), signal, input.options.hints)) {
    if (event.type === 'turns') yield event;
    else yield { type: 'diarization-progress', processedMs: event.processedMs };
  }
}

function decode({ path }: RecognizeInput, { maxDurationMs }: Context, signal: AbortSignal): AsyncGenerator<PcmChunk> {
  return decodeAudio(path, { sampleRateHz: RECOGNIZER_SAMPLE_RATE_HZ, maxDurationMs, signal });
}
