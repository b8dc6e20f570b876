import { expect, it } from 'vitest';
import type { Ability, ModelRef } from '@jyutsing/contracts/abilities';
import { isPlanAvailable, planTranscription } from './plan-transcription.ts';

function ref<A extends Ability>(ability: A, model: string, version = '1'): ModelRef<A> {
  return {
    ability,
    engine: 'one',
    model,
    version,
    capabilities: { quality: 1, languages: {} },
  } as unknown as ModelRef<A>;
}

const plan = {
  backend: 'a',
  version: 'x',
  willFuse: true,
  models: {
    recognizers: { cantonese: ref('recognizer', 'a') },
    languageIdentifier: null,
    diarizer: null,
    romanizer: ref('romanizer', 'b'),
    correctors: [ref('corrector', 'c'), ref('corrector', 'd')],
  },
};

/** Makes a registry with these models. */
const registryOf = (...models: ModelRef[]) => ({
  selectAll: <A extends Ability>(ability: A) =>
    models.filter((candidate) => candidate.ability === ability) as ModelRef<A>[],
});

it('a plan is available while all its models are available in the same version', () => {
  const all = [ref('recognizer', 'a'), ref('romanizer', 'b'), ref('corrector', 'c'), ref('corrector', 'd')];
  expect(isPlanAvailable(registryOf(...all), plan)).toBe(true);
  for (const missingModel of all) {
    const otherModels = all.filter((candidate) => candidate !== missingModel);
    expect(isPlanAvailable(registryOf(...otherModels), plan)).toBe(false);
    expect(isPlanAvailable(registryOf(...otherModels, { ...missingModel, version: '2' }), plan)).toBe(false);
    expect(isPlanAvailable(registryOf(...otherModels, { ...missingModel, engine: 'two' }), plan)).toBe(false);
  }
});

it('a plan takes words of named corpora where a recognizer hears them, and nowhere else', () => {
  const options = { language: 'cantonese', withTimestamp: false, withDiarization: false, model: null } as const;
  const rest = { context: null, skipFusion: true };
  const planWith = (hears: boolean, corpusIds: string[] | null) => {
    const recognizer = ref('recognizer', 'a');
    const capabilities = { ...recognizer.capabilities, ...(hears ? { hotWords: true as const } : {}) };
    const chosen = { ...recognizer, capabilities };
    const registry = {
      ...registryOf(chosen),
      select: () => chosen as never,
      languages: () => ['cantonese' as const],
    };
    return planTranscription(registry, { ...options, ...rest, corpusIds }, 'auto').hearsCorpora;
  };
  expect(planWith(true, ['mine'])).toBe(true);
  expect([planWith(false, ['mine']), planWith(true, null), planWith(true, [])]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
