import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LanguageIdentifier } from '@jyutsing/contracts/language-identifier';
import type { LiveOptions } from '@jyutsing/contracts/live-recognition';
import type { SpeechSegment } from '@jyutsing/audio/speech/segmenter';
import { engine } from '#packages/engines/builtin/language-identifier.ts';
import { resample, speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import { recognizerRef } from '#test/transcription-models.ts';
import { createSegmentLanguage } from './segment-language.ts';

const never = new AbortController().signal;
const capabilities = { quality: 10 };
const models: LiveOptions['models'] = {
  recognizers: { cantonese: recognizerRef('builtin'), english: recognizerRef('builtin') },
  languageIdentifier: {
    ability: 'language-identifier',
    engine: 'builtin',
    model: 'builtin',
    version: '1',
    capabilities,
  },
};
let identifier: LanguageIdentifier;
let english: SpeechSegment;
let cantonese: SpeechSegment;
let identified = 0;
const open = (async () => ({
  ...identifier,
  identify: (...input: Parameters<LanguageIdentifier['identify']>) => {
    identified += 1;
    return identifier.identify(...input);
  },
})) as never;

async function spoken(text: string, voice?: string): Promise<SpeechSegment> {
  const { channels, sampleRateHz } = await speak(text, voice === undefined ? {} : { voice });
  return stretch(resample(channels[0]!, sampleRateHz, 16_000));
}

function stretch(samples: Float32Array): SpeechSegment {
  return { samples, startMs: 0, speechStartMs: 0, speechEndMs: samples.length / 16 };
}

const beginning = ({ samples }: SpeechSegment, durationMs: number) => stretch(samples.slice(0, durationMs * 16));

beforeAll(async () => {
  const builtinModelsDir = resolve(import.meta.dirname, '../../../models');
  identifier = await engine.open({ builtinModelsDir, modelsDir: '/nowhere', settings: {} }, 'builtin');
  english = await spoken('Good morning everybody, the weather is very nice today, let us go outside', 'en-us');
  cantonese = await spoken(toJyutping('今日天氣好好，我哋一齊去公園行下啦'));
});
afterAll(() => identifier.close());

describe('the language of a live segment', () => {
  it('is that of the segment before until there is enough speech', async () => {
    const language = createSegmentLanguage(models, 'english', open, never);
    expect(await language.identify(beginning(cantonese, 800), false)).toBe('english');
    expect(await language.identify(cantonese, false)).toBe('cantonese');
    expect(language.current()).toBe('cantonese');
  });

  it('is identified once, not with every update', async () => {
    const language = createSegmentLanguage(models, null, open, never);
    identified = 0;
    expect(await language.identify(beginning(english, 3_200), false)).toBe('english');
    expect(await language.identify(beginning(english, 3_400), false)).toBe('english');
    expect(await language.identify(english, true)).toBe('english');
    expect(identified).toBe(1);
  });

  it('is decided by the whole piece where it is short', async () => {
    const language = createSegmentLanguage(models, 'cantonese', open, never);
    expect(await language.identify(beginning(english, 1_000), true)).toBe('english');
  });

  it('needs no identifier where there is one language', async () => {
    const one = { recognizers: { english: recognizerRef('builtin') }, languageIdentifier: null };
    const language = createSegmentLanguage(one, 'cantonese', open, never);
    expect(await language.identify(cantonese, true)).toBe('english');
  });
});
