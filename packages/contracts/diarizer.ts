import type { PcmChunk } from './audio.ts';
import type { Engine, RankedCapabilities } from './engine.ts';

/** One stretch of one speaker. `speaker` numbers the speakers of a recording from 0, as they first speak. Turns of different speakers may overlap. */
export type SpeakerTurn = { startMs: number; endMs: number; speaker: number };

/** `processedMs` never goes back. Last comes one `turns`, ordered by start; empty for a recording without speech. */
export type DiarizationEvent = { type: 'progress'; processedMs: number } | { type: 'turns'; turns: SpeakerTurn[] };

/**
 * An opened diarizer: tells who speaks when, and finds out how many there are. Sound is pulled chunk by chunk (16 kHz mono).
 * Throws AppError `engine_failed`; an aborted signal throws its reason.
 */
export type Diarizer = {
  diarize(audio: AsyncIterable<PcmChunk>, signal: AbortSignal): AsyncIterable<DiarizationEvent>;
  close(): Promise<void>;
};

export type DiarizerEngine = Engine<'diarizer', RankedCapabilities, Diarizer>;
