import type { ModelRef } from '@jyutsing/contracts/abilities';
import type { PcmChunk } from '@jyutsing/contracts/audio';
import { AppError } from '@jyutsing/contracts/errors';
import {
  RECOGNIZER_SAMPLE_RATE_HZ,
  type RecognitionEvent,
  type RecognitionFailure,
  type RecognitionOptions,
} from '@jyutsing/contracts/recognizer';
import type { Word } from '@jyutsing/contracts/transcript';
import type { ModelFailure } from '@jyutsing/contracts/transcription';
import { createRecentSamples } from '@jyutsing/audio/recent-samples';
import { recognitionFailure } from '@jyutsing/audio/speech/recognition-failure';
import { isFailureOfModel, type Recognition, type RecognitionContext } from './recognition.ts';

type Open = RecognitionContext['open'];
type SegmentEnd = Extract<RecognitionEvent, { type: 'segment-end' }>;

/** A failure of a model on one segment, or on the rest of the recording. */
type Failed = { type: 'model-failed'; model: string; failure: RecognitionFailure; answeredBy: string };

/** Events of the recognizers; `model` of a segment is the one that recognized it. */
type GuardedEvent =
  | { type: 'recognizer'; model: string }
  | Extract<RecognitionEvent, { type: 'progress' }>
  | (SegmentEnd & { model: string })
  | Failed;

type Asking = {
  open: Open;
  sound: ReturnType<typeof keepSound>;
  options: RecognitionOptions;
  signal: AbortSignal;
};

/** Failures in a row after which a model, or the next ones about its segments, are not asked. */
const MOST_FAILURES = 3;
/** The models that are asked about a segment: more would hold up a recording of music for long. */
const MOST_ASKED = 2;
/** Sound around a segment that another model hears with it … */
const MARGIN_MS = 150;
/** … between silence, without which a detector of speech knows no background. */
const SILENCE_MS = 600;

/**
 * Recognizes a recording with the first recognizer. A segment that it fails on is recognized by the
 * next one that does not; after three in a row, or when it breaks, the next one goes on from there.
 * What no other recognizes better stays as it is. Throws the error of the last recognizer.
 */
export async function* recognizeWithOthers(
  refs: readonly ModelRef<'recognizer'>[],
  open: Open,
  audio: AsyncIterable<PcmChunk>,
  options: RecognitionOptions,
  signal: AbortSignal,
): AsyncGenerator<GuardedEvent> {
  const sound = keepSound(audio);
  for (const [index, { model }] of refs.entries()) {
    const next = refs[index + 1]?.model;
    const offsetMs = sound.firstMs();
    let failuresInRow = 0;
    let unansweredInRow = 0;
    yield { type: 'recognizer', model };
    try {
      const recognizer = await open(refs[index]!);
      for await (const event of recognizer.recognize(sound.rest(), options, signal)) {
        const placed = moved(event, offsetMs);
        if (placed.type === 'progress') {
          sound.forget(placed.processedMs);
          yield placed;
          continue;
        }
        const endMs = placed.type === 'segment-end' ? placed.segment.endMs : placed.endMs;
        const nextRefs = unansweredInRow < MOST_FAILURES ? refs.slice(index + 1, index + 1 + MOST_ASKED) : [];
        const better = await answeredByOthers(placed, nextRefs, { open, sound, options, signal });
        unansweredInRow = better === null && placed.failure !== undefined ? unansweredInRow + 1 : 0;
        failuresInRow = better === null ? (placed.failure === undefined ? 0 : failuresInRow) : failuresInRow + 1;
        if (better !== null) {
          yield { type: 'model-failed', model, failure: placed.failure ?? 'failed', answeredBy: better.model };
          yield* better.events;
        } else if (placed.type === 'segment-end') {
          const { failure: _, ...segmentEnd } = placed;
          yield { ...segmentEnd, model };
        }
        sound.forget(endMs);
        if (failuresInRow >= MOST_FAILURES) break;
      }
      if (failuresInRow < MOST_FAILURES) return;
    } catch (thrown) {
      signal.throwIfAborted();
      // A server that is away fails the recording only when it is the planned one.
      const isAway = index > 0 && thrown instanceof AppError && thrown.status === 503;
      if (next === undefined || !(isAway || isFailureOfModel(thrown))) throw thrown;
      yield { type: 'model-failed', model, failure: 'failed', answeredBy: next };
    }
  }
}

/**
 * The segments of the first of the others that does not fail on this stretch, none where it agrees
 * that there is no speech; null: all fail.
 */
