import type { Frames, SpokenWord } from './align-words.ts';
import type { Emissions } from './emissions.ts';
import { nativeVariants } from './native-variants.ts';

/** Evidence of the frames for one expected phone. */
export type PhoneEvidence = {
  /** Column of the expected phone. */
  column: number;
  frames: Frames | null;
  /**
   * Natural logarithm of the phone's probability among all phones and silence, given the positions
   * of its neighbors.
   */
  logp: number;
  /** Natural logarithm of the probability of an omission. */
  noneLogp: number;
  /** Natural logarithm of the probability of all accepted variants together. */
  variantLogp: number;
  /** The likeliest other phone, and the natural logarithm of its probability. */
  rival: number;
  rivalLogp: number;
  /** Natural logarithm of the phone's posterior in its best frame. */
  peakLogp: number;
};

/** Least log-probability that is reported. */
const MIN_LOGP = Math.log(1e-12);
/**
 * Largest distance in frames between an aligned phone and its evidence, because CTC symbols shift.
 */
const REACH_FRAMES = 5;

/**
 * Computes the goodness of pronunciation from CTC posteriors: between the neighboring phones, how
 * much more probable the expected phone is than any other or silence, each summed over all CTC
 * paths (blanks, the phone, blanks). After X. Cao et al., "A framework for phoneme-level
 * pronunciation assessment using CTC", Interspeech 2024, with the neighbors fixed.
 */
export function phoneEvidence(
  emissions: Emissions,
  spoken: readonly SpokenWord[],
  columnsOf: (word: SpokenWord) => readonly number[],
): PhoneEvidence[][] {
  const spokenPhones = spoken.flatMap((word) => word.phones.filter((phone) => phone !== null));
  let index = 0;
  return spoken.map((word) => {
    const columns = columnsOf(word);
    return word.phones.map((phone, position) => {
      const before = spokenPhones[index - 1]?.endFrame ?? 0;
      const after =
        (phone === null ? spokenPhones[index] : spokenPhones[index + 1])?.startFrame ?? emissions.frameCount;
      if (phone !== null) index++;
      const phoneFrames = phone ?? { startFrame: before, endFrame: after };
      const from = Math.max(before, phoneFrames.startFrame - REACH_FRAMES, 0);
      const to = Math.min(after, phoneFrames.endFrame + REACH_FRAMES, from + 4 * REACH_FRAMES);
      return evidence(emissions, columns[position] ?? 0, phone, from, Math.max(to, phone?.endFrame ?? 0));
    });
  });
}

function evidence(
  { p, width }: Emissions,
  column: number,
  frames: Frames | null,
  from: number,
  to: number,
): PhoneEvidence {
  const noEvidence = {
    column,
    frames,
    logp: Math.log(1 / width),
    noneLogp: 0,
    variantLogp: MIN_LOGP,
    rival: 0,
    rivalLogp: -Infinity,
    peakLogp: -8,
  };
  if (to <= from) return noEvidence;
  const totals = new Float64Array(width);
  let peak = 0;
  for (let candidate = 1; candidate < width; candidate++) {
    let before = 1;
    let within = 0;
    let after = 0;
    for (let frame = from; frame < to; frame++) {
      const blank = p[frame * width] ?? 0;
      const probability = p[frame * width + candidate] ?? 0;
      after = (after + within) * blank;
      within = (within + before) * probability;
      before *= blank;
      if (candidate === column && probability > peak) peak = probability;
    }
    totals[candidate] = within + after;
    totals[0] = before;
  }
  const sum = totals.reduce((all, value) => all + value, 0);
  let rival = 0;
  for (let candidate = 1; candidate < width; candidate++) {
    if (candidate !== column && (rival === 0 || (totals[candidate] ?? 0) > (totals[rival] ?? 0))) rival = candidate;
  }
  const share = (value: number): number => Math.log(Math.max(value / sum, 1e-12));
  const variants = nativeVariants(column).reduce((all, variant) => all + (totals[variant] ?? 0), 0);
  return {
    column,
    frames,
    logp: share(totals[column] ?? 0),
    variantLogp: share(variants),
    noneLogp: share(totals[0] ?? 0),
    rival,
    rivalLogp: share(totals[rival] ?? 0),
    peakLogp: Math.log(Math.max(peak, 4e-4)),
  };
}
