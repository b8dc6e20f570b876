import { AssertionError } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PcmChunk } from '@jyutsing/contracts/audio';
import type { EngineEnv } from '@jyutsing/contracts/engine';
import type { RecognitionEvent } from '@jyutsing/contracts/recognizer';
import type { Language, Segment } from '@jyutsing/contracts/transcript';
import {
  checkRecognizer,
  RECOGNIZER_RULE_NAMES,
  type RecognizerSubject,
} from '../../../test/contract/recognizer-rules.ts';
import { installTestModel, punctuationFiles } from '#test/sherpa-onnx/recognizer-models.ts';
import { installEveryRecognizer } from '#test/sherpa-onnx/install-recognizers.ts';
import { hum } from '#test/sherpa-onnx/hum.ts';
import { SHERPA_MODELS } from './models.ts';
import { engine } from './recognizer.ts';

let modelsDir = '';
const envWith = (settings: Record<string, string> = {}): EngineEnv => ({
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

async function transcribe(
  model: string,
  syllables: (number | null)[],
  { language = 'cantonese', context = null }: { language?: Language; context?: string | null } = {},
  env = envWith(),
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

describe('sherpa-onnx recognizes speech with every model type of the catalogue', () => {
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
    // Without a penalty on blanks, the model leaves out what it is not sure of.
    ['zipformer-cantonese', 'cantonese', [0, 1, 5], '香港呀。'],
    ['x-asr-zh-en', 'mandarin', [0, 1, 2], '香港人。'],
    ['fire-red-asr2', 'cantonese', [0], '香港人。'],
    ['qwen3-asr-0.6b', 'cantonese', [0], '香港人。'],
  ])('%s in %s', async (model, language, whistles, expected) => {
    // Generative models need audio that is long enough for the text.
    const syllables = whistles.length === 1 ? [...whistles, ...whistles, ...whistles] : whistles;
    expect(textOf(await transcribe(model, syllables, { language }))).toBe(expected);
  });

  it('all models are available', () => {
    const available = engine.models(envWith()).filter(({ availability }) => availability.available);
    expect(available.map(({ name }) => name).toSorted()).toEqual(SHERPA_MODELS.map(({ name }) => name).toSorted());
  });
});

describe('the transcript', () => {
  it('has times in the recording for characters and whole words', async () => {
    const [segment] = await transcribe('wsyue-u2pp', [0, 1, 3, 4]);
    expect(segment?.words.map(({ text }) => text)).toEqual(['香', '港', 'hello']);
    // The sound has a second of silence, then syllables of 270 ms with the whistle in the middle.
    const startsMs = segment?.words.map(({ startMs }) => startMs) ?? [];
    for (const [index, startMs] of startsMs.entries()) {
      expect(Math.abs(startMs - (1_000 + 270 * index + 54))).toBeLessThanOrEqual(90);
    }
  });

  it('is converted to Hong Kong Traditional for Cantonese only', async () => {
    expect(textOf(await transcribe('wsyue-u2pp', [5, 0, 1]))).toContain('係');
    expect(textOf(await transcribe('qwen3-asr-0.6b', [0, 0, 0], { context: '仔' }))).toBe('灣街！');
    expect(textOf(await transcribe('qwen3-asr-0.6b', [0, 0, 0], { context: '仔', language: 'mandarin' }))).toBe(
      '湾街！',
    );
  });

  it('prefers hotwords of the context among homophones', async () => {
    expect(textOf(await transcribe('zipformer-cantonese', [3, 4]))).toBe('灣仔。');
    expect(textOf(await transcribe('zipformer-cantonese', [3, 4], { context: '今晚喺環仔食飯' }))).toBe('灣仔。');
    expect(textOf(await transcribe('zipformer-cantonese', [3, 4], { context: '環仔' }))).toBe('環仔。');
  });

  it('has no segment for a stretch of noise in which Qwen3-ASR hears no words', async () => {
    const speech = [0, 0, 0];
    expect(textOf(await transcribe('qwen3-asr-0.6b', [...speech, null, 1, 1, 1, null, ...speech]))).toBe(
      '香港人。|香港人。',
    );
  });

  it('has no segment for a hallucinated phrase', async () => {
    expect(await transcribe('whisper-large-v3', [1, 1, 1, 1])).toEqual([]);
  });

  it('has characters that Whisper splits into two tokens', async () => {
    expect(textOf(await transcribe('whisper-turbo', [0, 0, 0]))).toContain('港');
  });

  it('has punctuation of the installed punctuation model, which is part of the version', async () => {
    const without = engine.models(envWith());
    await installTestModel(modelsDir, 'ct-transformer-punctuation', punctuationFiles());
    const withIt = engine.models(envWith());
    const text = textOf(await transcribe('wsyue-u2pp', [0, 1, 2]));
    await rm(join(modelsDir, 'ct-transformer-punctuation'), { recursive: true });
    expect(text).toBe('香港，人。');
    expect(withIt.map(({ version }) => version)).not.toEqual(without.map(({ version }) => version));
  });
});

describe('unavailable models and invalid settings', () => {
  it('the reason of a missing model contains the pull command', () => {
    const [model] = engine.models({ ...envWith(), modelsDir: '/nowhere' });
    expect(model?.availability).toEqual({
      available: false,
      reason: 'not pulled: npm run models -- pull wsyue-u2pp',
    });
  });

  it.each(['wsyue-u2pp', 'unknown', '../..'])('opening %s is refused', async (name) => {
    await expect(engine.open({ ...envWith(), modelsDir: '/nowhere' }, name)).rejects.toMatchObject({
      code: 'engine_unavailable',
    });
  });

  it('an unknown language is refused, because the library would abort the process', async () => {
    await expect(transcribe('whisper-tiny', [0], { language: 'cantonese' })).rejects.toMatchObject({
      code: 'engine_unavailable',
    });
  });

  it.each(['0', 'many', '1.5', '-1', '1000'])('STT_THREADS=%s is refused', async (threads) => {
    await expect(engine.open(envWith({ STT_THREADS: threads }), 'wsyue-u2pp')).rejects.toThrow('STT_THREADS');
  });

  it('two threads give the same text', async () => {
    expect(textOf(await transcribe('wsyue-u2pp', [0, 1, 2], {}, envWith({ STT_THREADS: '2' })))).toBe('香港人。');
  });
});

// The list has one model of each type: all sizes of Whisper share their code, and so do both
// SenseVoices.
describe.each(['wsyue-u2pp', 'sense-voice-2024', 'zipformer-cantonese', 'whisper-large-v3', 'qwen3-asr-0.6b'])(
  '%s keeps the contract of a recognizer',
  (name) => {
    let subject: RecognizerSubject;
    beforeAll(() => {
      const [model] = engine.models(envWith()).filter((candidate) => candidate.name === name);
      if (model?.availability.available !== true) throw new AssertionError({ message: 'the model is not available' });
      subject = {
        engine,
        model,
        open: () => engine.open(envWith(), name),
        speech: soundOf([null, 0, 1, 2, 0, 1, null, 2, 0, 1, null]),
        otherSpeech: soundOf([null, 0, 2, 1, 2, null]),
        mustRecognize: true,
      };
    });

    it.each(RECOGNIZER_RULE_NAMES)('%s', async (rule) => {
      await expect(checkRecognizer(rule, subject)).resolves.toBeUndefined();
    });
  },
);
