import type { Engine, RankedCapabilities } from './engine.ts';
import type { RecognizedSyllable, Segment } from './transcript.ts';

/**
 * A word or phrase that is likely to occur, with every accepted reading: jyutping syllables, one
 * for each Chinese character. `weight` is above 0 and at most 10, usually 1.
 */
export type Term = { text: string; readings: string[][]; weight: number };

/** A recognized segment and its recognized syllables. */
export type CorrectionSegment = { segment: Segment; syllables: readonly RecognizedSyllable[] };

/** Neighboring segments to correct together, and what is known about their subject. */
export type CorrectionRequest = {
  segments: readonly CorrectionSegment[];
  terms: readonly Term[];
  /** The free-form hint of the request. */
  context: string | null;
};

/** An opened corrector of homophones. */
export type Corrector = {
  /**
   * A proposed text for each segment, in their order. The caller checks every change against the
   * recognized syllables (features/transcription/fusion), so the output need not be trusted. Throws
   * `engine_failed` or `timed_out`; for a remote server also `engine_unavailable` (address, key)
   * and `service_unavailable` (busy, connection lost). An aborted signal throws its reason.
   */
  correct(request: CorrectionRequest, signal: AbortSignal): Promise<string[]>;
  close(): Promise<void>;
};

/** Correctors support Cantonese only. */
export type CorrectorEngine = Engine<'corrector', RankedCapabilities, Corrector>;
