import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { scoreRecording, type ScoreCall, type ScoredRecording } from '#features/pronunciation/score-recording.ts';
import { readTarget } from '@jyutsing/text/pronunciation/read-target';
import { findRegistry, openEngine, type EngineLocation } from '#workers/opened-engines.ts';

export type PlacedScoreCall = EngineLocation & { call: ScoreCall };

/** Scores one recording with the best assessor that is available; see `scoreRecording`. */
export async function score({ call, ...place }: PlacedScoreCall, signal: AbortSignal): Promise<ScoredRecording> {
  return scoreRecording(call, () => openAssessor(place), signal);
}

/** Scores nothing, for which the dictionaries and models must be loaded all the same; those of Cantonese, which most ask for. */
export async function prepareToScore(place: EngineLocation): Promise<void> {
  const target = await readTarget('早晨', 'cantonese');
  const assessor = await openAssessor(place);
  await assessor.assess(new Float32Array(RECOGNIZER_SAMPLE_RATE_HZ), target, new AbortController().signal);
}

async function openAssessor(place: EngineLocation) {
  const registry = await findRegistry(place);
  return openEngine(registry.choose('pronunciation-assessor'), place.env);
}
