import { quantile } from '@jyutsing/numeric/statistics';
import type { GatedFrame } from './speech-gate.ts';
import { VAD_FRAME_MS } from './vad.ts';

/** Pause in milliseconds that ends a segment: about where a reader would start a new line. */
export const CLOSING_PAUSE_MS = 600;
/** Length in milliseconds from which on a segment ends at its longest pause so far … */
export const SOFT_LIMIT_MS = 15_000;
/** … of at least this length; shorter gaps are stops inside words. */
const MIN_PAUSE_MS = 100;
/** Longest segment: without any pause it is cut where it is quietest. */
export const HARD_LIMIT_MS = 20_000;
/** Shortest piece before a cut, in milliseconds. */
const MIN_PIECE_MS = 1_500;
/** Margin around speech: soft onsets and final stops are below every threshold. */
export const PADDING_MS = 150;
/** Shortest speech in milliseconds; anything shorter is a click or a breath. */
export const MIN_SPEECH_MS = 80;
/**
 * Least time with a pitch, in milliseconds: speech has vowels, which keeps hiss, wind and rustling
 * out.
 */
export const MIN_VOICED_MS = 60;
export const VOICED_PERIODICITY = 0.6;
/** Hum and dialling tones have a pitch too, but no speech of this length is as even as they are. */
const STEADY_FROM_MS = 1_000;
const MIN_LEVEL_RANGE_DB = 3;

/** Converts a duration to a number of frames. */
export const frames = (durationMs: number) => Math.round(durationMs / VAD_FRAME_MS);

/** Returns true if these frames are speech, as opposed to clicks, hiss, hum and tones. */
export function isSpeechEnough(piece: readonly GatedFrame[]): boolean {
  const speech = piece.filter((frame) => frame.isSpeech);
  const voiced = speech.filter((frame) => frame.periodicity >= VOICED_PERIODICITY);
  const isVoiced = speech.length >= frames(MIN_SPEECH_MS) && voiced.length >= frames(MIN_VOICED_MS);
  return isVoiced && (speech.length < frames(STEADY_FROM_MS) || levelRangeDb(speech) >= MIN_LEVEL_RANGE_DB);
}

/** Returns the range from the 10th to the 90th percentile of the levels. */
function levelRangeDb(speech: readonly GatedFrame[]): number {
  const levels = speech.map((frame) => frame.levelDb);
  return quantile(levels, 0.9, 0) - quantile(levels, 0.1, 0);
}

/**
 * Finds the middle of the longest pause that leaves a piece of useful length; null when there is
 * none.
 */
export function longestPause(piece: readonly GatedFrame[]): number | null {
  let best = { length: frames(MIN_PAUSE_MS) - 1, middle: 0 };
  let length = 0;
  for (const [index, frame] of piece.entries()) {
    if (!frame.isSpeech) length += 1;
    if (frame.isSpeech || index === piece.length - 1) {
      const start = (frame.isSpeech ? index : piece.length) - length;
      if (length > best.length && start >= frames(MIN_PIECE_MS)) best = { length, middle: start + (length >> 1) };
      length = 0;
    }
  }
  return best.middle > 0 ? best.middle : null;
}

/** Finds the lowest level over five frames in the second half, so that both pieces are useful. */
export function quietestFrame(piece: readonly GatedFrame[]): number {
  let best = { levelDb: Infinity, index: piece.length - 1 };
  for (let index = piece.length >> 1; index < piece.length - 2; index += 1) {
    const levelDb = Math.max(...piece.slice(index - 2, index + 3).map((frame) => frame.levelDb));
    if (levelDb < best.levelDb) best = { levelDb, index };
  }
  return best.index;
}
