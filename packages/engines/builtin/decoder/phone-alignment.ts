import type { Posteriors } from './types.ts';

/** A phone of a known sequence, with its frames. */
export type AlignedPhone = {
  /** First frame of the phone and the frame after its last. */
  startFrame: number;
  endFrame: number;
  /** Natural logarithm of its posterior probability in its best frame. */
  logp: number;
};

/**
 * Finds the best CTC path of a sequence of phones (columns) through frames `from` to `to` (Viterbi
 * over blank, phone, blank, …). The list is empty when the frames are too few or allow no path.
 */
export function alignPhones(
  posteriors: Posteriors,
  width: number,
  columns: readonly number[],
  from: number,
  to: number,
): AlignedPhone[] {
  const frames = to - from;
  const stateCount = columns.length * 2 + 1;
  const columnOf = (state: number): number => (state % 2 === 0 ? 0 : (columns[(state - 1) / 2] ?? 0));
  const logp = (frame: number, state: number): number =>
    posteriors.symbolLogp[(from + frame) * width + columnOf(state)] ?? -Infinity;
  let score = new Float64Array(stateCount).fill(-Infinity);
  const steps = new Uint8Array(Math.max(frames, 0) * stateCount);
  for (let frame = 0; frame < frames; frame++) {
    const next = new Float64Array(stateCount).fill(-Infinity);
    for (let state = 0; state < stateCount; state++) {
      // Equal phones next to each other need the blank between.
      const maySkip = state % 2 === 1 && state > 1 && columnOf(state) !== columnOf(state - 2);
      let step = 0;
      let best = frame === 0 ? (state < 2 ? 0 : -Infinity) : (score[state] ?? -Infinity);
      const farthest = frame === 0 ? 0 : Math.min(state, maySkip ? 2 : 1);
      for (let back = 1; back <= farthest; back++) {
        if ((score[state - back] ?? -Infinity) > best) [best, step] = [score[state - back] ?? -Infinity, back];
      }
      next[state] = best + logp(frame, state);
      steps[frame * stateCount + state] = step;
    }
    score = next;
  }
  let state = (score[stateCount - 1] ?? 0) > (score[stateCount - 2] ?? -Infinity) ? stateCount - 1 : stateCount - 2;
  if (frames <= 0 || !((score[state] ?? -Infinity) > -Infinity)) return [];
  const phones: AlignedPhone[] = columns.map(() => ({ startFrame: from, endFrame: from, logp: -Infinity }));
  for (let frame = frames - 1; frame >= 0; frame--) {
    const phone = state % 2 === 1 ? phones[(state - 1) / 2] : undefined;
    if (phone !== undefined) {
      if (phone.logp === -Infinity) phone.endFrame = from + frame + 1;
      phone.startFrame = from + frame;
      phone.logp = Math.max(phone.logp, logp(frame, state));
    }
    state -= steps[frame * stateCount + state] ?? 0;
  }
  return phones;
}
