import type { Channel } from '@jyutsing/concurrency/channel';
import type { Ability, ModelRef, OpenedOf } from '@jyutsing/contracts/abilities';
import type { PcmChunk } from '@jyutsing/contracts/audio';
import type { CorrectionSegment } from '@jyutsing/contracts/corrector';
import type { SpeakerTurn } from '@jyutsing/contracts/diarizer';
import { AppError } from '@jyutsing/contracts/errors';
import type { IdentifiedLanguage } from '@jyutsing/contracts/language-identifier';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { LANGUAGES, type Language, type RecognizedSyllable, type Segment } from '@jyutsing/contracts/transcript';
import type { TranscriptionEvent, TranscriptionOptions, TranscriptionResult } from '@jyutsing/contracts/transcription';
import type { TranscriptionModels } from '@jyutsing/contracts/transcription-plan';
import { decodeAudio } from '@jyutsing/audio/decode';
import { withLookahead, type LookaheadAudio } from '@jyutsing/audio/lookahead';
import { createReadableWriter, type WritingStyle } from '@jyutsing/text/readable';
import { secondsSince } from './credits.ts';

/** The input of one transcription. `path` is the file of the recording. */
export type TranscriptionCall = {
  path: string;
  models: TranscriptionModels;
  options: Pick<
    TranscriptionOptions,
    | 'language'
    | 'context'
    | 'withDiarization'
    | 'knownSpeakers'
    | 'speakers'
    | 'diarizationThreshold'
    | 'withPunctuation'
    | 'numerals'
  >;
};

/** What a recognition finds in its process. */
export type RecognitionContext = {
  /** Opens a planned model, or gives the one that is open. */
  open<A extends Ability>(ref: ModelRef<A>): Promise<OpenedOf<A>>;
  maxDurationMs: number;
  /**
   * Takes each segment with its syllables, in order, and is closed at the end; null: no syllables
   * are needed.
   */
  corrections: Pick<Channel<CorrectionSegment>, 'send' | 'close'> | null;
};

type BestSyllable = Pick<RecognizedSyllable, 'startMs' | 'endMs'> & { reading: string };

/** A recording as it was recognized, before correction and with one list of segments for all speakers. */
export type Recognition = Pick<
  TranscriptionResult,
  'language' | 'backend' | 'durationMs' | 'segments' | 'speakerNames' | 'transcriptionSeconds'
> & {
  /** The most likely syllables of each segment; empty when not available. */
  syllables: BestSyllable[][];
  /** Null when no speakers are wanted. */
  turns: SpeakerTurn[] | null;
};

type Speakers = Pick<Recognition, 'turns' | 'speakerNames'>;

/**
 * Recognizes one file, then finds its syllables (unless the recognizer gave them) and its speakers
 * where they are wanted. Yields segments as they will be in the result, each when the next one is
 * recognized. Throws AppError; an aborted signal throws its reason.
 */
export async function* recognizeRecording(
  call: TranscriptionCall,
  context: RecognitionContext,
  signal: AbortSignal,
): AsyncGenerator<TranscriptionEvent, Recognition> {
  const { options } = call;
  const { corrections } = context;
  using ending = new DisposableStack();
  ending.defer(() => corrections?.close());
  const startedMs = performance.now();
  const segments: Segment[] = [];
  const syllables: BestSyllable[][] = [];
  const addSyllables = async (ofSegment: RecognizedSyllable[]) => {
    const segment = segments[syllables.length];
    syllables.push(ofSegment.flatMap(bestOf));
    if (segment !== undefined) await corrections?.send({ segment, syllables: ofSegment });
  };
  yield { type: 'progress', stage: 'recognition', processedMs: 0 };
  await using audio = withLookahead(decode(call, context, signal));
  const { language, usedLanguage, ref } = await chooseRecognizer(call, context, audio, signal);
  const recognizer = await context.open(ref);
  const writer = createReadableWriter(language, styleOf(options));
  const request = { language: usedLanguage, context: options.context, romanize: corrections !== null };
  for await (const event of recognizer.recognize(audio.take(), request, signal)) {
    if (event.type === 'progress') {
      yield event;
      continue;
    }
    segments.push(event.segment);
    const written = writer.add(event.segment);
    if (written !== null) yield { type: 'segment-end', segment: written, syllables: null };
    if (event.syllables !== null) await addSyllables(event.syllables);
  }
  const durationMs = await readToEnd(audio, signal);
  const last = writer.end();
  if (last !== null) yield { type: 'segment-end', segment: last, syllables: null };
  const lacksSyllables = corrections !== null && syllables.length === 0 && segments.length > 0;
  if (lacksSyllables && usedLanguage === 'cantonese') {
    for await (const ofSegment of romanize(call, context, segments, signal)) await addSyllables(ofSegment);
  }
  const speakers = options.withDiarization ? yield* diarize(call, context, signal) : { turns: null };
  const transcriptionSeconds = secondsSince(startedMs);
  return { language, backend: ref.model, durationMs, segments, syllables, ...speakers, transcriptionSeconds };
}

