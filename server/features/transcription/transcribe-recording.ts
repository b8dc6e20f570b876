import type { Segment } from '@jyutsing/contracts/transcript';
import type { TranscriptionEvent, TranscriptionResult } from '@jyutsing/contracts/transcription';
import { writeReadably } from '@jyutsing/text/readable';
import { correctAlongside, createCorrectionQueue, NO_CORRECTION, type Correction } from './fusion/correct-alongside.ts';
import type { Fuse } from './fusion/fuse.ts';
import type { Recognition, RecognitionContext, TranscriptionCall } from './recognition.ts';
import { recognizeRecording, styleOf } from './recognize-recording.ts';
import { resultEvents } from './result-parts.ts';
import { cutBySpeaker, speakerParts, type SpeakerPart } from './speakers.ts';

/** The services of the process that a transcription uses; `fuse` is null without correction. */
export type TranscriptionContext = Omit<RecognitionContext, 'corrections'> & { fuse: Fuse | null };

/**
 * Transcribes a recording: recognition and correction side by side, then speakers. The progress of
 * the correction repeats that of the recognition until it has ended, which shows that the process
 * works where one waits for the other. Runs in a worker process. Throws AppError; an aborted signal
 * throws its reason.
 */
export async function* transcribeRecording(
  call: TranscriptionCall,
  { fuse, ...context }: TranscriptionContext,
  signal: AbortSignal,
): AsyncGenerator<TranscriptionEvent> {
  const queue = createCorrectionQueue();
  let isRecognized = false;
  const close = () => {
    isRecognized = true;
    queue.close();
  };
  const corrections = fuse === null ? null : { send: queue.send, close };
  const both = interleave(
    (stop) => recognizeRecording(call, { ...context, corrections }, stop),
    (stop) => correctAlongside(queue, fuse, stop),
    signal,
  );
  let shown: TranscriptionEvent | null = null;
  for (;;) {
    const { done, value } = await both.next();
    if (done === true) return yield* resultEvents(resultOf(call, ...value));
    if (value.type === 'progress' && (value.stage !== 'fusion' || isRecognized)) shown = value;
    yield value.type === 'progress' ? (shown ?? value) : value;
  }
}

function resultOf(
  { options }: TranscriptionCall,
  recognition: Recognition,
  correction: Correction,
): TranscriptionResult {
  const { syllables, turns, ...recognized } = recognition;
  const { segments, language } = recognized;
  // Only Cantonese has syllables, and without speech there is nothing to correct.
  const isCorrectable = syllables.length > 0 && syllables.length === segments.length;
  const corrected = isCorrectable ? correction : NO_CORRECTION;
  const parts = turns === null ? null : speakerParts(segments, turns);
  const written = (unwritten: readonly Segment[]) => {
    const bySpeaker = parts === null ? unwritten : cutBySpeaker(unwritten, parts);
    return writeReadably(bySpeaker, language, styleOf(options));
  };
  return {
    ...recognized,
    segments: written(segments),
    fusion:
      corrected.segments === null
        ? null
        : { segments: written(corrected.segments), romanization: romanizationOf(syllables, parts) },
    fusionSeconds: corrected.seconds,
    isCached: false,
  };
}

/**
 * The syllables of each segment, or of each speaker's part of it: those with their middle inside
 * the part.
 */
function romanizationOf(syllables: Recognition['syllables'], parts: readonly SpeakerPart[][] | null): string[] {
  if (parts === null) return syllables.map(readingsOf);
  return syllables.flatMap((ofSegment, index) =>
    (parts[index] ?? []).map((part, position, { length }) => {
      // The first and the last part also take syllables slightly outside the segment.
      const fromMs = position === 0 ? -Infinity : part.fromMs;
      const untilMs = position === length - 1 ? Infinity : part.untilMs;
      return readingsOf(
        ofSegment.filter(({ startMs, endMs }) => {
          const middleMs = (startMs + endMs) / 2;
          return middleMs >= fromMs && middleMs < untilMs;
        }),
      );
    }),
  );
}

function readingsOf(syllables: Recognition['syllables'][number]): string {
  return syllables.map(({ reading }) => reading).join(' ');
}

type Step<Item> = { index: number; result: IteratorResult<Item, unknown> };

/**
 * Yields the items of two generators in the order in which they come, and returns the results of
 * both. A generator waits until its item is taken. When one fails, or the reader leaves, `stop`
 * aborts; the failure is thrown when both have ended.
 */
export async function* interleave<Item, First, Second>(
  first: (stop: AbortSignal) => AsyncGenerator<Item, First>,
  second: (stop: AbortSignal) => AsyncGenerator<Item, Second>,
  signal: AbortSignal,
): AsyncGenerator<Item, [First, Second]> {
  const over = new AbortController();
  const stop = AbortSignal.any([signal, over.signal]);
  const sources = [first(stop), second(stop)] as const;
  const next = async (index: number): Promise<Step<Item>> => ({ index, result: await sources[index]!.next() });
  const waiting = new Map([next(0), next(1)].entries());
  const returned: unknown[] = [];
  try {
    while (waiting.size > 0) {
      const { index, result } = await Promise.race(waiting.values());
      if (result.done === true) {
        returned[index] = result.value;
        waiting.delete(index);
        continue;
      }
      yield result.value;
      waiting.set(index, next(index));
    }
    return returned as [First, Second];
  } catch (failure) {
    over.abort(failure);
    throw failure;
  } finally {
    over.abort();
    await Promise.allSettled(sources.map((source) => source.return(undefined as never)));
  }
}
