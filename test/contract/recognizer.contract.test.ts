import { AssertionError } from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { EngineEnv } from '@jyutsing/contracts/engine';
import type { RecognizerEngine } from '@jyutsing/contracts/recognizer';
import { loadEngines, SHIPPED_ENGINES_DIR } from '@jyutsing/engines/registry';
import { transcriptionTask } from '#server/workers/tasks/transcribe.ts';
import { createWorkerPools } from '#server/workers/worker-pools.ts';
import { writeSound } from '#testbed/sound/audio.ts';
import { whistle, writeWhistledModels } from '#test/audio-whistled.ts';
import { engine as lyingEngine } from './lying-engine/recognizer.ts';
import { recognizerModels } from '#test/transcription-models.ts';
import { checkRecognizer, RECOGNIZER_RULE_NAMES, type RecognizerSubject } from './recognizer-rules.ts';

const projectDir = resolve(import.meta.dirname, '../..');
const builtinModelsDir = join(projectDir, 'models');
const folder = await mkdtemp(join(tmpdir(), 'contract-test-'));
const whistledModelsDir = join(folder, 'models');
await writeWhistledModels(whistledModelsDir, join(builtinModelsDir, 'yue/language-model.bin'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const speech =
  whistle([null, 'hoeng1', 'gong2', 'jan4', null, 'nei5', 'hou2', null]).channels[0] ?? new Float32Array(0);
const otherSpeech = whistle([null, 'jat1', 'ji6', 'saam1', 'sei3', 'ng5', null]).channels[0] ?? new Float32Array(0);

function env(modelsDir: string, settings: Record<string, string> = {}): EngineEnv {
  return { builtinModelsDir: modelsDir, modelsDir: join(projectDir, 'models-pulled'), settings };
}

/** Every available model of an engine in this environment. */
function subjectsOf(engine: RecognizerEngine, around: EngineEnv, mustRecognize: boolean): RecognizerSubject[] {
  return engine
    .models(around)
    .filter(({ availability }) => availability.available)
    .map((model) => {
      const open = () => engine.open(around, model.name);
      return { engine, model, open, speech, otherSpeech, mustRecognize };
    });
}

const shipped = env(builtinModelsDir);
const whistled = env(whistledModelsDir);
const registry = await loadEngines({ enginesDir: SHIPPED_ENGINES_DIR, env: shipped });
const builtin = registry.engines('recognizer').filter((engine) => engine.name === 'builtin');
const subjects = [
  ...registry
    .engines('recognizer')
    .flatMap((engine) => subjectsOf(engine, shipped, false))
    .map((subject) => ({ name: subject.model.name, subject })),
  ...builtin
    .flatMap((engine) => subjectsOf(engine, whistled, true))
    .map((subject) => ({ name: 'builtin on whistled Cantonese', subject })),
];

describe.each(subjects)('$name keeps the contract', ({ subject }) => {
  it.each(RECOGNIZER_RULE_NAMES)('%s', async (rule) => {
    await expect(checkRecognizer(rule, subject)).resolves.toBeUndefined();
  });
});

describe('every rule can fail', () => {
  it.each(RECOGNIZER_RULE_NAMES)('the toy engine keeps or breaks on request: %s', async (rule) => {
    const [honest] = subjectsOf(lyingEngine, env(builtinModelsDir), true);
    const [lying] = subjectsOf(lyingEngine, env(builtinModelsDir, { LIE: rule }), true);
    if (honest === undefined || lying === undefined)
      throw new AssertionError({ message: 'the toy engine has no model' });
    await expect(checkRecognizer(rule, honest)).resolves.toBeUndefined();
    await expect(checkRecognizer(rule, lying)).rejects.toThrow(
      rule === 'close can be called twice' ? Error : AssertionError,
    );
  });
});

describe('a new engine is one new folder', () => {
  it('a new recognizer is added by copying one folder', async () => {
    // A project with its own engines folder and the same dependencies.
    const copy = join(folder, 'project');
    await mkdir(join(copy, 'engines'), { recursive: true });
    for (const part of ['package.json', 'node_modules']) await symlink(join(projectDir, part), join(copy, part));
    const enginesDir = join(copy, 'engines');
    expect((await loadEngines({ enginesDir, env: shipped })).engines('recognizer')).toEqual([]);
    await cp(join(import.meta.dirname, 'lying-engine'), join(enginesDir, 'lying-engine'), { recursive: true });
    const found = await loadEngines({ enginesDir, env: shipped });
    expect(found.broken).toEqual([]);
    expect(found.select('recognizer', { language: 'cantonese' }).engine).toBe('lying-engine');

    const path = join(folder, 'speech.flac');
    await writeSound(path, { sampleRateHz: 16_000, channels: [speech] }, 'flac');
    const workers = createWorkerPools({
      count: 1,
      memoryLimitBytes: 2 ** 30,
      modelIdleMs: 600_000,
      interactive: true,
      warmUp: [],
      settings: {
        env: shipped,
        enginesDir,
        limits: { maxDurationMs: 60_000 },
        silenceTimeoutMs: 20_000,
        fusionChunkBudgetMs: 10_000,
        defaultModels: { recognizer: 'lying-engine', synthesizer: 'auto' },
      },
    });
    const texts: string[] = [];
    const options = { language: 'cantonese', context: null, withDiarization: false } as const;
    const input = { path, models: recognizerModels(found.select('recognizer')), options, corporaKey: null };
    for await (const event of workers.stream(transcriptionTask, input, new AbortController().signal)) {
      if (event.type === 'segment-end') texts.push(event.segment.text);
    }
    await workers.close();
    expect(texts.some((text) => text.startsWith('word1'))).toBe(true);
  });

  it('the language model of the built-in engine ships with the project', () => {
    expect(existsSync(join(builtinModelsDir, 'yue/language-model.bin'))).toBe(true);
  });
});
