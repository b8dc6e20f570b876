import { AssertionError } from 'node:assert/strict';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { EngineEnv } from '@jyutsing/contracts/engine';
import type { SynthesizerEngine } from '@jyutsing/contracts/synthesizer';
import { loadEngines, SHIPPED_ENGINES_DIR } from '@jyutsing/engines/registry';
import { startSpeechServer } from '#test/openai/speech-server.ts';
import { vitsFiles } from '#test/sherpa-onnx/vits-model.ts';
import { installTestModel } from '#test/sherpa-onnx/recognizer-models.ts';
import { pieceOf } from '#test/synthesis-requests.ts';
import { engine as lyingEngine } from './lying-engine/synthesizer.ts';
import { checkSynthesizer, SYNTHESIZER_RULE_NAMES, type SynthesizerSubject } from './synthesizer-rules.ts';

/** A test voice in place of a downloaded one, and a fake server. */
const server = await startSpeechServer();
const modelsDir = await mkdtemp(join(tmpdir(), 'synthesizer-contract-'));
await installTestModel(modelsDir, 'vits-cantonese', vitsFiles());
afterAll(async () => {
  await server.close();
  await rm(modelsDir, { recursive: true, force: true });
});
const env: EngineEnv = {
  builtinModelsDir: resolve(import.meta.dirname, '../../models'),
  modelsDir,
  settings: { TTS_BASE_URL: server.baseUrl, TTS_LANGUAGES: 'cantonese=80,mandarin=90,english=95' },
};

/** Good morning, everybody, the language, and a word of one syllable. */
const WORDS = {
  cantonese: ['早晨=zou2.san4', '大家=daai6.gaa1', '廣東話=gwong2.dung1.waa2', '長=coeng4'],
  mandarin: ['早安=zao3.an1', '大家=da4.jia1', '普通话=pu3.tong1.hua4', '长=chang2'],
  english: ['welcome', 'everybody', 'pronunciation', 'long'],
} as const;
/** The language in which an engine is tested, a word that asks, and one syllable. */
const SHORT = {
  cantonese: ['呀=aa3', '早=zou2'],
  mandarin: ['呀=a5', '早=zao3'],
  english: ['now', 'day'],
} as const;

/** Every available model of an engine, with texts that it can pronounce. */
function subjectsOf(folder: string, engine: SynthesizerEngine, around = env): SynthesizerSubject[] {
  return engine
    .models(around)
    .filter(({ availability }) => availability.available)
    .map((model) => {
      const language = (['cantonese', 'mandarin', 'english'] as const).find(
        (candidate) => candidate in model.capabilities.languages,
      )!;
      const [goodMorning, everybody, name, long] = WORDS[language];
      const [question, syllable] = SHORT[language];
      const piece: typeof pieceOf = (phrases) => pieceOf(phrases, language);
      return {
        folder,
        engine,
        model,
        env: around,
        pieces: [
          piece([
            [`${everybody} ${goodMorning}`, 'comma'],
            [`${name} ${long}`, 'statement'],
          ]),
          piece([[`${goodMorning} ${question}`, 'question']]),
          piece([[everybody, 'exclamation']]),
        ],
        otherPieces: [piece([[`${name} ${name}`, 'statement']])],
        syllable: piece([[syllable, 'statement']]),
        odd: piece([[`${goodMorning} 😀 …… ${everybody}`, 'ellipsis']]),
      };
    });
}

const registry = await loadEngines({ enginesDir: SHIPPED_ENGINES_DIR, env });
const subjects = registry.engines('synthesizer').flatMap((engine) => subjectsOf(engine.name, engine));

it('the synthesizers are found, and model names are unique', () => {
  expect(
    registry
      .engines('synthesizer')
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(['canto-tts-nano', 'espeak', 'hibari', 'openai-compatible', 'sherpa-onnx', 'syllable']);
  expect(registry.broken).toEqual([]);
  const names = [...registry.engines('recognizer'), ...registry.engines('synthesizer')].flatMap((engine) =>
    engine.models(env).map(({ name }) => name),
  );
  expect(new Set(names).size).toBe(names.length);
  expect(subjects).toHaveLength(6);
});

describe.each(subjects)('$model.name keeps the contract of synthesizers', (subject) => {
  it.each(SYNTHESIZER_RULE_NAMES)('%s', async (rule) => {
    await expect(checkSynthesizer(rule, subject)).resolves.toBeUndefined();
  });
});

it('a new synthesizer is one new folder', async () => {
  const enginesDir = await mkdtemp(join(tmpdir(), 'synthesizer-engines-'));
  await symlink(join(import.meta.dirname, 'lying-engine'), join(enginesDir, 'lying-engine'));
  // An engine outside the repository finds the packages as an installed one would.
  await symlink(join(import.meta.dirname, '../../node_modules'), join(enginesDir, 'node_modules'));
  const found = await loadEngines({ enginesDir, env });
  await rm(enginesDir, { recursive: true });
  expect(found.broken).toEqual([]);
  const { engine, model } = found.select('synthesizer', { language: 'cantonese' });
  expect([engine, model]).toEqual(['lying-engine', 'hummer']);
});

const toyWith = (lie: string) => subjectsOf('lying-engine', lyingEngine, { ...env, settings: { LIE: lie } })[0];

describe('every rule can fail', () => {
  it.each(SYNTHESIZER_RULE_NAMES)('the toy engine keeps or breaks on request: %s', async (rule) => {
    const honest = toyWith('');
    const lying = toyWith(rule);
    if (honest === undefined || lying === undefined)
      throw new AssertionError({ message: 'the toy engine has no model' });
    await expect(checkSynthesizer(rule, honest)).resolves.toBeUndefined();
    // The blocked toy engine would wait for a minute.
    await expect(checkSynthesizer(rule, { ...lying, recoveryMs: 1_000 })).rejects.toThrow(
      ['close can be called twice', 'unpronounceable text does not affect the words around it'].includes(rule)
        ? Error
        : AssertionError,
    );
  });
});
