import { UNVOICED_STEP, type Unit } from './unit.ts';

/** Places of a rime that are so much quieter than its loudest one are hardly heard, in dB. */
const CLEAR_DB = -10;

/** Returns the share of a recorded rime that is clear; 1 without a recording. */
export function clearShareOf({ marks, periods, rime, end, levels }: Unit & { levels?: Float32Array }): number {
  if (levels === undefined) return 1;
  let [clear, whole] = [0, 0];
  for (const [i, mark] of marks.entries()) {
    if (mark < rime || mark > end) continue;
    whole += periods[i]!;
    if (levels[i]! > CLEAR_DB) clear += periods[i]!;
  }
  return whole === 0 ? 1 : clear / whole;
}

/**
 * Computes the level at each place of a recording, in dB from the loudest voiced place of its rime:
 * over a period on either side, and the mean of three places, because single periods differ by
 * chance.
 */
export function levelsOf({ marks, periods, isVoiced, rime }: Unit, samples: Float32Array): Float32Array {
  const levels = Array.from(marks, (mark, i) => {
    const half = Math.max(UNVOICED_STEP, periods[i]!);
    const [from, to] = [Math.max(0, mark - half), Math.min(samples.length, mark + half)];
    let sum = 0;
    for (let at = from; at < to; at += 1) sum += samples[at]! * samples[at]!;
    return 10 * Math.log10(sum / Math.max(1, to - from) + 1e-9);
  });
  const loudest = levels.reduce(
    (highest, level, i) => (isVoiced[i] === 1 && marks[i]! >= rime && level > highest ? level : highest),
    -90,
  );
  const last = levels.length - 1;
  return Float32Array.from(
    levels,
    (level, i) => (levels[Math.max(0, i - 1)]! + level + levels[Math.min(last, i + 1)]!) / 3 - loudest,
  );
}
