import { AssertionError } from 'node:assert/strict';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { EngineEnv } from '@jyutsing/contracts/engine';
import { loadEngines, SHIPPED_ENGINES_DIR } from '@jyutsing/engines/registry';
import { startSummaryServer } from '#test/summary-server.ts';
import { engine as lyingEngine } from './lying-engine/summarizer.ts';
import { checkSummarizer, SUMMARIZER_RULE_NAMES, type SummarizerSubject } from './summarizer-rules.ts';

/** A fake language model server. */
const server = await startSummaryServer();
afterAll(() => server.close());
const env: EngineEnv = {
  builtinModelsDir: resolve(import.meta.dirname, '../../models'),
  modelsDir: '/nowhere',
  settings: { LLM_BASE_URL: server.baseUrl, LLM_MODEL: 'qwen3:8b' },
};

const registry = await loadEngines({ enginesDir: SHIPPED_ENGINES_DIR, env });
const subjects: SummarizerSubject[] = registry.selectAll('summarizer').map(({ engine: folder }) => {
  const engine = registry.engines('summarizer').find(({ name }) => name === folder)!;
  return { folder, engine, env };
});

it('a language model is ranked before the built-in summarizer, which is always available', async () => {
  expect(subjects.map(({ folder }) => folder)).toEqual(['openai-compatible', 'builtin']);
  const alone = await loadEngines({ enginesDir: SHIPPED_ENGINES_DIR, env: { ...env, settings: {} } });
  expect(alone.selectAll('summarizer').map(({ engine }) => engine)).toEqual(['builtin']);
});

describe.each(subjects)('$folder keeps the contract of summarizers', (subject) => {
  it.each(SUMMARIZER_RULE_NAMES)('%s', async (rule) => {
    await expect(checkSummarizer(rule, subject)).resolves.toBeUndefined();
  });
});

it('a new summarizer is one new folder', async () => {
  const enginesDir = await mkdtemp(join(tmpdir(), 'summarizer-engines-'));
  await symlink(join(import.meta.dirname, 'lying-engine'), join(enginesDir, 'lying-engine'));
  const found = await loadEngines({ enginesDir, env });
  await rm(enginesDir, { recursive: true });
  expect(found.broken).toEqual([]);
  expect(found.select('summarizer').engine).toBe('lying-engine');
});

const toyWith = (lie: string): SummarizerSubject => ({
  folder: 'lying-engine',
  engine: lyingEngine,
  env: { ...env, settings: { LIE: lie } },
});

describe('every rule can fail', () => {
  it.each(SUMMARIZER_RULE_NAMES)('the toy engine keeps or breaks on request: %s', async (rule) => {
    await expect(checkSummarizer(rule, toyWith(''))).resolves.toBeUndefined();
    const isThrown = ['close can be called twice', 'the request is not modified'].includes(rule);
    await expect(checkSummarizer(rule, toyWith(rule))).rejects.toThrow(isThrown ? Error : AssertionError);
  });
});
