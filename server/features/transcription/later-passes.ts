import { AppError } from '@jyutsing/contracts/errors';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import type { RecognizedSyllable, Segment } from '@jyutsing/contracts/transcript';
import type { TranscriptionEvent } from '@jyutsing/contracts/transcription';
import { decodeAudio } from '@jyutsing/audio/decode';
import type { RecognitionContext, Speakers, TranscriptionCall } from './recognition.ts';

/**
 * Finds the syllables of recognized segments. Decodes the file once more, which costs a thousandth
 * of real time; keeping the samples would cost four gigabytes for ten hours.
 */
export async function* romanize(
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

/** Finds the speakers of a recording, for which the file is decoded once more. */
export async function* diarize(
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
  knownIndexes: readonly (number | null)[] | undefined,
  { knownSpeakers }: TranscriptionCall['options'],
): Pick<Speakers, 'speakerNames'> {
  if (knownIndexes === undefined) return {};
  const names = knownIndexes.flatMap((speaker, index) => {
    const name = knownSpeakers?.[index]?.name;
    return speaker === null || name === undefined ? [] : [[String(speaker), name] as const];
  });
  return { speakerNames: Object.fromEntries(names) };
}

/** Decodes the recording as recognizers take it. */
export function decode(
  { path, channel }: TranscriptionCall,
  { maxDurationMs }: RecognitionContext,
  signal: AbortSignal,
): ReturnType<typeof decodeAudio> {
  return decodeAudio(path, { sampleRateHz: RECOGNIZER_SAMPLE_RATE_HZ, maxDurationMs, signal, channel });
}
