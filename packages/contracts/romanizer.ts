import type { PcmChunk } from './audio.ts';
import type { Engine, RankedCapabilities } from './engine.ts';
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

export type RomanizerEngine = Engine<'romanizer', RankedCapabilities, Romanizer>;
