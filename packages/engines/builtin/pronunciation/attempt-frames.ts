import { symbolCount } from '#engines/builtin/decoder/labels.ts';
import type { Attempt } from './align.ts';
import type { AcousticAnalysis } from './types.ts';

/** Number of frames around a syllable's symbols that may contain evidence, up to its neighbors. */
const EVIDENCE_MARGIN = 12;
/**
 * CTC symbols appear after their sound has begun: a syllable starts about this many frames before
 * its first symbol.
 */
const LEAD_FRAMES = 2;
/**
 * Least number of frames for which a syllable sounds on after its last symbol; it also sounds on as
 * long as it is voiced.
 */
const TAIL_FRAMES = 2;
const MAX_TAIL_FRAMES = 24;
const MIN_VOICING = 0.4;

export type FrameRange = { startFrame: number; endFrame: number };

/**
 * Returns the range of frames that contains the evidence of an attempt: up to its neighbors'
 * symbols.
 */
export function evidenceWindow(attempts: readonly Attempt[], index: number, frameCount: number): FrameRange {
  const { startFrame, endFrame } = attempts[index]!;
  return {
    startFrame: Math.max(attempts[index - 1]?.endFrame ?? 0, startFrame - EVIDENCE_MARGIN),
    endFrame: Math.min(attempts[index + 1]?.startFrame ?? frameCount, endFrame + EVIDENCE_MARGIN),
  };
}

/**
 * Returns the frames in which an attempt sounds: from a little before its first symbol for as long
 * as it is voiced.
 */
export function soundingFrames(attempts: readonly Attempt[], index: number, analysis: AcousticAnalysis): FrameRange {
  const { startFrame, endFrame } = attempts[index]!;
  const { frameCount } = analysis.posteriors;
  const previousEnd = attempts[index - 1]?.endFrame ?? 0;
  const nextStart = attempts[index + 1]?.startFrame ?? frameCount;
  const latest = Math.min(
    Math.max(endFrame, nextStart - (nextStart === frameCount ? 0 : LEAD_FRAMES)),
    endFrame + MAX_TAIL_FRAMES,
  );
  let end = Math.min(endFrame + TAIL_FRAMES, latest);
  while (end < latest && (analysis.pitch[end * 2 + 1] ?? 0) >= MIN_VOICING) end++;
  return { startFrame: Math.max(Math.min(previousEnd, startFrame), startFrame - LEAD_FRAMES), endFrame: end };
}

/**
 * Computes the mean log-posteriors of the tones over the frames of the attempt's rime, weighted by
 * the probability of any symbol (1 − that of the blank).
 */
export function modelToneLogp({ rimeStart, rimeEnd }: Attempt, { posteriors, labels }: AcousticAnalysis): number[] {
  const width = symbolCount(labels);
  const { tones } = labels;
  const sums = Array.from({ length: tones }, () => 0);
  let total = 1e-9;
  for (let frame = rimeStart; frame < rimeEnd; frame++) {
    const weight = 1 - Math.exp(posteriors.symbolLogp[frame * width]!) + 1e-6;
    total += weight;
    for (let tone = 0; tone < tones; tone++) sums[tone]! += weight * posteriors.toneLogp[frame * tones + tone]!;
  }
  return sums.map((sum) => sum / total);
}
