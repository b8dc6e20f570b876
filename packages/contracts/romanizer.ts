import type { PcmChunk } from './audio.ts';
import type { Availability, EngineEnv } from './recognizer.ts';
import type { RecognizedSyllable, Segment } from './transcript.ts';

/** An opened romaniser: hears syllables where a recogniser has found speech. */
export type Romanizer = {
  /**
   * The syllables of each segment in turn, one event a segment and in their order; memory does not grow with the recording (16 kHz
   * mono, pulled chunk by chunk). A segment in which nothing is heard gives no syllable. Throws AppError `engine_failed`; an aborted
   * signal throws its reason.
   */
  romanize(
    audio: AsyncIterable<PcmChunk>,
    segments: readonly Pick<Segment, 'startMs' | 'endMs'>[],
    signal: AbortSignal,
  ): AsyncIterable<RecognizedSyllable[]>;
  close(): Promise<void>;
};

/** What an engine folder exports as `engine` from its `romanizer.ts`. Cantonese only. */
export type RomanizerEngine = {
  ability: 'romanizer';
  /** Same as the folder. */
  name: string;
  /** Of code and weights: part of the cache key of fused texts. */
  version(env: EngineEnv): string;
  /** Higher wins when several are available. */
  priority: number;
  availability(env: EngineEnv): Availability;
  open(env: EngineEnv): Promise<Romanizer>;
};
