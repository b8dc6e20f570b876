import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { hum } from '#test/sherpa-onnx/hum.ts';
import { liveParaformerFiles, liveZipformerFiles } from '#test/sherpa-onnx/live-models.ts';
import { installTestModel } from '#test/sherpa-onnx/recognizer-models.ts';
import { LIVE_MODELS } from './live-models.ts';
import { openNativeLive } from './native-live.ts';

const modelsDir = await mkdtemp(join(tmpdir(), 'sherpa-live-'));
await installTestModel(modelsDir, 'paraformer-live', liveParaformerFiles());
await installTestModel(modelsDir, 'x-asr-live', liveZipformerFiles());
afterAll(() => rm(modelsDir, { recursive: true, force: true }));

/** The sound has a second of silence, then a whistle in each syllable until the last sample. */
const sound = hum([null, 0, 1, 2, 0]).channels[0] ?? new Float32Array(0);

function* pieces(samples: Float32Array, size: number) {
  for (let at = 0; at < samples.length; at += size) yield samples.slice(at, at + size);
}

describe.each(LIVE_MODELS)('$name', (model) => {
  const open = () => openNativeLive(model, join(modelsDir, model.name), { threads: 1, provider: 'cpu' });

  it('appends tokens while sound arrives, and its end completes the last one', async () => {
    const utterance = (await open()).begin();
    const texts = [...pieces(sound, 1_600)].map((piece) => utterance.append(piece).tokens.join(''));
    for (const [index, text] of texts.entries()) expect(text.startsWith(texts[index - 1] ?? '')).toBe(true);
    expect(texts[0]).toBe('');
    expect(texts.at(-1)!.length).toBeGreaterThan(0);
    expect(utterance.end()).toMatchObject({ text: '香港人香', tokens: ['香', '港', '人', '香'] });
  });

  it('gives the same text for pieces of every size', async () => {
    const recognizer = await open();
    for (const size of [160, 5_000, sound.length]) {
      const utterance = recognizer.begin();
      for (const piece of pieces(sound, size)) utterance.append(piece);
      expect(utterance.end().text).toBe('香港人香');
    }
  });

  it('keeps utterances apart that are open at once', async () => {
    const recognizer = await open();
    const [first, second] = [recognizer.begin(), recognizer.begin()];
    const silence = new Float32Array(1_600);
    for (const piece of pieces(sound, 1_600)) {
      first.append(piece);
      second.append(silence);
    }
    expect([first.end().text, second.end().text]).toEqual(['香港人香', '']);
  });

  it('tells when each token begins, if the model does', async () => {
    const utterance = (await open()).begin();
    utterance.append(sound);
    const begins = [0, 1, 2, 3].map((index) => 1 + 0.27 * (index + 0.35));
    const near = begins.map((seconds) => expect.closeTo(seconds, 0));
    expect(utterance.end().timestamps).toEqual(model.hasTimes ? near : []);
  });
});
