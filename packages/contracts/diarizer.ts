import type { PcmChunk } from './audio.ts';
import type { Engine, RankedCapabilities } from './engine.ts';

/**
 * A time span of one speaker, numbered from 0 in the order of first speech. Turns of different
 * speakers may overlap.
 */
export type SpeakerTurn = { startMs: number; endMs: number; speaker: number };

/** A voice as numbers that only the model that made them understands. */
export type VoicePrint = readonly number[];

/** The fewest and the most speakers that a recording may have, from 1 to MAX_SPEAKERS. */
export type SpeakerRange = { min: number; max: number };

/** More speakers are never told apart. */
export const MAX_SPEAKERS = 60;

/** Facts about a recording that the request states. */
export type DiarizationHints = {
  /** Voices that may be among the speakers. */
  knownVoices?: readonly VoicePrint[];
  /** The turns never have more speakers, and fewer only where there is too little speech. */
  speakers?: SpeakerRange;
  /**
   * The cosine distance of two voices, above 0 and at most 2, up to which they are one speaker;
   * ignored by diarizers that do not compare voices by it.
   */
  threshold?: number;
};

/**
 * `processedMs` never decreases. One `turns` comes last, ordered by start; empty for a recording
 * without speech. `known`: for each known voice the number of its speaker, null for one that is not
 * heard; absent: this diarizer cannot tell.
 */
export type DiarizationEvent =
  | { type: 'progress'; processedMs: number }
  | { type: 'turns'; turns: SpeakerTurn[]; known?: readonly (number | null)[] };

type FoundTurns = Omit<Extract<DiarizationEvent, { type: 'turns' }>, 'type'>;

/**
 * Finds the turns of a stretch (mono, 16 kHz) that begins at `startMs` of the recording and ends
 * later than the one before; their times count from the beginning of the stretch.
 */
export type SpeakerFollower = (
  stretch: { samples: Float32Array; startMs: number },
  signal: AbortSignal,
  hints?: DiarizationHints,
) => Promise<FoundTurns>;

/**
 * An opened diarizer: finds the number of speakers and the turns of each. It pulls audio chunk by
 * chunk (16 kHz mono). Throws `engine_failed`; an aborted signal throws its reason.
 */
export type Diarizer = {
  diarize(
    audio: AsyncIterable<PcmChunk>,
    signal: AbortSignal,
    hints?: DiarizationHints,
  ): AsyncIterable<DiarizationEvent>;
  /**
   * Follows one recording that grows, with less work than `diarize` for sound that it had before.
   * Absent: this diarizer begins anew each time.
   */
  follow?(): SpeakerFollower;
  /**
   * The voice of one person for `diarize`, from a sample of half a minute at most; null for one
   * without speech. Absent: this diarizer knows no voices.
   */
  describeVoice?(audio: AsyncIterable<PcmChunk>, signal: AbortSignal): Promise<VoicePrint | null>;
  /**
   * For a sample of half a minute at most: how much more likely two people speak in it than one, as
   * the natural logarithm of the ratio. Absent: this diarizer cannot tell.
   */
  evidenceOfSecondVoice?(audio: AsyncIterable<PcmChunk>, signal: AbortSignal): Promise<number>;
  close(): Promise<void>;
};

export type DiarizerEngine = Engine<'diarizer', RankedCapabilities, Diarizer>;
