import type { ModelRef } from '@jyutsing/contracts/abilities';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { scoreRecording, type ScoreCall, type ScoredRecording } from '#features/pronunciation/score-recording.ts';
import { readTarget } from '@jyutsing/text/pronunciation/read-target';
import { openModel, type EngineLocation } from '#workers/opened-engines.ts';

export type PlacedScoreCall = EngineLocation & { call: ScoreCall; model: ModelRef<'pronunciation-assessor'> };

/** Scores one recording; see `scoreRecording`. */
export async function score({ call, model, ...place }: PlacedScoreCall, signal: AbortSignal): Promise<ScoredRecording> {
  return scoreRecording(call, () => openModel(place, model), signal);
}

/** Scores nothing, for which the dictionaries and models must be loaded all the same; those of Cantonese, which most ask for. */
export async function prepareToScore({ model, ...place }: Omit<PlacedScoreCall, 'call'>): Promise<void> {
  const target = await readTarget('早晨', 'cantonese');
  const assessor = await openModel(place, model);
  await assessor.assess(new Float32Array(RECOGNIZER_SAMPLE_RATE_HZ), target, new AbortController().signal);
}
