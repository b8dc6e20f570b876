import type { SerializedError } from './errors.ts';
import type { ModelRef } from './abilities.ts';
import type { Language, Word } from './transcript.ts';
import type { TranscriptionModels } from './transcription-plan.ts';

/** How speech is cut into segments while it arrives. */
export type TurnDetection = {
  /** 0..1: the higher, the surer the detector must be that it is speech. */
  threshold: number;
  /** Sound before the detected speech that belongs to its segment. */
  prefixPaddingMs: number;
  /** The silence that ends a segment. */
  silenceMs: number;
};

export const DEFAULT_TURN_DETECTION: TurnDetection = { threshold: 0.5, prefixPaddingMs: 300, silenceMs: 500 };

/** Finds the syllables that were spoken, and corrects a text with them, the best first. */
export type LiveCorrectionModels = {
  romanizer: NonNullable<TranscriptionModels['romanizer']>;
  correctors: TranscriptionModels['correctors'];
};

/** People who are told apart in one session. */
export const MAX_LIVE_SPEAKERS = 4;

export type LiveOptions = {
  /**
   * Chosen when the session is accepted, as for a recording (`planTranscription`). With several
   * recognizers the language of each segment is identified.
   */
  models: Pick<TranscriptionModels, 'recognizers' | 'languageIdentifier'>;
  /**
   * Corrects the homophones of Cantonese before `segment-end`; absent or null: no correction.
   */
  correction?: LiveCorrectionModels | null;
  /** Tells the speakers apart before `segment-end`; absent or null: they are not told apart. */
  diarizer?: ModelRef<'diarizer'> | null;
  /** Text is stable only when it was heard the same with this much more sound; absent: 150 ms. */
  delayMs?: number | undefined;
  /** See `RecognitionOptions`. */
  context: string | null;
  /** The rules that end a segment at a pause; null when only `commit` ends a segment. */
  turnDetection: TurnDetection | null;
  /** False: numbers stay words in `segment-end`. Absent: digits where people write them. */
  numerals?: false | undefined;
  /** See `TranscriptionOptions`; in `segment-end`. */
  everydaySpelling?: true;
};

/** `accountId`: whose session it is. In a process accounts take turns. */
export type LiveRequest = LiveOptions & { accountId: string };

/** Why a segment ended. `limit`: it was too long, and the next one follows at once. */
export type SegmentEndReason = 'silence' | 'commit' | 'end' | 'limit';

/** The recognized text of one segment. It is empty where nothing was recognized. */
type LiveSegment = {
  text: string;
  startMs: number;
  endMs: number;
  /** Empty where the model times no words. */
  words: readonly Word[];
  language: Language;
  confidence: number | null;
  /** The segment by speakers, in order; absent where speakers are not told apart. */
  parts?: readonly LivePart[];
};

/** A stretch of a segment by one speaker, numbered from 0 in the order of first speech. */
export type LivePart = { speaker: number; text: string; startMs: number; endMs: number; words: readonly Word[] };

/**
 * The events of a session. Times count from its first sample, dropped sound included. Segments are
 * numbered from 0. With turn detection each segment has, in this order: one `speech-start`, one
 * `speech-end`, one `segment-end` (or `segment-failed`); without it, and for a `commit` without
 * speech, only the last. `speech-start` of a segment may come before `segment-end` of the one
 * before it, `segment-delta` never.
 */
export type LiveEvent =
  /** `startMs` includes the prefix padding. */
  | { type: 'speech-start'; segment: number; startMs: number }
  /** `endMs` includes the silence that ended it. */
  | { type: 'speech-end'; segment: number; endMs: number; reason: SegmentEndReason }
  /**
   * `text` is what has been recognized so far and may be revised. `stableText` is its beginning
   * that no longer changes: it only grows within a segment. Only `segment-end` is authoritative:
   * its text may differ from both.
   */
  | { type: 'segment-delta'; segment: number; stableText: string; text: string; language: Language }
  | ({ type: 'segment-end'; segment: number; reason: SegmentEndReason } & LiveSegment)
  /** Instead of `segment-end`; the session goes on. */
  | { type: 'segment-failed'; segment: number; error: SerializedError }
  /** `clear` dropped the open segment: nothing follows for it. */
  | { type: 'segment-dropped'; segment: number };

/** One stream of speech: mono sound at 16 kHz. */
export type LiveSession = {
  /**
   * Takes the next samples: floats in −1..1, or 16-bit. Resolves when more may follow; a caller
   * that does not wait fills its own memory. After the end of the session it does nothing.
   */
  write(samples: Float32Array | Int16Array): Promise<void>;
  /**
   * Ends the open segment. Each call gives one `segment-end`; with an empty text when there is no
   * open segment.
   */
  commit(): void;
  /** Drops the sound that belongs to no ended segment. */
  clear(): void;
  /** Applies to the segments that begin from now on. */
  configure(changes: Partial<LiveOptions>): void;
  /** Ends the open segment, then the session: `events` ends after its last `segment-end`. */
  end(): void;
  /**
   * To be read once. Throws `engine_failed` or another AppError when the session fails, and
   * the signal's reason when it is aborted.
   */
  readonly events: AsyncIterable<LiveEvent>;
};

/** Recognizes speech while it arrives, in worker processes that sessions share. */
export type LiveRecognition = {
  /** Starts a process and loads these models, for a while, unless a process serves sessions. */
  prepare(request: LiveRequest): void;
  /** Opens a session at once; its models are loaded meanwhile. An aborted signal ends it. */
  open(request: LiveRequest, signal: AbortSignal): LiveSession;
  /** The sessions that are open. */
  count(): number;
};
