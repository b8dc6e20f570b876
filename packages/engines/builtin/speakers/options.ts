import type { SmoothingOptions } from '@jyutsing/audio/speaker-clustering/viterbi-smoothing';
import type { SpeakerOptions } from '@jyutsing/audio/speaker-clustering/speakers';
import type { TurnOptions } from '@jyutsing/audio/speaker-clustering/speaker-turns';
import type { AnalysisOptions } from './analyze-recording.ts';

/**
 * All tuned options, chosen on conversations of speakers outside the networks' training data (eval,
 * `development`).
 */
export type DiarizationOptions = {
  analysis: AnalysisOptions;
  speakers: SpeakerOptions;
  smoothing: SmoothingOptions;
  turns: TurnOptions;
};

export const DIARIZATION_OPTIONS: DiarizationOptions = {
  analysis: {
    reachMs: 200,
    speechFrom: 0.5,
    overlapFrom: 0.5,
    windowMs: 1_500,
    hopMs: 750,
    minMs: 400,
    bridgedMs: 160,
  },
  speakers: {
    groupFrom: [0.15, 0.25, 0.35, 0.45],
    longGroupFrom: 0.35,
    assignment: { evidence: 1.2, parsimony: 2, staying: 0.6, iterations: 25 },
    fullEvidenceWindows: 200,
    minSpeechMs: 5_000,
    enoughShare: 0.04,
    minShare: 0.015,
  },
  smoothing: { speechFrom: 0.55, certainty: 100, changeCost: 4, changeCostAfterPause: 1, pauseMs: 100 },
  turns: {
    overlapFrom: 0.4,
    minOverlapMs: 200,
    neighborMs: 10_000,
    minHiddenMs: 1_000,
    minHiddenShare: 0.03,
    bridgedMs: 200,
    minTurnMs: 200,
  },
};
