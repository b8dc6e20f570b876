import { execFile } from 'node:child_process';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EngineEnv } from '@jyutsing/contracts/engine';
import { encodeOnnx } from '#test/onnx.ts';
import { SUNG_WORDS_HZ, vitsFiles } from '#test/sherpa-onnx/vits-model.ts';
import { installTestModel } from '#test/sherpa-onnx/recognizer-models.ts';
import { measurePitch } from '#test/sung-text.ts';
import { pieceOf, requestOf, soundOf, speakAll } from '#test/synthesis-requests.ts';
import { packages } from './packages.ts';
import { engine } from './synthesizer.ts';
import { SHERPA_VOICES } from './voices.ts';

const entry = join(import.meta.dirname, '../../../test/support/sherpa-onnx/synthesize-entry.ts');
let modelsDir = '';
const file = (name: string) => join(modelsDir, 'vits-cantonese', name);
const env = (): EngineEnv => ({ builtinModelsDir: '/nowhere', modelsDir, settings: {} });
beforeAll(async () => {
  modelsDir = await mkdtemp(join(tmpdir(), 'sherpa-voice-'));
  await installTestModel(modelsDir, 'vits-cantonese', vitsFiles());
});
afterAll(() => rm(modelsDir, { recursive: true, force: true }));

async function synthesize(
  text: string,
  changes: Parameters<typeof requestOf>[1] = {},
): Promise<Float32Array<ArrayBuffer>> {
  const synthesizer = await engine.open(env(), 'vits-cantonese');
  try {
    return soundOf(await speakAll(synthesizer, requestOf([pieceOf([[text, 'statement']])], changes)));
  } finally {
    await synthesizer.close();
  }
}

/** Returns the pitches of the notes in order. */
function pitchesOf(samples: Float32Array): number[] {
  const pitches: number[] = [];
  let note: number[] = [];
  let quiet = 0;
  for (const sample of samples) {
    note.push(sample);
    quiet = Math.abs(sample) < 0.02 ? quiet + 1 : 0;
    if (quiet < 400) continue;
    if (note.some((value) => Math.abs(value) > 0.3)) pitches.push(measurePitch(Float32Array.from(note)));
    note = [];
  }
  if (note.some((value) => Math.abs(value) > 0.3)) pitches.push(measurePitch(Float32Array.from(note)));
  return pitches;
}

const hummedSeconds = (samples: Float32Array) => samples.filter((sample) => Math.abs(sample) > 0.03).length / 24_000;
const sungSeconds = (samples: Float32Array) => samples.filter((sample) => Math.abs(sample) > 0.1).length / 24_000;

describe('the audio', () => {
  it.each<[string, string, string[]]>([
    ['has every character in order at the right pitch', '大 家 早 晨', ['大', '家', '早', '晨']],
    ['has a single syllable', '早', ['早']],
    ['has missing characters in their other script', '讲 講 话', ['讲', '讲', '話']],
    ['has Latin words letter by letter', 'OK 早', ['o', 'k', '早']],
  ])('%s', async (_name, text, words) => {
    const pitches = pitchesOf(await synthesize(text));
    expect(pitches).toHaveLength(words.length);
    for (const [index, hz] of pitches.entries()) {
      expect(Math.abs(hz - (SUNG_WORDS_HZ[words[index] ?? ''] ?? 0))).toBeLessThan(12);
    }
  });

  it('has a single syllable in full length', async () => {
    const samples = await synthesize('早');
    // The note has 1,800 samples at 22,050 Hz, between two blanks.
    expect(sungSeconds(samples)).toBeGreaterThan(0.055);
  });

  it.each(['，', '、', '。', '！', '？', '；', ',', '…'])('pauses at %s', async (mark) => {
    // The voice hums softly for a mark that it knows.
    const paused = await synthesize(`大家${mark}早晨${mark}`);
    expect(hummedSeconds(paused) - hummedSeconds(await synthesize('大家早晨'))).toBeGreaterThan(0.03);
  });

  it('omits unpronounceable text, which is not logged by the library', async () => {
    const { stdout, stderr } = await synthesizeInProcess('早 龘 é 😀 ж 晨');
    expect(stdout).toMatch(/^spoke \d{4,}$/);
    expect(stderr).not.toMatch(/OOV|龘|😀|ж/);
  });

  it.each(['龘', '……', '😀'])('is a tenth of a second of silence for %s alone', async (text) => {
    expect((await synthesizeInProcess(text)).stdout).toBe('spoke 2400');
  });

  it('is shorter at a higher speed, with the same pitch', async () => {
    const usual = await synthesize('大 家 早 晨');
    const fast = await synthesize('大 家 早 晨', { speed: 2 });
    // The library shortens long silences, so only the audible part is half as long.
    expect(Math.abs(sungSeconds(usual) / sungSeconds(fast) - 2)).toBeLessThan(0.1);
    expect(fast.length).toBeLessThan(usual.length * 0.7);
    expect(Math.abs(measurePitch(fast) - measurePitch(usual))).toBeLessThan(25);
  });

  it('is refused for another language', async () => {
    await expect(synthesize('hello', { language: 'english' })).rejects.toMatchObject({ code: 'engine_unavailable' });
  });
});