async function answeredByOthers(
  event: Exclude<RecognitionEvent, { type: 'progress' }>,
  refs: readonly ModelRef<'recognizer'>[],
  { open, sound, options, signal }: Asking,
): Promise<{ model: string; events: (SegmentEnd & { model: string })[] } | null> {
  if (event.failure === undefined) return null;
  const { startMs, endMs } = event.type === 'segment-end' ? event.segment : event;
  for (const ref of refs) {
    const { chunk, firstMs } = sound.stretch(startMs - MARGIN_MS, endMs + MARGIN_MS);
    try {
      const recognizer = await open(ref);
      const events: (SegmentEnd & { model: string })[] = [];
      let hearsNothing = event.failure === 'no_speech';
      for await (const found of recognizer.recognize(oneChunk(chunk), options, signal)) {
        const placed = moved(found, firstMs);
        if (placed.type === 'segment-end') events.push({ ...placed, model: ref.model });
        else if (placed.type === 'segment-failed') hearsNothing &&= placed.failure === 'empty';
      }
      const isAnswer = events.length > 0 ? events.every((found) => isBelieved(found, options)) : hearsNothing;
      if (isAnswer) return { model: ref.model, events };
    } catch (thrown) {
      signal.throwIfAborted();
      if (!(thrown instanceof AppError)) throw thrown;
    }
  }
  return null;
}

function isBelieved({ failure, segment }: SegmentEnd, { language }: RecognitionOptions): boolean {
  const { text, startMs, endMs, noSpeech } = segment;
  return failure === undefined && recognitionFailure({ text, language, speechMs: endMs - startMs, noSpeech }) === null;
}

/** Counts which model answered for how many segments, and which was not believed. */
export function createAnswers() {
  const segmentsOf = new Map<string, number>();
  const failures = new Map<string, ModelFailure>();
  return {
    add(event: Extract<GuardedEvent, { type: 'segment-end' | 'model-failed' }>) {
      if (event.type === 'segment-end') {
        segmentsOf.set(event.model, (segmentsOf.get(event.model) ?? 0) + 1);
        return;
      }
      const { type: _, ...failed } = event;
      const key = JSON.stringify(failed);
      failures.set(key, { ...failed, segments: (failures.get(key)?.segments ?? 0) + 1 });
    },
    /** `planned`: the model of a recording without segments. */
    sum(planned: string): Pick<Recognition, 'backend' | 'modelFailures'> {
      const [most] = [...segmentsOf].toSorted(([, a], [, b]) => b - a);
      const backend = most?.[0] ?? planned;
      return { backend, ...(failures.size > 0 ? { modelFailures: [...failures.values()] } : {}) };
    },
  };
}

async function* oneChunk(chunk: PcmChunk): AsyncGenerator<PcmChunk> {
  yield chunk;
}

const samplesIn = (ms: number) => Math.max(0, Math.round((ms * RECOGNIZER_SAMPLE_RATE_HZ) / 1_000));
const msOf = (samples: number) => (samples * 1_000) / RECOGNIZER_SAMPLE_RATE_HZ;

/** Keeps the sound that is not recognized yet, for another recognizer to hear it. */
function keepSound(audio: AsyncIterable<PcmChunk>) {
  const source = audio[Symbol.asyncIterator]();
  const kept = createRecentSamples();
  const firstSample = () => kept.slice(0, 0).firstSample;
  return {
    /** The start of the kept sound in the recording. */
    firstMs: () => msOf(firstSample()),
    forget: (untilMs: number) => kept.discardBefore(samplesIn(untilMs)),
    /** A stretch between silences, and the time at which it begins with them. */
    stretch(fromMs: number, untilMs: number) {
      const slice = kept.slice(samplesIn(fromMs), samplesIn(untilMs));
      const samples = new Float32Array(slice.samples.length + 2 * samplesIn(SILENCE_MS));
      samples.set(slice.samples, samplesIn(SILENCE_MS));
      const chunk = { samples, sampleRateHz: RECOGNIZER_SAMPLE_RATE_HZ, startMs: 0 };
      return { chunk, firstMs: msOf(slice.firstSample) - SILENCE_MS };
    },
    /** The kept sound, then the rest of the recording; times count from its start. */
    async *rest(): AsyncGenerator<PcmChunk> {
      const first = firstSample();
      const { samples } = kept.slice(first, kept.endSample());
      if (samples.length > 0) yield { samples, sampleRateHz: RECOGNIZER_SAMPLE_RATE_HZ, startMs: 0 };
      for (;;) {
        const step = await source.next();
        if (step.done === true) return;
        kept.append(step.value.samples);
        yield { ...step.value, startMs: step.value.startMs - msOf(first) };
      }
    },
  };
}

/** The event in times of the recording. */
function moved(event: RecognitionEvent, byMs: number): RecognitionEvent {
  if (byMs === 0) return event;
  const shift = <Span extends { startMs: number; endMs: number }>(span: Span): Span => ({
    ...span,
    startMs: Math.max(0, Math.round(span.startMs + byMs)),
    endMs: Math.max(0, Math.round(span.endMs + byMs)),
  });
  if (event.type === 'progress') return { ...event, processedMs: event.processedMs + byMs };
  if (event.type === 'segment-failed') return shift(event);
  const { segment, syllables } = event;
  const words: Word[] = segment.words.map(shift);
  return { ...event, segment: { ...shift(segment), words }, syllables: syllables && syllables.map(shift) };
}
