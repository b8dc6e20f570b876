import type { Engine, RankedCapabilities } from './engine.ts';
import type { RecognizedSyllable, Segment } from './transcript.ts';

/**
 * A word or phrase that is likely to be said, with every accepted reading: a list of jyutping syllables, one for each of its
 * Chinese characters. `weight` is above 0 and at most 10, usually 1.
 */
export type Term = { text: string; readings: string[][]; weight: number };

/** A segment as recognised, and the syllables that the romanising pass heard in it. */
export type CorrectionSegment = { segment: Segment; syllables: readonly RecognizedSyllable[] };

/** Neighbouring segments that are corrected together, and what the caller knows of their subject. */
export type CorrectionRequest = {
  segments: readonly CorrectionSegment[];
  terms: readonly Term[];
  /** The caller's hint in its own words. */
  context: string | null;
};

/** An opened corrector of homophones. */
export type Corrector = {
  /**
   * A proposed text for each segment, in their order. Whoever asks checks every change against what was heard and drops what was
   * invented (features/transcription/fusion), so a corrector need not be trusted. Throws AppError: `engine_failed`,
   * `timed_out`, or for a server outside `engine_unavailable` (address, key) and `service_unavailable` (busy, broken connection); an
   * aborted signal throws its reason.
   */
  correct(request: CorrectionRequest, signal: AbortSignal): Promise<string[]>;
  close(): Promise<void>;
};

export type CorrectorEngine = Engine<'corrector', RankedCapabilities, Corrector>;
