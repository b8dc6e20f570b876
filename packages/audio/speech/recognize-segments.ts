import type { PcmChunk } from '@jyutsing/contracts/audio';
import type { RecognitionEvent } from '@jyutsing/contracts/recognizer';
import type { RecognizedSyllable, Segment } from '@jyutsing/contracts/transcript';
import { segmentSpeech, type SpeechSegment } from './segmenter.ts';
import type { SpeechDetector } from './speech-detector.ts';

/** Milliseconds of wall-clock time between progress reports, whatever the time of the recording. */
const PROGRESS_EVERY_MS = 200;

/** A segment of a recognizer that romanizes as well. */
type RomanizedSegment = { segment: Segment; syllables: RecognizedSyllable[] };

/** Result of one segment; null or an empty list when nothing was recognized. */
export type Recognized = readonly Segment[] | Segment | RomanizedSegment | null;

type RecognizeSegmentsOptions = {
  /** Number of segments that are recognized at the same time. */
  concurrency?: number;
  /** Creates the speech detector; WebRTC's when absent. */
  createDetector?: () => Promise<SpeechDetector>;
};

/**
 * Recognizes a recording segment by segment: cuts the stream into speech segments, passes each to
 * `recognizeSegment` and yields the results in order, with progress between them. At most
 * `concurrency` segments are processed at once, so memory does not grow with the recording. The
 * first failure ends the stream; an aborted signal throws its reason.
 */
export async function* recognizeSegments(
  audio: AsyncIterable<PcmChunk>,
  recognizeSegment: (speech: SpeechSegment) => Promise<Recognized>,
  signal: AbortSignal,
  { concurrency = 1, createDetector }: RecognizeSegmentsOptions = {},
): AsyncGenerator<RecognitionEvent> {
  const pending: { untilMs: number; noSpeech: number | undefined; recognized: Promise<Recognized> }[] = [];
  let processedMs = 0;
  let reportedMs = 0;
  let nextReportAt = 0;

  async function* settleOldest(): AsyncGenerator<RecognitionEvent> {
    const oldest = pending.shift();
    if (oldest === undefined) return;
    const recognized = await oldest.recognized;
    signal.throwIfAborted();
    yield* segmentEnds(recognized).map((event) => withNoSpeech(event, oldest.noSpeech));
    processedMs = Math.max(processedMs, oldest.untilMs);
  }

  for await (const event of segmentSpeech(audio, signal, createDetector)) {
    signal.throwIfAborted();
    if (event.type === 'segment') {
      const recognized = recognizeSegment(event.segment);
      // It may be awaited late; mark its rejection as handled until then.
      recognized.catch(() => {});
      pending.push({ untilMs: event.segment.speechEndMs, noSpeech: event.segment.noSpeech, recognized });
    } else if (pending.length === 0) processedMs = Math.max(processedMs, event.untilMs);
    while (pending.length >= concurrency) yield* settleOldest();
    // Silence passes at a thousand chunks a second; reporting each would cost more than the work.
    if (processedMs > reportedMs && performance.now() >= nextReportAt) {
      nextReportAt = performance.now() + PROGRESS_EVERY_MS;
      reportedMs = processedMs;
      yield { type: 'progress', stage: 'recognition', processedMs };
    }
  }
  while (pending.length > 0) yield* settleOldest();
  if (processedMs > reportedMs) yield { type: 'progress', stage: 'recognition', processedMs };
}

function withNoSpeech(event: SegmentEnd, noSpeech: number | undefined): SegmentEnd {
  return noSpeech === undefined ? event : { ...event, segment: { ...event.segment, noSpeech } };
}

type SegmentEnd = Extract<RecognitionEvent, { type: 'segment-end' }>;

function segmentEnds(recognized: Recognized): SegmentEnd[] {
  if (recognized === null) return [];
  if ('syllables' in recognized) return [{ type: 'segment-end', ...recognized }];
  return [recognized].flat().map((segment) => ({ type: 'segment-end', segment, syllables: null }));
}
