import type { Frames } from './align-words.ts';
import { addLogs } from '#engines/builtin/pronunciation/add-logs.ts';
import type { Emissions } from './emissions.ts';

/** Frames by which a word may be aligned too early or too late, because CTC symbols shift. */
const REACH_FRAMES = 3;

/** A number word of the text: its pronunciations and those of other numbers, as columns. */
type NumberWord = {
  pronunciations: readonly (readonly number[])[];
  rivals: readonly (readonly number[])[];
  /** The frames of the word, and those between its neighbors. */
  frames: Frames;
  room: Frames;
};

/**
 * By how much another number fits better than the one of the text: the difference of the natural
 * logarithms of their probabilities, over all CTC paths through the frames of the word (Graves et
 * al. 2006, section 4.1); negative where none does, −Infinity for a word without rivals.
 */
export function leadOfRival(emissions: Emissions, { pronunciations, rivals, frames, room }: NumberWord): number {
  if (rivals.length === 0) return -Infinity;
  const startFrame = Math.min(frames.startFrame, Math.max(room.startFrame, frames.startFrame - REACH_FRAMES));
  const endFrame = Math.max(frames.endFrame, Math.min(room.endFrame, frames.endFrame + REACH_FRAMES));
  const likeliest = (columns: readonly (readonly number[])[]) =>
    Math.max(...columns.map((phones) => logProbability(emissions, phones, { startFrame, endFrame })));
  return likeliest(rivals) - Math.max(likeliest(pronunciations), IMPOSSIBLE);
}

/** A word that is too long for its frames has no path. */
const IMPOSSIBLE = -1e6;

/** The states are blanks and phones in turn, with a blank at both ends. */
function logProbability(
  { logp, width }: Emissions,
  phones: readonly number[],
  { startFrame, endFrame }: Frames,
): number {
  let totals = new Float64Array(2 * phones.length + 1).fill(-Infinity);
  totals[0] = 0;
  for (let frame = startFrame; frame < endFrame; frame += 1) {
    totals = totals.map((total, state) => {
      const phone = state % 2 === 1 ? phones[(state - 1) / 2]! : 0;
      let sum = state === 0 ? total : addLogs(total, totals[state - 1]!);
      // A blank is needed only between equal phones.
      if (phone > 0 && state > 1 && phone !== phones[(state - 3) / 2]) sum = addLogs(sum, totals[state - 2]!);
      return sum + logp[frame * width + phone]!;
    });
  }
  return addLogs(totals.at(-1)!, totals.at(-2)!);
}
