import { execFile } from 'node:child_process';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EngineEnv } from '@jyutsing/contracts/engine';
import { encodeOnnx } from '#test/onnx.ts';
import { SUNG_WORDS_HZ, vitsFiles } from '#test/sherpa-onnx/vits-model.ts';
import { installTestModel } from '#test/sherpa-onnx/recognizer-models.ts';
import { pitchHeard } from '#test/sung-text.ts';
import { pieceOf, requestOf, soundOf, speakAll } from '#test/synthesis-requests.ts';
import { packages } from './packages.ts';
import { engine } from './synthesizer.ts';
import { SHERPA_VOICES } from './voices.ts';

const entry = join(import.meta.dirname, '../../../test/support/sherpa-onnx/synthesize-entry.ts');
let modelsDir = '';
const file = (name: string) => join(modelsDir, 'vits-cantonese', name);
const around = (): EngineEnv => ({ builtinModelsDir: '/nowhere', modelsDir, settings: {} });
beforeAll(async () => {
  modelsDir = await mkdtemp(join(tmpdir(), 'sherpa-voice-'));
  await installTestModel(modelsDir, 'vits-cantonese', vitsFiles());
});
afterAll(() => rm(modelsDir, { recursive: true, force: true }));

async function say(text: string, changes: Parameters<typeof requestOf>[1] = {}): Promise<Float32Array<ArrayBuffer>> {
  const synthesizer = await engine.open(around(), 'vits-cantonese');
  try {
    return soundOf(await speakAll(synthesizer, requestOf([pieceOf([[text, 'statement']])], changes)));
  } finally {
    await synthesizer.close();
  }
}

/** The pitches that are heard one after another. */
function melodyOf(samples: Float32Array): number[] {
  const melody: number[] = [];
  let note: number[] = [];
  let quiet = 0;
  for (const sample of samples) {
    note.push(sample);
    quiet = Math.abs(sample) < 0.02 ? quiet + 1 : 0;
    if (quiet < 400) continue;
    if (note.some((value) => Math.abs(value) > 0.3)) melody.push(pitchHeard(Float32Array.from(note)));
    note = [];
  }
  if (note.some((value) => Math.abs(value) > 0.3)) melody.push(pitchHeard(Float32Array.from(note)));
  return melody;
}

const sungSeconds = (samples: Float32Array) => samples.filter((sample) => Math.abs(sample) > 0.1).length / 24_000;

describe('what is said', () => {
  it.each<[string, string, string[]]>([
    ['every character of a text is heard, in order, at the right pitch', '大 家 早 晨', ['大', '家', '早', '晨']],
    ['one syllable is heard', '早', ['早']],
    ['a character that is missing is said in its other script', '讲 講 话', ['讲', '讲', '話']],
    ['Latin words are said by their letters', 'OK 早', ['o', 'k', '早']],
  ])('%s', async (_promise, text, words) => {
    const heard = melodyOf(await say(text));
    expect(heard).toHaveLength(words.length);
    for (const [index, hz] of heard.entries()) {
      expect(Math.abs(hz - (SUNG_WORDS_HZ[words[index] ?? ''] ?? 0))).toBeLessThan(12);
    }
  });

  it('one syllable is whole', async () => {
    const samples = await say('早');
    // 1,800 samples at 22,050 Hz, between two blanks.
    expect(sungSeconds(samples)).toBeGreaterThan(0.055);
  });

  it('what cannot be said is left out, and never reaches the library’s log', async () => {
    const { stdout, stderr } = await speakApart('早 龘 é 😀 ж 晨');
    expect(stdout).toMatch(/^spoke \d{4,}$/);
    expect(stderr).not.toMatch(/OOV|龘|😀|ж/);
  });

  it.each(['龘', '……', '😀'])('%s alone is a tenth of a second of silence', async (text) => {
    expect((await speakApart(text)).stdout).toBe('spoke 2400');
  });

  it('speed shortens it and leaves the pitch', async () => {
    const usual = await say('大 家 早 晨');
    const fast = await say('大 家 早 晨', { speed: 2 });
    // The library shortens long silences, so only what sounds is half as long.
    expect(Math.abs(sungSeconds(usual) / sungSeconds(fast) - 2)).toBeLessThan(0.1);
    expect(fast.length).toBeLessThan(usual.length * 0.7);
    expect(Math.abs(pitchHeard(fast) - pitchHeard(usual))).toBeLessThan(25);
  });

  it('another language is refused', async () => {
    await expect(say('hello', { language: 'english' })).rejects.toMatchObject({ code: 'engine_unavailable' });
  });
});

describe('what is there', () => {
  it('every synthesiser of the catalogue can be run, with the files that are pulled', () => {
    const voices = packages.filter(({ purpose }) => purpose === 'synthesizer');
    expect(SHERPA_VOICES.map(({ name }) => name)).toEqual(voices.map(({ name }) => name));
    for (const { name, files, languages } of voices) {
      const voice = SHERPA_VOICES.find((each) => each.name === name);
      const used = JSON.stringify(voice?.config('/m')).match(/\/m\/[^"]+/gu) ?? [];
      expect(used.map((path) => path.slice(3)).toSorted()).toEqual([...files].toSorted());
      expect(Object.keys(voice?.quality ?? {})).toEqual([...languages]);
    }
  });

  it('a voice that was not pulled says how to pull it', async () => {
    const [model] = engine.models({ ...around(), modelsDir: '/nowhere' });
    expect(model?.availability).toEqual({
      available: false,
      reason: 'not pulled: npm run models -- pull vits-cantonese',
    });
    for (const name of ['vits-cantonese', 'unknown', '../..']) {
      await expect(engine.open({ ...around(), modelsDir: '/nowhere' }, name)).rejects.toMatchObject({
        code: 'engine_unavailable',
      });
    }
  });
});

describe('a damaged package fails alone, in the process that opened it', () => {
  const model = 'vits-cantonese-hf-xiaomaiiwn.onnx';
  it.each<[string, () => Promise<unknown>]>([
    ['no dictionary', () => rm(file('lexicon.txt'))],
    ['an empty dictionary', () => writeFile(file('lexicon.txt'), '')],
    ['a dictionary of something else', () => writeFile(file('lexicon.txt'), '<html>\n404\n')],
    ['no model', () => rm(file(model))],
    ['half a model', () => truncate(file(model), 900)],
    ['a model that is none', () => writeFile(file(model), '<html>404</html>')],
    [
      'a model without its description',
      () => writeFile(file(model), encodeOnnx({ nodes: [], constants: [], inputs: [], outputs: [] })),
    ],
    ['no tokens', () => rm(file('tokens.txt'))],
    ['tokens that are none', () => writeFile(file('tokens.txt'), 'a b c d\n')],
  ])('%s', async (_name, damage) => {
    await damage();
    try {
      const { stdout, isEnded } = await speakApart('早 晨');
      expect(isEnded || stdout === 'engine_failed').toBe(true);
    } finally {
      await installTestModel(modelsDir, 'vits-cantonese', vitsFiles());
    }
  });

  it('and what is whole again speaks again', async () => {
    expect((await speakApart('早 晨')).stdout).toMatch(/^spoke \d{4,}$/);
  });
});

/** Speaks in a process of its own. */
function speakApart(text: string): Promise<{ stdout: string; stderr: string; isEnded: boolean }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [entry, modelsDir, text], { timeout: 30_000 }, (error, stdout, stderr) =>
      // Native code ends it by a signal or a code of its own; a time limit would be neither.
      resolve({ stdout, stderr, isEnded: error !== null && !error.killed }),
    );
  });
}
