import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import type { Annotated } from './diarize-recordings.ts';

/** The first `lengthMs` of a recording with the turns in it. */
export function takeExcerpt({ name, samples, turns }: Annotated, lengthMs: number): Annotated {
  return {
    name,
    samples: samples.slice(0, (lengthMs * RECOGNIZER_SAMPLE_RATE_HZ) / 1_000),
    turns: turns
      .filter(({ startMs }) => startMs < lengthMs)
      .map((turn) => ({ ...turn, endMs: Math.min(turn.endMs, lengthMs) })),
  };
}
