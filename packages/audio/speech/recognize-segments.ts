import type { PcmChunk } from '@jyutsing/contracts/audio';
import type { RecognitionEvent } from '@jyutsing/contracts/recognizer';
import type { RecognizedSyllable, Segment } from '@jyutsing/contracts/transcript';
import { segmentSpeech, type SpeechSegment } from './segmenter.ts';

/** Of the clock, not of the recording. */
const PROGRESS_EVERY_MS = 200;

/** A segment of a recogniser that romanises as well. */
export type RomanizedSegment = { segment: Segment; syllables: RecognizedSyllable[] };

/** What was said in a stretch of speech; null or an empty list: nothing. */
export type Recognized = readonly Segment[] | Segment | RomanizedSegment | null;

/**
 * Recognises a recording stretch by stretch: cuts the stream into speech segments, hands each to `recognizeSegment` and gives
 * the results in order, with progress between them. At most `concurrency` segments are under
 * way at once, so memory does not grow with the recording. The first failure ends the stream; an aborted signal throws its reason.
 */
export async function* recognizeSegments(
  audio: AsyncIterable<PcmChunk>,
  recognizeSegment: (speech: SpeechSegment) => Promise<Recognized>,
  signal: AbortSignal,
  concurrency = 1,
): AsyncGenerator<RecognitionEvent> {
  const pending: { untilMs: number; recognized: Promise<Recognized> }[] = [];
  let processedMs = 0;
  let reportedMs = 0;
  let nextReportAt = 0;

  async function* settleOldest(): AsyncGenerator<RecognitionEvent> {
    const oldest = pending.shift();
    if (oldest === undefined) return;
    const recognized = await oldest.recognized;
    signal.throwIfAborted();
    yield* segmentEnds(recognized);
    processedMs = Math.max(processedMs, oldest.untilMs);
  }

  for await (const event of segmentSpeech(audio, signal)) {
    signal.throwIfAborted();
    if (event.type === 'segment') {
      const recognized = recognizeSegment(event.segment);
      // Its turn to be awaited may come late; until then a failure must not count as unhandled.
      recognized.catch(() => {});
      pending.push({ untilMs: event.segment.speechEndMs, recognized });
    } else if (pending.length === 0) processedMs = Math.max(processedMs, event.untilMs);
    while (pending.length >= concurrency) yield* settleOldest();
    // Silence goes by at a thousand chunks a second; telling each would cost more than the work.
    if (processedMs > reportedMs && performance.now() >= nextReportAt) {
      nextReportAt = performance.now() + PROGRESS_EVERY_MS;
      reportedMs = processedMs;
      yield { type: 'progress', processedMs };
    }
  }
  while (pending.length > 0) yield* settleOldest();
  if (processedMs > reportedMs) yield { type: 'progress', processedMs };
}

function segmentEnds(recognized: Recognized): RecognitionEvent[] {
  if (recognized === null) return [];
  if ('syllables' in recognized) return [{ type: 'segment-end', ...recognized }];
  return [recognized].flat().map((segment) => ({ type: 'segment-end', segment, syllables: null }));
}
