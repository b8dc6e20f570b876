import assert from 'node:assert/strict';
import type { Ability, EngineOf } from '@jyutsing/contracts/abilities';
import type { EngineEnv } from '@jyutsing/contracts/engine';
import { loadEngines } from '@jyutsing/engines/registry';

/** An engine under test, and the folder of engines that holds it. */
export type ModelSubject<A extends Ability = Ability> = {
  ability: A;
  folder: string;
  engine: EngineOf<A>;
  env: EngineEnv;
  enginesDir: string;
};

const NAME = /^[a-z0-9][a-z0-9.-]*$/;

/**
 * Rules for the models of every engine, whatever its ability. Each throws an AssertionError when
 * the engine breaks it.
 */
export const MODEL_RULES = {
  'the engine is named after its folder and ability': async ({ ability, folder, engine }: ModelSubject) => {
    assert.equal(engine.name, folder);
    assert.equal(engine.ability, ability);
    assert.match(engine.name, NAME);
  },
  'models have unique names': async ({ engine, env }: ModelSubject) => {
    const names = engine.models(env).map(({ name }) => name);
    assert.ok(names.length > 0, 'an engine without models is never selected');
    for (const name of names) assert.match(name, NAME);
    assert.equal(new Set(names).size, names.length);
  },
  'a model has a version that stays the same': async ({ engine, env }: ModelSubject) => {
    const versions = () => engine.models(env).map(({ version }) => version);
    for (const version of versions()) assert.match(version, /^[\w.+-]{1,128}$/);
    assert.deepEqual(versions(), versions());
  },
  'qualities are above 0 and at most 100': async ({ engine, env }: ModelSubject) => {
    for (const { capabilities } of engine.models(env)) {
      const qualities = 'languages' in capabilities ? Object.values(capabilities.languages) : [capabilities.quality];
      for (const quality of qualities) assert.ok(quality > 0 && quality <= 100, `a quality of ${quality}`);
    }
  },
  'an unavailable model has a reason': async ({ engine, env }: ModelSubject) => {
    for (const { availability } of engine.models(env)) {
      if (!availability.available) assert.match(availability.reason, /\w/);
    }
  },
  'a reference to a model is plain data': async (subject: ModelSubject) => {
    for (const ref of await references(subject)) assert.deepEqual(JSON.parse(JSON.stringify(ref)), ref);
  },
  'only available models are selected': async (subject: ModelSubject) => {
    const models = subject.engine.models(subject.env).filter(({ availability }) => availability.available);
    const selected = (await references(subject)).map(({ model }) => model);
    assert.deepEqual(selected.toSorted(), models.map(({ name }) => name).toSorted());
  },
} as const;

export type ModelRule = keyof typeof MODEL_RULES;
export const MODEL_RULE_NAMES = Object.keys(MODEL_RULES) as ModelRule[];

async function references({ ability, folder, env, enginesDir }: ModelSubject) {
  const registry = await loadEngines({ enginesDir, env });
  return registry.selectAll(ability).filter(({ engine }) => engine === folder);
}
