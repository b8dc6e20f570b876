import type { PcmChunk } from './audio.ts';
import type { Engine, RankedCapabilities } from './engine.ts';
import type { RecognizedSyllable, Segment } from './transcript.ts';

/** An opened romanizer: recognizes the syllables of segments that a recognizer has found. */
export type Romanizer = {
  /**
   * The syllables of each segment, one event per segment in their order; none for a segment without
   * speech. It pulls audio chunk by chunk (16 kHz mono), so memory does not grow with the
   * recording. Throws `engine_failed`; an aborted signal throws its reason.
   */
  romanize(
    audio: AsyncIterable<PcmChunk>,
    segments: readonly Pick<Segment, 'startMs' | 'endMs'>[],
    signal: AbortSignal,
  ): AsyncIterable<RecognizedSyllable[]>;
  close(): Promise<void>;
};

/** Romanizers support Cantonese only. */
export type RomanizerEngine = Engine<'romanizer', RankedCapabilities, Romanizer>;
