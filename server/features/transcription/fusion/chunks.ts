import type { CorrectionSegment } from '@jyutsing/contracts/corrector';

/**
 * About two minutes of speech: enough context, and little enough for a model to answer in time.
 */
const MAX_CHUNK_CHARACTERS = 300;

/**
 * Cuts a transcript into chunks of neighboring segments with at most `maxCharacters` each (a
 * longer segment is a chunk of its own). Cuts a full chunk at the longest pause of its second
 * half, where a subject most likely ends.
 */
export function cutIntoChunks(
  segments: readonly CorrectionSegment[],
  maxCharacters: number = MAX_CHUNK_CHARACTERS,
): CorrectionSegment[][] {
  const chunks: CorrectionSegment[][] = [];
  let pending: CorrectionSegment[] = [];
  for (const next of segments) {
    while (pending.length > 0 && charactersOf(pending) + charactersOf([next]) > maxCharacters) {
      const cut = longestPause([...pending, next], maxCharacters / 2);
      chunks.push(pending.slice(0, cut));
      pending = pending.slice(cut);
    }
    pending.push(next);
  }
  return pending.length === 0 ? chunks : [...chunks, pending];
}

/**
 * The index of the segment after the longest pause, once `minCharacters` have passed; the last one
 * otherwise.
 */
function longestPause(segments: readonly CorrectionSegment[], minCharacters: number): number {
  let longestMs = -Infinity;
  let found = segments.length - 1;
  let passed = 0;
  for (let index = 1; index < segments.length; index += 1) {
    const before = segments[index - 1];
    const after = segments[index];
    if (before === undefined || after === undefined) break;
    passed += charactersOf([before]);
    const pauseMs = after.segment.startMs - before.segment.endMs;
    if (passed >= minCharacters && pauseMs >= longestMs) [longestMs, found] = [pauseMs, index];
  }
  return found;
}

function charactersOf(segments: readonly CorrectionSegment[]): number {
  return segments.reduce((sum, { segment }) => sum + segment.text.length, 0);
}
