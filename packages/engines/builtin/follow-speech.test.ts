import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRandom } from '#packages/numeric/random.ts';
import { resample, speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import { openAsrModel, type AsrModel } from './asr-model.ts';
import { followSpeech } from './follow-speech.ts';
import { createGrowingPosteriors } from './growing-posteriors.ts';
import { openListener } from './listener/listener.ts';

const TEXT = '今日天氣好好，我哋一齊去公園行下啦。聽日可能會落雨，記得帶遮出門口呀，我哋七點鐘食飯。';
const MODELS = resolve(import.meta.dirname, '../../../models');
const never = new AbortController().signal;
let model: AsrModel;
let speech: Float32Array;

beforeAll(async () => {
  model = await openAsrModel(MODELS, 'cantonese');
  const { channels, sampleRateHz } = await speak(toJyutping(TEXT));
  speech = resample(channels[0]!, sampleRateHz, 16_000);
});
afterAll(() => model.acoustic.close());

const FIRST = 8_000;
const STEP = 6_400;
/** Samples of a frame of the Cantonese model, which has 30 ms. */
const FRAME_SAMPLES = 480;

describe('speech that grows', () => {
  it('is recognized almost as a whole recording is, from its end alone', async () => {
    const follower = followSpeech(model, 'cantonese');
    const seconds = speech.length / 16_000;
    expect(seconds).toBeGreaterThan(8);
    let text = '';
    for (let length = FIRST; length <= speech.length; length += STEP) {
      text = (await follower.update(speech.subarray(0, length), never))?.text ?? '';
    }
    const completeText = (await follower.finish(speech, never))?.text ?? '';
    const agreeing = [...text].filter((character, index) => character === [...completeText][index]);
    expect(completeText.length).toBeGreaterThan(30);
    expect(agreeing.length / completeText.length).toBeGreaterThan(0.8);
  });

  it('has its words in order, within it', async () => {
    const follower = followSpeech(model, 'cantonese');
    for (let length = FIRST; length <= speech.length; length += 3 * STEP) {
      const segment = await follower.update(speech.subarray(0, length), never);
      let reachedMs = 0;
      for (const word of segment?.words ?? []) {
        expect(word.startMs).toBeGreaterThanOrEqual(reachedMs);
        reachedMs = word.endMs;
      }
      expect(reachedMs).toBeLessThanOrEqual(length / 16);
    }
  });

  it('costs as much at its end as in its middle', async () => {
    const lengths: number[] = [];
    const { acoustic } = model;
    const counted = {
      ...acoustic,
      compute: (samples: Float32Array) => {
        lengths.push(samples.length);
        return acoustic.compute(samples);
      },
    };
    const posteriors = createGrowingPosteriors(counted);
    for (let length = FIRST; length <= speech.length; length += STEP) {
      const { frameCount } = await posteriors.update(speech.subarray(0, length), 0);
      expect(Math.abs(frameCount - length / FRAME_SAMPLES)).toBeLessThan(2);
    }
    // An inference takes the context, the look-ahead and the new sound.
    expect(Math.max(...lengths)).toBeLessThan(2.4 * 16_000);
  });
});

it('is read by the listener while it grows when the small model does not know the voice', async () => {
  const text = 'Please send me the report before Friday. I will read it in the morning and call you afterwards.';
  const { channels, sampleRateHz } = await speak(text, { voice: 'en' });
  const random = createRandom(1);
  // Clean, it would be as the small model has learnt it.
  const english = resample(channels[0]!, sampleRateHz, 16_000).map((sample) => sample + (random() - 0.5) / 20);
  const [small, listener] = await Promise.all([openAsrModel(MODELS, 'english'), openListener(MODELS)]);
  const follower = followSpeech(small, 'english', listener);
  const texts: string[] = [];
  for (let length = 3 * 16_000; length < english.length; length += 1.5 * 16_000) {
    texts.push((await follower.update(english.subarray(0, length), never))?.text ?? '');
  }
  texts.push((await follower.finish(english, never))?.text ?? '');
  for (const shown of texts) {
    const words = shown
      .toLowerCase()
      .split(/[^a-z]+/)
      .filter((word) => word !== '');
    const right = words.filter((word) => text.toLowerCase().includes(word));
    expect(right.length / words.length).toBeGreaterThan(0.7);
  }
  // Marks and capitals are the listener's.
  expect(texts.join(' ')).toMatch(/[a-z][.,] I will read it/);
  await Promise.all([small.acoustic.close(), listener.close()]);
});
