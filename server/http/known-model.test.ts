import { describe, expect, it } from 'vitest';
import type { LanguageAbility, ModelDescription } from '@jyutsing/contracts/model-catalog';
import { modelNamed, OPENAI_MODELS } from './known-model.ts';

const model = (ability: LanguageAbility, engine: string, name: string): ModelDescription => {
  const capabilities = { languages: { cantonese: 50 } };
  return { ability, name, engine, version: '1', capabilities, available: true, reason: null };
};
const catalog = {
  describeModels: () => [model('recognizer', 'whisper', 'small-yue'), model('synthesizer', 'melody', 'tts-9')],
};
const named = (name: string | null, ability: LanguageAbility = 'recognizer') => modelNamed(catalog, ability, name);
const ignored = (header: string) => ({ name: null, headers: { 'X-Model-Id-Ignored': header } });
const BEST = { name: null, headers: {} };

describe('the model that a request names', () => {
  it.each(['small-yue', 'whisper'])('is known by its name or its engine: %s', (name) => {
    expect(named(name)).toEqual({ name: name, headers: {} });
  });

  it.each([null, '', 'auto'])('is the best one: %j', (name) => {
    expect(named(name)).toEqual(BEST);
  });

  it('is none of another ability', () => {
    expect(named('melody')).toEqual(ignored('melody'));
    expect(named('small-yue', 'synthesizer')).toEqual(ignored('small-yue'));
    expect(named('tts-9', 'synthesizer')).toEqual({ name: 'tts-9', headers: {} });
  });

  it.each(OPENAI_MODELS.recognizer)("is the best one for OpenAI's %s", (name) => {
    expect(named(name)).toEqual(BEST);
    expect(named(name, 'synthesizer')).toEqual(ignored(name));
  });

  it.each([...OPENAI_MODELS.synthesizer, 'tts-1-1106', 'gpt-9-tts'])("is the best one for OpenAI's %s", (name) => {
    expect(named(name, 'synthesizer')).toEqual(BEST);
    expect(named(name)).toEqual(ignored(name));
  });

  it.each([
    ['whisper-12', 'whisper-12'],
    ['Whisper', 'Whisper'],
    ['粵語\r\nx: y', '%E7%B2%B5%E8%AA%9E%0D%0Ax: y'],
    ['__proto__', '__proto__'],
  ])('is ignored with a header that says so: %j', (name, header) => {
    expect(named(name)).toEqual(ignored(header));
  });
});