/**
 * The recognizer for the language of the recording. `usedLanguage` is the one it is asked for,
 * `language` that of the result: without speech no language can be identified.
 */
async function chooseRecognizer(
  { models, options }: TranscriptionCall,
  context: RecognitionContext,
  audio: LookaheadAudio,
  signal: AbortSignal,
): Promise<{ language: Language; usedLanguage: Language; ref: ModelRef<'recognizer'> }> {
  const identified = await identifyLanguage(models, context, audio, signal);
  // A recognizer needs a language also where none could be identified.
  const usedLanguage = identified?.language ?? possibleLanguages(models)[0];
  const ref = usedLanguage === undefined ? undefined : models.recognizers[usedLanguage];
  if (usedLanguage === undefined || ref === undefined) throw new AppError('engine_unavailable');
  const language = identified?.language ?? LANGUAGES.find((each) => each === options.language) ?? 'cantonese';
  return { language, usedLanguage, ref };
}

/**
 * Returns the measured duration. An engine may stop before the end; the duration, and whether the
 * file is whole, are known only there.
 */
async function readToEnd(audio: LookaheadAudio, signal: AbortSignal): Promise<number> {
  for await (const chunk of audio.take()) {
    void chunk;
    signal.throwIfAborted();
  }
  return audio.durationMs();
}

/** Null where only one language is possible, and for a recording without speech. */
async function identifyLanguage(
  models: TranscriptionModels,
  { open }: RecognitionContext,
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

/** The style in which the options of a request want a text to be written. */
export function styleOf({ withPunctuation, numerals }: TranscriptionCall['options']): WritingStyle {
  return { punctuation: withPunctuation !== false, numerals: numerals !== false };
}

function bestOf({ startMs, endMs, alternatives }: RecognizedSyllable): BestSyllable[] {
  const [best] = alternatives;
  return best === undefined ? [] : [{ startMs, endMs, reading: best.reading }];
}

/**
 * Decodes the file once more, which costs a thousandth of real time; keeping the samples would cost
 * four gigabytes for ten hours.
 */
async function* romanize(
  call: TranscriptionCall,
  context: RecognitionContext,
  segments: readonly Segment[],
  signal: AbortSignal,
): AsyncGenerator<RecognizedSyllable[]> {
  const { romanizer: ref } = call.models;
  if (ref === null) return;
  const romanizer = await context.open(ref);
  yield* romanizer.romanize(decode(call, context, signal), segments, signal);
}

async function* diarize(
  call: TranscriptionCall,
  context: RecognitionContext,
  signal: AbortSignal,
): AsyncGenerator<TranscriptionEvent, Speakers> {
  const { knownSpeakers, speakers, diarizationThreshold: threshold } = call.options;
  const hints = {
    ...(knownSpeakers === undefined ? {} : { knownVoices: knownSpeakers.map(({ voice }) => voice) }),
    ...(speakers === undefined ? {} : { speakers }),
    ...(threshold === undefined ? {} : { threshold }),
  };
  const { diarizer: ref } = call.models;
  const diarizer = ref === null ? null : await context.open(ref);
  for await (const event of diarizer?.diarize(decode(call, context, signal), signal, hints) ?? []) {
    if (event.type === 'turns') return { turns: event.turns, ...namesOf(event.known, call.options) };
    yield { type: 'progress', stage: 'diarization', processedMs: event.processedMs };
  }
  throw new AppError('engine_failed', 'The recognition ended before the recording did.');
}

/** The names of the known speakers that were heard. `known`: see `DiarizationEvent`. */
function namesOf(
  known: readonly (number | null)[] | undefined,
  { knownSpeakers }: TranscriptionCall['options'],
): Pick<Speakers, 'speakerNames'> {
  if (known === undefined) return {};
  const names = known.flatMap((speaker, index) => {
    const name = knownSpeakers?.[index]?.name;
    return speaker === null || name === undefined ? [] : [[String(speaker), name] as const];
  });
  return { speakerNames: Object.fromEntries(names) };
}

function decode(
  { path }: TranscriptionCall,
  { maxDurationMs }: RecognitionContext,
  signal: AbortSignal,
): AsyncGenerator<PcmChunk> {
  return decodeAudio(path, { sampleRateHz: RECOGNIZER_SAMPLE_RATE_HZ, maxDurationMs, signal });
}
