import type { CorrectionSegment } from '@jyutsing/contracts/corrector';

/** Some two minutes of speech: enough to tell the subject by, and little enough for a model to answer in its time. */
export const MOST_CHUNK_CHARACTERS = 300;

/**
 * Cuts a transcript into chunks of neighbouring segments, each with at most so many characters (a longer segment stands alone). A full
 * chunk is cut at the longest pause of its second half, where a subject is most likely to end.
 */
export function cutIntoChunks(
  segments: readonly CorrectionSegment[],
  mostCharacters: number = MOST_CHUNK_CHARACTERS,
): CorrectionSegment[][] {
  const chunks: CorrectionSegment[][] = [];
  let pending: CorrectionSegment[] = [];
  for (const next of segments) {
    while (pending.length > 0 && charactersOf(pending) + charactersOf([next]) > mostCharacters) {
      const cut = longestPause([...pending, next], mostCharacters / 2);
      chunks.push(pending.slice(0, cut));
      pending = pending.slice(cut);
    }
    pending.push(next);
  }
  return pending.length === 0 ? chunks : [...chunks, pending];
}

/** The number of the segment before which the longest pause is, once so many characters have passed; at the end if none has. */
function longestPause(segments: readonly CorrectionSegment[], leastCharacters: number): number {
  let longestMs = -Infinity;
  let found = segments.length - 1;
  let passed = 0;
  for (let index = 1; index < segments.length; index += 1) {
    const before = segments[index - 1];
    const after = segments[index];
    if (before === undefined || after === undefined) break;
    passed += charactersOf([before]);
    const pauseMs = after.segment.startMs - before.segment.endMs;
    if (passed >= leastCharacters && pauseMs >= longestMs) [longestMs, found] = [pauseMs, index];
  }
  return found;
}

function charactersOf(segments: readonly CorrectionSegment[]): number {
  return segments.reduce((sum, { segment }) => sum + segment.text.length, 0);
}
