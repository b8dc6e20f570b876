import type { FollowRules } from '@jyutsing/audio/speaker-clustering/viterbi-smoothing';
import type { SpeakerRules } from '@jyutsing/audio/speaker-clustering/speakers';
import type { TurnRules } from '@jyutsing/audio/speaker-clustering/speaker-turns';
import type { ListeningRules } from './listen.ts';

/** Everything that was tuned, on conversations of people whom the networks had never heard (eval, `development`). */
export type DiarizationRules = {
  listening: ListeningRules;
  speakers: SpeakerRules;
  follow: FollowRules;
  turns: TurnRules;
};

export const RULES: DiarizationRules = {
  listening: {
    reachMs: 200,
    speechFrom: 0.5,
    overlapFrom: 0.5,
    windowMs: 1_500,
    hopMs: 750,
    shortestMs: 400,
    bridgedMs: 160,
  },
  speakers: {
    groupFrom: 0.35,
    assignment: { evidence: 0.6, parsimony: 2.5, staying: 0.6, iterations: 25 },
    leastSpeechMs: 5_000,
    leastShare: 0.015,
  },
  follow: { speechFrom: 0.55, certainty: 100, changeCost: 8, changeCostAfterPause: 2, pauseMs: 100 },
  turns: { overlapFrom: 0.4, leastOverlapMs: 200, neighbourMs: 2_000, bridgedMs: 200, leastTurnMs: 200 },
};
