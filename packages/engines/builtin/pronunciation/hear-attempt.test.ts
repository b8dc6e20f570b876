import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRandom } from '#packages/numeric/random.ts';
import { openAcousticModel, type AcousticModel } from '#engines/builtin/acoustic-model.ts';
import { openListener, type Listener } from '#engines/builtin/listener/listener.ts';
import { modelFiles } from '#engines/builtin/model-files.ts';
import { joinSamples } from '@jyutsing/audio/join-samples';
import { resample, speak } from '#testbed/sound/espeak-speech.ts';
import { hearAttempt } from './hear-attempt.ts';

const MODELS = resolve(import.meta.dirname, '../../../../models');
let acoustic: AcousticModel;
let listener: Listener;
let clean: Float32Array;
/** The same voice in noise, which the acoustic model does not know. */
let sound: Float32Array;

beforeAll(async () => {
  acoustic = await openAcousticModel(modelFiles(MODELS, 'cantonese'));
  listener = await openListener(MODELS);
  const { channels, sampleRateHz } = await speak('gam1 jat6 tin1 hei3 hou2 hou2', { voice: 'yue-latn-jyutping' });
  clean = resample(channels[0]!, sampleRateHz, 16_000);
  const random = createRandom(3);
  sound = clean.map((sample) => sample + 0.4 * (random() - 0.5));
});
afterAll(async () => {
  await acoustic.close();
  await listener.close();
});

test('two models hear the same sound, each in frames of its own', async () => {
  const { labels, posteriors, pitch, further } = await hearAttempt(sound, 'cantonese', { acoustic, listener });
  const seconds = sound.length / 16_000;
  expect([labels.frameMs, further?.labels.frameMs]).toEqual([20, 30]);
  expect((posteriors.frameCount * labels.frameMs) / 1_000).toBeCloseTo(seconds, 1);
  expect((further!.posteriors.frameCount * 30) / 1_000).toBeCloseTo(seconds, 1);
  expect(pitch.length).toBe(2 * posteriors.frameCount);
  expect(pitch.filter((_, at) => at % 2 === 1).some((voicing) => voicing > 0.5)).toBe(true);
});

test('without the listener, and a voice that it knows, the acoustic model hears alone', async () => {
  const alone = [
    await hearAttempt(sound, 'cantonese', { acoustic, listener: null }),
    await hearAttempt(clean, 'cantonese', { acoustic, listener }),
  ];
  expect(alone.map(({ further, labels }) => [further, labels.frameMs])).toEqual([
    [undefined, 30],
    [undefined, 30],
  ]);
});

test('a long recording is heard in pieces, cut where it is quiet, without losing time', async () => {
  const pause = new Float32Array(16_000);
  const times = Math.ceil((30 * 16_000) / (sound.length + pause.length));
  const long = joinSamples(Array.from({ length: times }, () => [sound, pause]).flat());
  const { posteriors, labels } = await hearAttempt(long, 'cantonese', { acoustic, listener });
  expect(Math.abs(posteriors.frameCount * labels.frameMs - long.length / 16)).toBeLessThan(100);
  expect(posteriors.toneLogp.length).toBe(6 * posteriors.frameCount);
});
