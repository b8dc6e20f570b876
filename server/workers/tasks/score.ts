import type { ModelRef } from '@jyutsing/contracts/abilities';
import type { ScoreCall, ScoredRecording } from '#features/pronunciation/score-recording.ts';
import { defineTask } from '#workers/define-task.ts';

type ScoreInput = ScoreCall & { model: ModelRef<'pronunciation-assessor'> };

/** One second of silence at the sample rate of recognizers. */
const WARM_UP_SAMPLES = 16_000;

/** Scores the pronunciation of one recording; see `scoreRecording`. */
export const score = defineTask({
  name: 'score',
  pool: 'interactive',
  timeoutMs: 60_000,
  async run({ model, ...call }: ScoreInput, { engines, env }, signal): Promise<ScoredRecording> {
    const { scoreRecording } = await import('#features/pronunciation/score-recording.ts');
    const { voiceModelOf } = await import('@jyutsing/engines/runtime/speech-detection');
    return scoreRecording(call, { openAssessor: () => engines.open(model), voiceOf: voiceModelOf(env) }, signal);
  },
  /** Loads the models and dictionaries of Cantonese only, the most requested language. */
  async warmUp({ engines, env }, signal) {
    const { readTarget } = await import('@jyutsing/text/pronunciation/read-target');
    await import('#features/pronunciation/score-recording.ts');
    const { voiceModelOf } = await import('@jyutsing/engines/runtime/speech-detection');
    await voiceModelOf(env)(new Float32Array(WARM_UP_SAMPLES));
    const target = await readTarget('早晨', 'cantonese');
    const registry = await engines.registry();
    const assessor = await engines.open(registry.select('pronunciation-assessor'));
    await assessor.assess(new Float32Array(WARM_UP_SAMPLES), target, signal);
  },
});
