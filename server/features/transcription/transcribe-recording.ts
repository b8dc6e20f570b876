import { interleave } from '@jyutsing/concurrency/interleave';
import type { Segment } from '@jyutsing/contracts/transcript';
import type { TranscriptionEvent, TranscriptionResult } from '@jyutsing/contracts/transcription';
import { writeReadably } from '@jyutsing/text/readable';
import { correctAlongside, createCorrectionQueue, NO_CORRECTION, type Correction } from './fusion/correct-alongside.ts';
import type { Fuse } from './fusion/fuse.ts';
import {
  recognizeRecording,
  styleOf,
  type Recognition,
  type RecognitionContext,
  type TranscriptionCall,
} from './recognize-recording.ts';
import { resultEvents } from './result-parts.ts';
import { cutBySpeaker, speakerParts, type SpeakerPart } from './speakers.ts';

/** What a transcription finds in its process; `fuse` null: no correction. */
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
