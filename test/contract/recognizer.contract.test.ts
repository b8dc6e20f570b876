import { AssertionError } from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { EngineSurroundings, RecognizerEngine } from '#contracts/recognizer.ts';
import { loadEngines, SHIPPED_ENGINES_DIR } from '#engines/registry.ts';
import { createSpeechWorkers } from '../../src/speech-workers.ts';
import { writeSound } from '../support/audio.ts';
import { whistle, writeWhistledModels } from '../support/audio-whistled.ts';
import { engine as lyingEngine } from './lying-engine/recognizer.ts';
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

function surroundings(modelsDir: string, settings: Record<string, string> = {}): EngineSurroundings {
  return { builtinModelsDir: modelsDir, modelsDir: join(projectDir, 'models-pulled'), settings };
}

/** Every model of an engine that works in these surroundings. */
function subjectsOf(
  engine: RecognizerEngine,
  around: EngineSurroundings,
  mustUnderstand: boolean,
): RecognizerSubject[] {
  return engine
    .models(around)
    .filter(({ availability }) => availability.available)
    .map((model) => {
      const open = () => engine.open(around, model.name);
      return { engine, model, open, speech, otherSpeech, mustUnderstand };
    });
}

const shipped = surroundings(builtinModelsDir);
const whistled = surroundings(whistledModelsDir);
const registry = await loadEngines({ enginesDir: SHIPPED_ENGINES_DIR, surroundings: shipped });
const builtin = registry.recognizers.filter((engine) => engine.name === 'builtin');
const subjects = [
  ...registry.recognizers
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
  it.each(RECOGNIZER_RULE_NAMES)('an honest engine keeps, a lying one breaks: %s', async (rule) => {
    const [honest] = subjectsOf(lyingEngine, surroundings(builtinModelsDir), true);
    const [lying] = subjectsOf(lyingEngine, surroundings(builtinModelsDir, { LIE: rule }), true);
    if (honest === undefined || lying === undefined) throw new AssertionError({ message: 'the toy has a model' });
    await expect(checkRecognizer(rule, honest)).resolves.toBeUndefined();
    await expect(checkRecognizer(rule, lying)).rejects.toThrow(
      rule === 'closing twice is closing once' ? Error : AssertionError,
    );
  });
});

describe('a new engine is one new folder', () => {
  it('a new recogniser is added by copying one folder; nothing else is edited', async () => {
    // Stands for the project: its own engines folder, everything else as it is.
    const copy = join(folder, 'project');
    await mkdir(join(copy, 'engines'), { recursive: true });
    for (const part of ['package.json', 'src', 'node_modules']) await symlink(join(projectDir, part), join(copy, part));
    const enginesDir = join(copy, 'engines');
    expect((await loadEngines({ enginesDir, surroundings: shipped })).recognizers).toEqual([]);
    await cp(join(import.meta.dirname, 'lying-engine'), join(enginesDir, 'lying-engine'), { recursive: true });
    const found = await loadEngines({ enginesDir, surroundings: shipped });
    expect(found.broken).toEqual([]);
    expect(found.chooseRecognizer('cantonese', 'auto').engine.name).toBe('lying-engine');

    const path = join(folder, 'speech.flac');
    await writeSound(path, { sampleRateHz: 16_000, channels: [speech] }, 'flac');
    const workers = createSpeechWorkers({
      count: 1,
      memoryLimitBytes: 2 ** 30,
      silenceTimeoutMs: 20_000,
      fusionChunkBudgetMs: 10_000,
      limits: { maxDurationMs: 60_000 },
      surroundings: shipped,
      enginesDir,
      models: {
        listen: { preference: 'lying-engine', language: 'cantonese' },
        speak: { preference: 'auto', language: 'cantonese' },
      },
      warmUp: [],
    });
    const texts: string[] = [];
    const options = { language: 'cantonese', context: null, romanize: false, diarize: false } as const;
    for await (const event of workers.listen(path, 'lying-engine', options, new AbortController().signal)) {
      if (event.type === 'segment-end') texts.push(event.segment.text);
    }
    await workers.close();
    expect(texts).toContain('word1');
  });

  it('the language model of the built-in engine ships with the project', () => {
    expect(existsSync(join(builtinModelsDir, 'yue/language-model.bin'))).toBe(true);
  });
});
