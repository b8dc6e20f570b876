/** Frames of a syllable's symbols. */
export type TimedFrames = { startFrame: number; endFrame: number };

/**
 * CTC symbols appear after their sound has begun; a syllable starts about this many frames before
 * its first symbol. Both values are chosen so that most times are within 80 ms (`npm run eval --
 * timestamps`).
 */
const LEAD_FRAMES = 2;
/**
 * Frames for which a syllable continues after its last symbol at most, unless the caller passes
 * another value.
 */
const SYLLABLE_TAIL_FRAMES = 2;

/**
 * Computes the times of syllables, phones or words in order: each begins a little before its first
 * symbol, but not before the previous one, and ends where the next begins or a little after its
 * last symbol, within the utterance.
 */
export function frameTimes(
  syllables: readonly TimedFrames[],
  frameMs: number,
  frameCount: number,
  tailFrames = SYLLABLE_TAIL_FRAMES,
): { startMs: number; endMs: number }[] {
  const starts: number[] = [];
  for (const { startFrame } of syllables) {
    const previous = starts.at(-1);
    const earliest = previous === undefined ? 0 : previous + 1;
    starts.push(Math.min(Math.max(startFrame - LEAD_FRAMES, earliest), Math.max(frameCount - 1, 0)));
  }
  return syllables.map(({ endFrame }, index) => {
    const start = starts[index] ?? 0;
    const latest = Math.min(starts[index + 1] ?? frameCount, frameCount);
    const end = Math.max(Math.min(endFrame + tailFrames, latest), Math.min(start + 1, frameCount));
    return { startMs: start * frameMs, endMs: end * frameMs };
  });
}
