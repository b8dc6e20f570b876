import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Language } from '@jyutsing/contracts/transcript';
import { matchaFiles, TOKEN_SECONDS, vocosFiles } from '#test/sherpa-onnx/matcha-models.ts';
import { installTestModel } from '#test/sherpa-onnx/recognizer-models.ts';
import { pieceOf, requestOf, soundOf, speakAll } from '#test/synthesis-requests.ts';
import { speakableText } from './speakable-text.ts';
import { engine } from './synthesizer.ts';

let modelsDir = '';
const env = () => ({ builtinModelsDir: '/nowhere', modelsDir, settings: {} });
const model = () => engine.models(env()).find(({ name }) => name === 'matcha-mandarin')!;
beforeAll(async () => {
  modelsDir = await mkdtemp(join(tmpdir(), 'sherpa-matcha-'));
  await installTestModel(modelsDir, 'matcha-mandarin', matchaFiles());
});
afterAll(() => rm(modelsDir, { recursive: true, force: true }));

async function soundingSeconds(text: string, speed = 1): Promise<number> {
  const synthesizer = await engine.open(env(), 'matcha-mandarin');
  const request = { ...requestOf([pieceOf([[text, 'statement']])]), language: 'mandarin' as Language, speed };
  const sound = soundOf(await speakAll(synthesizer, request));
  await synthesizer.close();
  return sound.filter((sample) => Math.abs(sample) > 0.001).length / 24_000;
}

it('is available with its vocoder only, and names what is missing', async () => {
  expect(model().availability).toEqual({
    available: false,
    reason: 'not pulled: npm run models -- pull vocos-22khz',
  });
  await expect(engine.open(env(), 'matcha-mandarin')).rejects.toMatchObject({ code: 'engine_unavailable' });
  await installTestModel(modelsDir, 'vocos-22khz', vocosFiles());
  expect(model().availability).toEqual({ available: true });
  expect(model().version).toMatch(/^1-[0-9a-z]+-[0-9a-z]+$/);
});

it('speaks each syllable of the dictionary, Traditional ones in their other form', async () => {
  const oneSyllable = await soundingSeconds('你');
  expect(oneSyllable).toBeGreaterThan(TOKEN_SECONDS * 0.4);
  expect((await soundingSeconds('你好，媽。')) / oneSyllable).toBeGreaterThan(2);
  expect(await soundingSeconds('嘥')).toBe(0);
});

it('speaks faster when it is asked to', async () => {
  expect(await soundingSeconds('你好媽', 2)).toBeLessThan(0.7 * (await soundingSeconds('你好媽')));
});

it('voices with espeak-ng read every Latin word, the others only what the dictionary has', async () => {
  const lexicon = new Set(['你']);
  expect(await speakableText('你 Café, OK！', lexicon, true)).toBe('你Cafe,OK!');
  expect(await speakableText('hello big world', lexicon, true)).toBe('hello big world');
  expect(await speakableText('你 Café', lexicon)).toBe('你');
});
