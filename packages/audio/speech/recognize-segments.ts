import type { PcmChunk } from '@jyutsing/contracts/audio';
import type { RecognitionEvent } from '@jyutsing/contracts/recognizer';
import type { Language, RecognizedSyllable, Segment } from '@jyutsing/contracts/transcript';
import { recognitionFailure } from './recognition-failure.ts';
import { segmentSpeech, type SpeechSegment } from './segmenter.ts';
import type { SpeechDetector } from './speech-detector.ts';

/** Milliseconds of wall-clock time between progress reports, whatever the time of the recording. */
const PROGRESS_EVERY_MS = 200;

/** A segment of a recognizer that romanizes as well. */
type RomanizedSegment = { segment: Segment; syllables: RecognizedSyllable[] };

/** A result with the text as the model wrote it, which is judged. */
type WrittenSegment = { recognized: readonly Segment[] | Segment | null; writtenText: string };

/** Result of one segment; null or an empty list when nothing was recognized. */
export type Recognized = readonly Segment[] | Segment | RomanizedSegment | WrittenSegment | null;

type RecognizeSegmentsOptions = {
  /** Number of segments that are recognized at the same time. */
  concurrency?: number;
  /** Creates the speech detector; WebRTC's when absent. */
  createDetector?: () => Promise<SpeechDetector>;
  /** The language of the texts, where each is judged; absent: they are believed. */
  language?: Language;
  /** The longest segment in milliseconds that the model hears to its end; absent: 20 s. */
  maxSegmentMs?: number;
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
  { concurrency = 1, createDetector, language, maxSegmentMs }: RecognizeSegmentsOptions = {},
): AsyncGenerator<RecognitionEvent> {
  const pending: { speech: Omit<SpeechSegment, 'samples'>; recognized: Promise<Recognized> }[] = [];
  let processedMs = 0;
  let reportedMs = 0;
  let nextReportAt = 0;

  async function* settleOldest(): AsyncGenerator<RecognitionEvent> {
    const oldest = pending.shift();
    if (oldest === undefined) return;
    const recognized = await oldest.recognized;
    signal.throwIfAborted();
    const { noSpeech, speechEndMs } = oldest.speech;
    yield* judged(recognized, oldest.speech, language).map((event) => withNoSpeech(event, noSpeech));
    processedMs = Math.max(processedMs, speechEndMs);
  }

  for await (const event of segmentSpeech(audio, signal, createDetector, maxSegmentMs)) {
    signal.throwIfAborted();
    if (event.type === 'segment') {
      const recognized = recognizeSegment(event.segment);
      // It may be awaited late; mark its rejection as handled until then.
      recognized.catch(() => {});
      const { samples: _, ...speech } = event.segment;
      pending.push({ speech, recognized });
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

/** Marks what cannot have been said. */
function judged(
  recognized: Recognized,
  { speechStartMs, speechEndMs, noSpeech }: Omit<SpeechSegment, 'samples'>,
  language: Language | undefined,
): SegmentEvent[] {
  const events = segmentEnds(recognized);
  if (language === undefined) return events;
  const text = recognized !== null && 'writtenText' in recognized ? recognized.writtenText : textOf(events);
  const speechMs = speechEndMs - speechStartMs;
  const failure =
    recognitionFailure({ text, language, speechMs, noSpeech }) ??
    // The engine removed the text as a hallucination.
    (events.length === 0 ? recognitionFailure({ text: '', language, speechMs, noSpeech }) : null);
  if (failure === null) return events;
  if (events.length === 0) return [{ type: 'segment-failed', failure, startMs: speechStartMs, endMs: speechEndMs }];
  return events.map((event) => ({ ...event, failure }));
}

function textOf(events: readonly SegmentEnd[]): string {
  return events.map(({ segment }) => segment.text).join(' ');
}

function withNoSpeech(event: SegmentEvent, noSpeech: number | undefined): SegmentEvent {
  return noSpeech === undefined || event.type === 'segment-failed'
    ? event
    : { ...event, segment: { ...event.segment, noSpeech } };
}

type SegmentEnd = Extract<RecognitionEvent, { type: 'segment-end' }>;
type SegmentEvent = Exclude<RecognitionEvent, { type: 'progress' }>;

function segmentEnds(recognized: Recognized): SegmentEnd[] {
  if (recognized === null) return [];
  if ('syllables' in recognized) return [{ type: 'segment-end', ...recognized }];
  if ('writtenText' in recognized) return segmentEnds(recognized.recognized);
  return [recognized].flat().map((segment) => ({ type: 'segment-end', segment, syllables: null }));
}
