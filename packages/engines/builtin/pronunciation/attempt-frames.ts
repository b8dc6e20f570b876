import { symbolCount } from '#engines/builtin/decoder/labels.ts';
import type { AcousticLabels, Posteriors } from '#engines/builtin/decoder/types.ts';
import type { Attempt } from './align.ts';
import type { AcousticAnalysis, Hearing } from './types.ts';

/** Milliseconds around a syllable's symbols that may contain evidence, up to its neighbors. */
const EVIDENCE_MARGIN_MS = 360;
/**
 * CTC symbols appear after their sound has begun: a syllable starts about this many milliseconds
 * before its first symbol.
 */
const LEAD_MS = 60;
/**
 * Least milliseconds for which a syllable sounds on after its last symbol; it also sounds on as
 * long as it is voiced.
 */
const TAIL_MS = 60;
const MAX_TAIL_MS = 720;
const MIN_VOICING = 0.4;

export type FrameRange = { startFrame: number; endFrame: number };

/**
 * Returns the range of frames that contains the evidence of an attempt: up to its neighbors'
 * symbols.
 */
export function evidenceWindow(
  attempts: readonly Attempt[],
  index: number,
  { labels, posteriors }: { labels: AcousticLabels; posteriors: Pick<Posteriors, 'frameCount'> },
): FrameRange {
  const { startFrame, endFrame } = attempts[index]!;
  const margin = Math.round(EVIDENCE_MARGIN_MS / labels.frameMs);
  return {
    startFrame: Math.max(attempts[index - 1]?.endFrame ?? 0, startFrame - margin),
    endFrame: Math.min(attempts[index + 1]?.startFrame ?? posteriors.frameCount, endFrame + margin),
  };
}

/**
 * Returns the frames in which an attempt sounds: from a little before its first symbol for as long
 * as it is voiced.
 */
export function soundingFrames(attempts: readonly Attempt[], index: number, analysis: AcousticAnalysis): FrameRange {
  const { startFrame, endFrame } = attempts[index]!;
  const { frameCount } = analysis.posteriors;
  const { frameMs } = analysis.labels;
  const [lead, tail, maxTail] = [LEAD_MS, TAIL_MS, MAX_TAIL_MS].map((ms) => Math.round(ms / frameMs)) as [
    number,
    number,
    number,
  ];
  const previousEnd = attempts[index - 1]?.endFrame ?? 0;
  const nextStart = attempts[index + 1]?.startFrame ?? frameCount;
  const latest = Math.min(Math.max(endFrame, nextStart - (nextStart === frameCount ? 0 : lead)), endFrame + maxTail);
  let end = Math.min(endFrame + tail, latest);
  while (end < latest && (analysis.pitch[end * 2 + 1] ?? 0) >= MIN_VOICING) end++;
  return { startFrame: Math.max(Math.min(previousEnd, startFrame), startFrame - lead), endFrame: end };
}

/**
 * Computes the mean log-posteriors of the tones over the frames of the attempt's rime, weighted by
 * the probability of any symbol (1 − that of the blank).
 */
export function modelToneLogp(
  { rimeStart, rimeEnd }: Pick<Attempt, 'rimeStart' | 'rimeEnd'>,
  { posteriors, labels }: Hearing,
): number[] {
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
