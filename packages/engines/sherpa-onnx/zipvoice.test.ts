import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SynthesisVoice } from '@jyutsing/contracts/synthesizer';
import { encodeWav } from '@jyutsing/audio/wav';
import { installTestModel } from '#test/sherpa-onnx/recognizer-models.ts';
import { vocos24Files, zipvoiceFiles } from '#test/sherpa-onnx/zipvoice-models.ts';
import { measurePitch } from '#test/sung-text.ts';
import { pieceOf, requestOf, soundOf, speakAll, voiceOf } from '#test/synthesis-requests.ts';
import { engine } from './synthesizer.ts';

const RATE_HZ = 24_000;
let modelsDir = '';
const env = () => ({ builtinModelsDir: '/nowhere', modelsDir, settings: {} });
const model = () => engine.models(env()).find(({ name }) => name === 'zipvoice')!;
beforeAll(async () => {
  modelsDir = await mkdtemp(join(tmpdir(), 'sherpa-zipvoice-'));
  await installTestModel(modelsDir, 'zipvoice', zipvoiceFiles());
});
afterAll(() => rm(modelsDir, { recursive: true, force: true }));

/** Makes a voice whose sample is three seconds of a tone. */
function voice(hz: number, transcript: string | null): SynthesisVoice {
  const tone = Float32Array.from({ length: 3 * RATE_HZ }, (_, i) => 0.5 * Math.sin((2 * Math.PI * hz * i) / RATE_HZ));
  return { ...voiceOf(), reference: { wav: encodeWav(tone, RATE_HZ), transcript } };
}

async function speak(text: string, from: SynthesisVoice, speed = 1): Promise<Float32Array<ArrayBuffer>> {
  const synthesizer = await engine.open(env(), 'zipvoice');
  const request = requestOf([pieceOf([[text, 'none']], 'mandarin')], { language: 'mandarin', voice: from, speed });
  try {
    return soundOf(await speakAll(synthesizer, request));
  } finally {
    await synthesizer.close();
  }
}
const soundingSeconds = (samples: Float32Array) => samples.filter((sample) => Math.abs(sample) > 0.05).length / RATE_HZ;

it('is available with its vocoder only, and needs the words of a sample', async () => {
  expect(model().availability).toEqual({ available: false, reason: 'not pulled: npm run models -- pull vocos-24khz' });
  await installTestModel(modelsDir, 'vocos-24khz', vocos24Files());
  expect(model()).toMatchObject({ availability: { available: true }, capabilities: { clones: 'reference-and-text' } });
});

it.each([750, 1_500])('speaks in the voice of a sample of %i Hz', async (hz) => {
  const measured = measurePitch(await speak('你好', voice(hz, '你好')));
  expect(measured / hz).toBeGreaterThan(0.9);
  expect(measured / hz).toBeLessThan(1.1);
});

it('takes the pace from the words of the sample, and the speed of the request', async () => {
  const usual = soundingSeconds(await speak('你好', voice(750, '你好')));
  // The sample has twice as many words in the same time, so each word takes half as long.
  const hasty = soundingSeconds(await speak('你好', voice(750, '你好，媽媽')));
  expect(hasty / usual).toBeGreaterThan(0.4);
  expect(hasty / usual).toBeLessThan(0.7);
  const fast = soundingSeconds(await speak('你好', voice(750, '你好'), 2));
  expect(fast / usual).toBeGreaterThan(0.4);
  expect(fast / usual).toBeLessThan(0.6);
});

it('speaks English words, which espeak-ng reads', async () => {
  expect(soundingSeconds(await speak('one', voice(750, 'two one')))).toBeGreaterThan(0.5);
});

it.each([null, '', '嘥，。', '…'])('refuses a sample with the words %j', async (transcript) => {
  await expect(speak('你好', voice(750, transcript))).rejects.toMatchObject({ code: 'unsuitable_sample' });
});

it('refuses a voice without a sample', async () => {
  await expect(speak('你好', voiceOf())).rejects.toMatchObject({ code: 'engine_failed' });
});
