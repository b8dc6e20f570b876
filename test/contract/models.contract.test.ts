import { AssertionError } from 'node:assert/strict';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ABILITIES, type Ability } from '@jyutsing/contracts/abilities';
import type { EngineEnv } from '@jyutsing/contracts/engine';
import { loadEngines, SHIPPED_ENGINES_DIR } from '@jyutsing/engines/registry';
import { engine as lyingEngine } from './lying-engine/recognizer.ts';
import { MODEL_RULE_NAMES, MODEL_RULES, type ModelSubject } from './model-rules.ts';

const env: EngineEnv = {
  builtinModelsDir: resolve(import.meta.dirname, '../../models'),
  modelsDir: '/nowhere',
  settings: { STT_BASE_URL: 'http://127.0.0.1:9', LLM_BASE_URL: 'http://127.0.0.1:9', LLM_MODEL: 'model' },
};

const registry = await loadEngines({ enginesDir: SHIPPED_ENGINES_DIR, env });
const subjectsOf = <A extends Ability>(ability: A): ModelSubject<A>[] =>
  registry
    .engines(ability)
    .map((engine) => ({ ability, folder: engine.name, engine, env, enginesDir: SHIPPED_ENGINES_DIR }));
const subjects: ModelSubject[] = ABILITIES.flatMap((ability) => subjectsOf(ability) as ModelSubject[]);

it('every ability has an engine', () => {
  expect(registry.broken).toEqual([]);
  expect(new Set(subjects.map(({ ability }) => ability))).toEqual(new Set(ABILITIES));
});

describe.each(subjects)('$folder keeps the rules for the models of a $ability', (subject) => {
  it.each(MODEL_RULE_NAMES)('%s', async (rule) => {
    await expect(MODEL_RULES[rule](subject)).resolves.toBeUndefined();
  });
});

/** The toy recognizer, which breaks the rule that it is given. */
const toy = (lie: string): ModelSubject =>
  ({
    ability: 'recognizer',
    folder: 'lying-engine',
    engine: { ...lyingEngine, name: lie.startsWith('the engine is named') ? 'other' : lyingEngine.name },
    env: { ...env, settings: { LIE: lie } },
    enginesDir: import.meta.dirname,
  }) as ModelSubject;

describe('every rule can fail', () => {
  it.each(MODEL_RULE_NAMES)('the toy engine keeps or breaks on request: %s', async (rule) => {
    await expect(MODEL_RULES[rule](toy(''))).resolves.toBeUndefined();
    await expect(MODEL_RULES[rule](toy(rule))).rejects.toThrow(AssertionError);
  });
});
