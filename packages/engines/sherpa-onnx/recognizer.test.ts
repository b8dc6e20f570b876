import { AssertionError } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PcmChunk } from '@jyutsing/contracts/audio';
import type { EngineEnv } from '@jyutsing/contracts/engine';
import type { RecognitionEvent } from '@jyutsing/contracts/recognizer';
import type { Language, Segment } from '@jyutsing/contracts/transcript';
import { checkRecognizer, RECOGNIZER_RULE_NAMES } from '../../../test/contract/recognizer-rules.ts';
import { installTestModel, punctuationFiles } from '#test/sherpa-onnx/recognizer-models.ts';
import { installEveryRecognizer } from '#test/sherpa-onnx/install-recognizers.ts';
import { hum } from '#test/sherpa-onnx/hum.ts';
import { SHERPA_MODELS } from './models.ts';
import { engine } from './recognizer.ts';

let modelsDir = '';
const around = (settings: Record<string, string> = {}): EngineEnv => ({
  builtinModelsDir: '/nowhere',
  modelsDir,
  settings,
});

beforeAll(async () => {
  modelsDir = await mkdtemp(join(tmpdir(), 'sherpa-test-'));
  await installEveryRecognizer(modelsDir);
});
afterAll(() => rm(modelsDir, { recursive: true, force: true }));

const soundOf = (syllables: (number | null)[]) => hum(syllables).channels[0] ?? new Float32Array(0);

async function* chunksOf(samples: Float32Array): AsyncGenerator<PcmChunk> {
  for (let at = 0; at < samples.length; at += 8_000) {
    yield { samples: samples.slice(at, at + 8_000), sampleRateHz: 16_000, startMs: at / 16 };
  }
}

async function hear(
  model: string,
  syllables: (number | null)[],
  { language = 'cantonese', context = null }: { language?: Language; context?: string | null } = {},
  env = around(),
): Promise<Segment[]> {
  const recognizer = await engine.open(env, model);
  const events: RecognitionEvent[] = [];
  const sound = chunksOf(soundOf([null, ...syllables, null]));
  const options = { language, context, romanize: false };
  for await (const event of recognizer.recognize(sound, options, new AbortController().signal)) {
    events.push(event);
  }
  await recognizer.close();
  return events.flatMap((event) => (event.type === 'segment-end' ? [event.segment] : []));
}

const textOf = (segments: Segment[]) => segments.map(({ text }) => text).join('|');

describe('every model type of the catalogue is loaded by sherpa-onnx and hears', () => {
  it.each<[string, Language, number[], string]>([
    ['wsyue-u2pp', 'cantonese', [0, 1, 2], '香港人。'],
    ['sense-voice-yue-2025', 'cantonese', [0, 1, 2], '香港人。'],
    ['sense-voice-yue-2025', 'cantonese', [0, 1, 5, 3, 4], '香港早晨。'],
    ['sense-voice-2024', 'cantonese', [0, 1, 5, 3, 4], '香港，早晨'],
    ['sense-voice-2024', 'mandarin', [0, 1, 2], '香港人。'],
    ['sense-voice-2024', 'english', [3, 4], 'Good morning.'],
    ['whisper-tiny', 'mandarin', [0], '你好。'],
    ['whisper-base', 'english', [0], 'hello there.'],
    ['whisper-small', 'mandarin', [0], '你好。'],
    ['whisper-medium', 'english', [0], 'hello there.'],
    ['whisper-large-v3', 'cantonese', [0], '香港人。'],
    ['whisper-large-v3', 'mandarin', [0], '你好。'],
    ['whisper-turbo', 'english', [0], 'hello there.'],
    ['zipformer-cantonese', 'cantonese', [0, 1, 3, 4], '香港灣仔。'],
    ['qwen3-asr-0.6b', 'cantonese', [0], '香港人。'],
  ])('%s in %s', async (model, language, whistles, expected) => {
    // Generative models need something to be said for as long as the text takes.
    const said = whistles.length === 1 ? [...whistles, ...whistles, ...whistles] : whistles;
    expect(textOf(await hear(model, said, { language }))).toBe(expected);
  });

  it('none is left out', () => {
    const available = engine.models(around()).filter(({ availability }) => availability.available);
    expect(available.map(({ name }) => name)).toEqual(SHERPA_MODELS.map(({ name }) => name));
  });
});

