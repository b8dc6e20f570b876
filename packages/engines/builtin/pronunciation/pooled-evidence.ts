import type { FrameRange } from './attempt-frames.ts';
import { createSegmentScorer, type SegmentEvidence, type SegmentScorer } from './segment-evidence.ts';
import type { AcousticAnalysis, Hearing } from './types.ts';

/**
 * Weights of the logarithms of two models' probabilities, a logarithmic opinion pool (Genest and
 * Zidek 1986); training/pronunciation/pool makes them.
 */
export type PoolWeights = { first: number; further: number };

/** Computes the evidence of the frames of an analysis, by all models that heard it. */
export type EvidenceScorer = (analysis: AcousticAnalysis, window: FrameRange) => SegmentEvidence;

/**
 * Creates a scorer for one language. The further model looks at the same time as the first. The
 * next call overwrites the result.
 */
export function createEvidenceScorer(weights: PoolWeights | null): EvidenceScorer {
  const scorers = new Map<Hearing['labels'], SegmentScorer>();
  const scoreBy = ({ labels, posteriors }: Hearing, { startFrame, endFrame }: FrameRange): SegmentEvidence => {
    const scorer = scorers.get(labels) ?? createSegmentScorer(labels);
    scorers.set(labels, scorer);
    return scorer(posteriors, startFrame, endFrame);
  };
  return (analysis, window) => {
    const pooled = scoreBy(analysis, window);
    const { further } = analysis;
    if (further === undefined || weights === null) return pooled;
    const { logp } = scoreBy(further, framesOf(further, window, analysis.labels.frameMs));
    for (let at = 0; at < logp.length; at++) {
      pooled.logp[at] = weights.first * pooled.logp[at]! + weights.further * logp[at]!;
    }
    return pooled;
  };
}

/** Converts frames of another length to those of a model. */
function framesOf({ labels, posteriors }: Hearing, window: FrameRange, frameMs: number): FrameRange {
  const ratio = frameMs / labels.frameMs;
  const startFrame = Math.min(posteriors.frameCount - 1, Math.round(window.startFrame * ratio));
  const endFrame = Math.min(posteriors.frameCount, Math.round(window.endFrame * ratio));
  return { startFrame, endFrame: Math.max(startFrame + 1, endFrame) };
}
