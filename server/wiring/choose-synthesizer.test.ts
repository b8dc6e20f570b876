import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadEngines, SHIPPED_ENGINES_DIR } from '@jyutsing/engines/registry';
import type { ChooseModel } from '#features/synthesis/speech.ts';
import { nanoBundleFiles } from '#test/canto-tts-nano/bundle-files.ts';
import { installTestModel } from '#test/sherpa-onnx/recognizer-models.ts';
import { createChooser } from './choose-synthesizer.ts';

let modelsDir = '';
let choose: ChooseModel;
beforeAll(async () => {
  modelsDir = await mkdtemp(join(tmpdir(), 'choose-synthesizer-'));
  await installTestModel(modelsDir, 'canto-tts-nano', nanoBundleFiles());
  const builtinModelsDir = resolve(import.meta.dirname, '../../models');
  const env = { builtinModelsDir, modelsDir, settings: {} };
  choose = createChooser(await loadEngines({ enginesDir: SHIPPED_ENGINES_DIR, env }), 'auto');
});
afterAll(() => rm(modelsDir, { recursive: true, force: true }));

const voice = (engine: string | null) => ({ accountId: 'account', engine });

it('the model of a voice speaks the languages that it knows, and nothing else gets it', () => {
  expect(choose('cantonese', 'auto', voice('canto-tts-nano')).model).toBe('canto-tts-nano');
  expect(choose('cantonese', 'auto', voice(null)).model).not.toBe('canto-tts-nano');
  const usual = choose('english', 'auto', voice(null)).model;
  expect(choose('english', 'auto', voice('canto-tts-nano')).model).toBe(usual);
});

it('a request that names a model gets that one', () => {
  expect(choose('cantonese', 'syllable', voice('canto-tts-nano')).model).toBe('syllable-yue');
  expect(choose('cantonese', 'canto-tts-nano', voice(null)).model).toBe('canto-tts-nano');
});

it('a voice whose model is not installed is refused with the reason', () => {
  expect(() => choose('cantonese', 'auto', voice('vits-cantonese'))).toThrow(/not pulled/);
});
