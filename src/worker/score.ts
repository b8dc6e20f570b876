import { scoreRecording, type ScoreCall, type ScoredRecording } from '#features/pronunciation/score-recording.ts';
import { findRegistry, openEngine, type EnginePlace } from './opened-engines.ts';

export type PlacedScoreCall = EnginePlace & { call: ScoreCall };

/** Scores one recording with the best assessor that is available; see `scoreRecording`. */
export async function score({ call, ...place }: PlacedScoreCall, signal: AbortSignal): Promise<ScoredRecording> {
  return scoreRecording(call, () => openAssessor(place), signal);
}

/** Loads what every recording needs. */
export async function prepareToScore(place: EnginePlace): Promise<void> {
  await openAssessor(place);
}

async function openAssessor(place: EnginePlace) {
  const registry = await findRegistry(place);
  return openEngine(registry.choose('pronunciation-assessor'), place.surroundings);
}
