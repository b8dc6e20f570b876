import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Recognizer } from '@jyutsing/contracts/recognizer';
import { recognizeLiveWith } from '#test/live-here.ts';
import { hum } from '#test/sherpa-onnx/hum.ts';
import { liveParaformerFiles } from '#test/sherpa-onnx/live-models.ts';
import { installTestModel, punctuationFiles } from '#test/sherpa-onnx/recognizer-models.ts';
import { recognizerModels, recognizerRef } from '#test/transcription-models.ts';
import { LIVE_RULE_NAMES, LIVE_RULES } from '../../../test/contract/live-recognition-rules.ts';
import { checkRecognizer, RECOGNIZER_RULE_NAMES } from '../../../test/contract/recognizer-rules.ts';
import { engine } from './recognizer.ts';

const modelsDir = await mkdtemp(join(tmpdir(), 'sherpa-live-recognizer-'));
await installTestModel(modelsDir, 'paraformer-live', liveParaformerFiles());
afterAll(() => rm(modelsDir, { recursive: true, force: true }));

const env = { builtinModelsDir: '/nowhere', modelsDir, settings: {} };
const never = new AbortController().signal;
const soundOf = (syllables: (number | null)[]) => hum(syllables).channels[0] ?? new Float32Array(0);
const open = (): Promise<Recognizer> => engine.open(env, 'paraformer-live');

const follow = async () => {
  const { follow: begin } = await open();
  if (begin === null) throw new TypeError('the model does not follow speech');
  return begin({ language: 'cantonese', context: null });
};
const plain = (text: string | undefined) => text?.replace(/[。，]/gu, '');

describe('a streaming model', () => {
  it('follows growing speech and completes it', async () => {
    const follower = await follow();
    const sound = soundOf([null, 0, 1, 2, 0]);
    const lengths: number[] = [];
    for (let length = 8_000; length < sound.length; length += 8_000) {
      const segment = await follower.update(sound.slice(0, length), never);
      lengths.push([...(plain(segment?.text) ?? '')].length);
    }
    expect(lengths).toEqual(lengths.toSorted((a, b) => a - b));
    expect(lengths.at(-1)).toBeGreaterThan(0);
    expect(plain((await follower.finish(sound, never))?.text)).toBe('香港人香');
  });

  it('forgets sound after the end of the stretch', async () => {
    const follower = await follow();
    await follower.update(soundOf([null, 0, 1, 2, 0, 1]), never);
    const segment = await follower.finish(soundOf([null, 0, 1, 2]), never);
    expect(plain(segment?.text)).toBe('香港人');
  });
});

it('the final text has the punctuation of the installed model, and text before it does not', async () => {
  await installTestModel(modelsDir, 'ct-transformer-punctuation', punctuationFiles());
  const recognizer = await open();
  await rm(join(modelsDir, 'ct-transformer-punctuation'), { recursive: true });
  const options = {
    accountId: 'a',
    models: recognizerModels(recognizerRef('any')),
    context: null,
    turnDetection: null,
  };
  const session = recognizeLiveWith(recognizer).open(options, never);
  const events = Array.fromAsync(session.events);
  await session.write(soundOf([null, 0, 1, 2, 0, 1, 2]));
  session.end();
  const texts = (await events).flatMap((event) => ('text' in event ? [event.text] : []));
  expect(texts.length).toBeGreaterThan(1);
  expect(texts.pop()).toBe('香港，人香港，人。');
  expect(texts.join('')).not.toContain('，');
});

const speech = soundOf([null, 0, 1, 2, 0, 1, null, 2, 0, 1, null]);

describe('it keeps the contract of a recognizer', () => {
  it.each(RECOGNIZER_RULE_NAMES)('%s', async (rule) => {
    const model = engine.models(env).find(({ name }) => name === 'paraformer-live');
    const otherSpeech = soundOf([null, 0, 2, 1, 2, null]);
    const subject = { engine, model: model!, open, speech, otherSpeech, mustRecognize: true };
    await expect(checkRecognizer(rule, subject)).resolves.toBeUndefined();
  });
});

describe('it keeps the contract of live recognition', async () => {
  const live = recognizeLiveWith(await open());
  const models = recognizerModels(recognizerRef('any'));
  it.each(LIVE_RULE_NAMES)('%s', async (rule) => {
    const subject = {
      open: (changes: object, signal: AbortSignal) =>
        live.open({ accountId: 'a', models, context: null, turnDetection: null, ...changes }, signal),
      language: 'cantonese',
      speech,
      mustRecognize: true,
    } as const;
    await expect(LIVE_RULES[rule](subject)).resolves.toBeUndefined();
  });
});
