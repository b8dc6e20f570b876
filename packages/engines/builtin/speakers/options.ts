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
  /** Share of a recording's mean voice that is taken for its room and microphone, 0..1. */
  sharedVoice: number;
  /** Cosine from which speakers are one person after all, without that share taken. */
  sameVoiceFrom: number;
  speakers: SpeakerOptions;
  smoothing: SmoothingOptions;
  turns: TurnOptions;
};

export const DIARIZATION_OPTIONS: DiarizationOptions = {
  analysis: {
    reachMs: 1_000,
    speechFrom: 0.5,
    overlapFrom: 0.5,
    windowMs: 1_500,
    hopMs: 750,
    minMs: 400,
    bridgedMs: 160,
  },
  sharedVoice: 0.4,
  sameVoiceFrom: 0.58,
  speakers: {
    groupFrom: [0.05, 0.15, 0.25, 0.35],
    longGroupFrom: 0.25,
    assignment: { evidence: 1.2, parsimony: 3, staying: 0.9, iterations: 25 },
    fullEvidenceWindows: 200,
    minSpeechMs: 5_000,
    enoughShare: 0.04,
    minShare: 0.015,
  },
  smoothing: { speechFrom: 0.55, certainty: 100, changeCost: 4, changeCostAfterPause: 1, pauseMs: 100 },
  turns: {
    overlapFrom: 0.35,
    minOverlapMs: 200,
    neighborMs: 10_000,
    minHiddenMs: 1_000,
    minHiddenShare: 0.05,
    bridgedMs: 200,
    minTurnMs: 200,
  },
};
