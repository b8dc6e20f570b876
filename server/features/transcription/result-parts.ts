import { AppError } from '@jyutsing/contracts/errors';
import type { Segment } from '@jyutsing/contracts/transcript';
import type { Fusion, TranscriptionResult } from '@jyutsing/contracts/transcription';
import type { TranscriptionEvent, TranscriptionObserver } from './stages.ts';

/** Segments of a result in one message: about 100 KB. */
const PART_SEGMENTS = 100;

/** A result as events: its lists in parts, so that no message of ten hours stops the server. */
export function* resultEvents({ segments, fusion, ...rest }: TranscriptionResult): Generator<TranscriptionEvent> {
  for (let from = 0; from < segments.length; from += PART_SEGMENTS) yield partOf(segments, fusion, from);
  const noLists = { segments: [], fusion: fusion && { segments: [], romanization: [] } };
  yield { type: 'result', result: { ...rest, ...noLists } };
}

function partOf(segments: readonly Segment[], fusion: Fusion | null, from: number): TranscriptionEvent {
  const slice = <Item>(list: readonly Item[]) => list.slice(from, from + PART_SEGMENTS);
  const fused = fusion && { segments: slice(fusion.segments), romanization: slice(fusion.romanization) };
  return { type: 'result-part', segments: slice(segments), fusion: fused };
}

/** Passes the events of a transcription to an observer, and returns its result. */
export async function followEvents(
  events: AsyncIterable<TranscriptionEvent>,
  observer: TranscriptionObserver,
): Promise<TranscriptionResult> {
  const segments: Segment[] = [];
  const fusion: Fusion = { segments: [], romanization: [] };
  for await (const event of events) {
    if (event.type === 'progress') observer.progress(event.progress);
    else if (event.type === 'segment') observer.segment(event.segment);
    else if (event.type === 'correction-failed') observer.correctionFailed(event.corrector, event);
    else if (event.type === 'result-part') {
      segments.push(...event.segments);
      fusion.segments.push(...(event.fusion?.segments ?? []));
      fusion.romanization.push(...(event.fusion?.romanization ?? []));
    } else if (event.type === 'result') return { ...event.result, segments, fusion: event.result.fusion && fusion };
  }
  throw new AppError('engine_failed', 'The transcription ended without a result.');
}