describe('the catalogue', () => {
  it('has a configuration for every synthesizer that uses exactly its files', () => {
    const voices = packages.filter(({ purpose }) => purpose === 'synthesizer');
    expect(SHERPA_VOICES.map(({ name }) => name)).toEqual(voices.map(({ name }) => name));
    for (const { name, languages, requires = [] } of voices) {
      const voice = SHERPA_VOICES.find((candidate) => candidate.name === name)!;
      expect([voice.requires, Object.keys(voice.quality)]).toEqual([requires, [...languages]]);
      const usedPaths =
        JSON.stringify(voice.config(`/m/${name}`, (packageName) => `/m/${packageName}`)).match(/\/m\/[^",]+/gu) ?? [];
      const files = packages
        .filter((pack) => [name, ...requires].includes(pack.name))
        .flatMap((pack) => pack.files.map((fileName) => `/m/${pack.name}/${fileName}`));
      // The configuration names the folder of espeak-ng's data, and not its files.
      const neededPaths = files.map((path) => path.replace(/(?<=\/espeak-ng-data)\/.*/u, ''));
      expect([...new Set(usedPaths)].toSorted()).toEqual([...new Set(neededPaths)].toSorted());
      for (const lexicon of voice.lexicons) expect(files).toContain(`/m/${name}/${lexicon}`);
    }
  });

  it('gives the pull command as reason of a missing voice', async () => {
    const [model] = engine.models({ ...env(), modelsDir: '/nowhere' });
    expect(model?.availability).toEqual({
      available: false,
      reason: 'not pulled: npm run models -- pull vits-cantonese',
    });
    for (const name of ['vits-cantonese', 'unknown', '../..']) {
      await expect(engine.open({ ...env(), modelsDir: '/nowhere' }, name)).rejects.toMatchObject({
        code: 'engine_unavailable',
      });
    }
  });
});

describe('a damaged package affects only the process that opened it', () => {
  const model = 'vits-cantonese-hf-xiaomaiiwn.onnx';
  it.each<[string, () => Promise<unknown>]>([
    ['no dictionary', () => rm(file('lexicon.txt'))],
    ['an empty dictionary', () => writeFile(file('lexicon.txt'), '')],
    ['an invalid dictionary', () => writeFile(file('lexicon.txt'), '<html>\n404\n')],
    ['no model', () => rm(file(model))],
    ['half a model', () => truncate(file(model), 900)],
    ['an invalid model', () => writeFile(file(model), '<html>404</html>')],
    [
      'a model without metadata',
      () => writeFile(file(model), encodeOnnx({ nodes: [], constants: [], inputs: [], outputs: [] })),
    ],
    ['no tokens', () => rm(file('tokens.txt'))],
    ['invalid tokens', () => writeFile(file('tokens.txt'), 'a b c d\n')],
  ])('%s', async (_name, damage) => {
    await damage();
    try {
      const { stdout, isCrashed } = await synthesizeInProcess('早 晨');
      expect(isCrashed || stdout === 'engine_failed').toBe(true);
    } finally {
      await installTestModel(modelsDir, 'vits-cantonese', vitsFiles());
    }
  });

  it('a restored package works again', async () => {
    expect((await synthesizeInProcess('早 晨')).stdout).toMatch(/^spoke \d{4,}$/);
  });
});

/** Synthesizes in a separate process. */
function synthesizeInProcess(text: string): Promise<{ stdout: string; stderr: string; isCrashed: boolean }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [entry, modelsDir, text], { timeout: 60_000 }, (error, stdout, stderr) =>
      // Native code ends the process with a signal or an exit code; `killed` means a timeout.
      resolve({ stdout, stderr, isCrashed: error !== null && !error.killed }),
    );
  });
}
