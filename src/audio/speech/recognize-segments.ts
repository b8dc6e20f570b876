import type { PcmChunk } from '#contracts/audio.ts';
import type { RecognitionEvent } from '#contracts/recognizer.ts';
import type { Segment } from '#contracts/transcript.ts';
import { segmentSpeech, type SpeechSegment } from './segmenter.ts';

/** Of the clock, not of the recording. */
const PROGRESS_EVERY_MS = 200;

/**
 * Recognises a recording stretch by stretch: cuts the stream into speech segments, hands each to `recognizeSegment` (null or an empty
 * list: nothing was said) and gives the results in order, with progress between them. At most `concurrency` segments are under
 * way at once, so memory does not grow with the recording. The first failure ends the stream; an aborted signal throws its reason.
 */
export async function* recognizeSegments(
  audio: AsyncIterable<PcmChunk>,
  recognizeSegment: (speech: SpeechSegment) => Promise<readonly Segment[] | Segment | null>,
  signal: AbortSignal,
  concurrency = 1,
): AsyncGenerator<RecognitionEvent> {
  const pending: { untilMs: number; segments: Promise<readonly Segment[] | Segment | null> }[] = [];
  let processedMs = 0;
  let toldMs = 0;
  let nextTellingMs = 0;

  async function* settleOldest(): AsyncGenerator<RecognitionEvent> {
    const oldest = pending.shift();
    if (oldest === undefined) return;
    const heard = await oldest.segments;
    signal.throwIfAborted();
    for (const segment of heard === null ? [] : [heard].flat()) yield { type: 'segment-end', segment };
    processedMs = Math.max(processedMs, oldest.untilMs);
  }

  for await (const event of segmentSpeech(audio, signal)) {
    signal.throwIfAborted();
    if (event.type === 'segment') {
      const segments = recognizeSegment(event.segment);
      // Its turn to be awaited may come late; until then a failure must not count as unhandled.
      segments.catch(() => {});
      pending.push({ untilMs: event.segment.speechEndMs, segments });
    } else if (pending.length === 0) processedMs = Math.max(processedMs, event.untilMs);
    while (pending.length >= concurrency) yield* settleOldest();
    // Silence goes by at a thousand chunks a second; telling each would cost more than the work.
    if (processedMs > toldMs && performance.now() >= nextTellingMs) {
      nextTellingMs = performance.now() + PROGRESS_EVERY_MS;
      toldMs = processedMs;
      yield { type: 'progress', processedMs };
    }
  }
  while (pending.length > 0) yield* settleOldest();
  if (processedMs > toldMs) yield { type: 'progress', processedMs };
}
