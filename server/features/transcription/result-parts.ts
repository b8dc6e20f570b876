import { AppError } from '@jyutsing/contracts/errors';
import type { Segment } from '@jyutsing/contracts/transcript';
import type { Fusion, TranscriptionEvent, TranscriptionResult } from '@jyutsing/contracts/transcription';

/** Segments of a result in one message: about 100 KB. */
const PART_SEGMENTS = 100;

/** A result as the last events of its transcription: its lists in parts, then everything else. */
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

type ResultCollector = {
  /** Takes every event of a transcription, in order; keeps those of its result. */
  add(event: TranscriptionEvent): void;
  /** Returns the result. Throws `engine_failed` when none has come. */
  result(): TranscriptionResult;
};

/** Puts a result together again. */
export function createResultCollector(): ResultCollector {
  const segments: Segment[] = [];
  const fusion: Fusion = { segments: [], romanization: [] };
  let result: TranscriptionResult | null = null;
  return {
    add(event) {
      if (event.type === 'result-part') {
        segments.push(...event.segments);
        fusion.segments.push(...(event.fusion?.segments ?? []));
        fusion.romanization.push(...(event.fusion?.romanization ?? []));
      } else if (event.type === 'result') {
        result = { ...event.result, segments, fusion: event.result.fusion && fusion };
      }
    },
    result() {
      if (result === null) throw new AppError('engine_failed', 'The transcription ended without a result.');
      return result;
    },
  };
}