describe('what was heard', () => {
  it('tokens have times in the recording, characters and whole words', async () => {
    const [segment] = await hear('wsyue-u2pp', [0, 1, 3, 4]);
    expect(segment?.words.map(({ text }) => text)).toEqual(['香', '港', 'hello']);
    // A second of silence, then syllables of 270 ms with the whistle in the middle.
    const startsMs = segment?.words.map(({ startMs }) => startMs) ?? [];
    for (const [index, startMs] of startsMs.entries()) {
      expect(Math.abs(startMs - (1_000 + 270 * index + 54))).toBeLessThanOrEqual(90);
    }
  });

  it('Simplified becomes what Hong Kong writes, for Cantonese only', async () => {
    expect(textOf(await hear('wsyue-u2pp', [5, 0, 1]))).toContain('係');
    expect(textOf(await hear('qwen3-asr-0.6b', [0, 0, 0], { context: '仔' }))).toBe('灣街！');
    expect(textOf(await hear('qwen3-asr-0.6b', [0, 0, 0], { context: '仔', language: 'mandarin' }))).toBe('湾街！');
  });

  it('hotwords of the context decide between what sounds alike', async () => {
    expect(textOf(await hear('zipformer-cantonese', [3, 4]))).toBe('灣仔。');
    expect(textOf(await hear('zipformer-cantonese', [3, 4], { context: '今晚喺環仔食飯' }))).toBe('灣仔。');
    expect(textOf(await hear('zipformer-cantonese', [3, 4], { context: '環仔' }))).toBe('環仔。');
  });

  it('a phrase that generative models make up is no segment', async () => {
    expect(await hear('whisper-large-v3', [1, 1, 1, 1])).toEqual([]);
  });

  it('a character that Whisper writes in two tokens is whole', async () => {
    expect(textOf(await hear('whisper-turbo', [0, 0, 0]))).toContain('港');
  });

  it('the punctuation model is used where it was pulled, and is part of the version', async () => {
    const without = engine.models(around());
    await installTestModel(modelsDir, 'ct-transformer-punctuation', punctuationFiles());
    const withIt = engine.models(around());
    const text = textOf(await hear('wsyue-u2pp', [0, 1, 2]));
    await rm(join(modelsDir, 'ct-transformer-punctuation'), { recursive: true });
    expect(text).toBe('香港，人。');
    expect(withIt.map(({ version }) => version)).not.toEqual(without.map(({ version }) => version));
  });
});

describe('what is not there', () => {
  it('a model that was not pulled says how to pull it', () => {
    const [model] = engine.models({ ...around(), modelsDir: '/nowhere' });
    expect(model?.availability).toEqual({
      available: false,
      reason: 'not pulled: npm run models -- pull wsyue-u2pp',
    });
  });

  it.each(['wsyue-u2pp', 'unknown', '../..'])('opening %s is refused', async (name) => {
    await expect(engine.open({ ...around(), modelsDir: '/nowhere' }, name)).rejects.toMatchObject({
      code: 'engine_unavailable',
    });
  });

  it('a language that the model does not know is refused before the library ends the process over it', async () => {
    await expect(hear('whisper-tiny', [0], { language: 'cantonese' })).rejects.toMatchObject({
      code: 'engine_unavailable',
    });
  });

  it.each(['0', 'many', '1.5', '-1', '1000'])('STT_THREADS=%s is refused with a sentence', async (threads) => {
    await expect(engine.open(around({ STT_THREADS: threads }), 'wsyue-u2pp')).rejects.toThrow('STT_THREADS');
  });

  it('two threads hear the same', async () => {
    expect(textOf(await hear('wsyue-u2pp', [0, 1, 2], {}, around({ STT_THREADS: '2' })))).toBe('香港人。');
  });
});

// One of each model type: all sizes of Whisper are one code, and so are both SenseVoices.
describe.each(['wsyue-u2pp', 'sense-voice-2024', 'zipformer-cantonese', 'whisper-large-v3', 'qwen3-asr-0.6b'])(
  '%s keeps the contract of recognisers',
  (name) => {
    it.each(RECOGNIZER_RULE_NAMES)('%s', async (rule) => {
      const [model] = engine.models(around()).filter((each) => each.name === name);
      if (model === undefined) throw new AssertionError({ message: 'the engine does not know its own model' });
      expect(model.availability).toEqual({ available: true });
      const subject = {
        engine,
        model,
        open: () => engine.open(around(), name),
        speech: soundOf([null, 0, 1, 2, 0, 1, null, 2, 0, 1, null]),
        otherSpeech: soundOf([null, 0, 2, 1, 2, null]),
        mustRecognize: true,
      };
      await expect(checkRecognizer(rule, subject)).resolves.toBeUndefined();
    });
  },
);
