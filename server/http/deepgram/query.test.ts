import { describe, expect, it } from 'vitest';
import { AppError } from '@jyutsing/contracts/errors';
import { parseListenQuery, settingsOf } from './query.ts';

const parse = (fields: object = {}) => parseListenQuery({ encoding: 'linear16', ...fields });
const settings = (fields: object = {}) => settingsOf(parse(fields), (name) => (name === 'known' ? name : null));

function refusal(query: unknown): string {
  try {
    parseListenQuery(query);
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'invalid_parameter') return thrown.message;
    throw thrown;
  }
  throw new Error('the query was accepted');
}

describe('the query of a listening client', () => {
  it('needs only the encoding', () => {
    expect(parse()).toEqual({
      language: 'auto',
      encoding: 'linear16',
      sample_rate: 16_000,
      channels: 1,
      interim_results: false,
      endpointing: 500,
      vad_events: false,
      diarize: false,
      multichannel: false,
      numerals: false,
      smart_format: false,
    });
  });

  it.each([{}, { encoding: '' }, { encoding: 'ogg-opus' }])('%j is a stream in a container', (query) => {
    expect(settingsOf(parseListenQuery(query), () => null).format).toEqual({ encoding: 'container' });
  });

  it('packets of Opus have one or two channels', () => {
    expect(settings({ encoding: 'opus', channels: '6' }).format).toEqual({ encoding: 'opus', channels: 2 });
  });

  it('with another encoding names those that are read', () => {
    expect(refusal({ encoding: 'speex' })).toMatch(/"encoding".*linear16, mulaw, alaw, opus/);
  });

  it('refuses to separate the channels of compressed sound', () => {
    const two = { multichannel: 'true', channels: '2' };
    expect(refusal(two)).toMatch(/"multichannel".*live.*samples/);
    expect(refusal({ ...two, encoding: 'opus' })).toMatch(/"multichannel".*live.*samples/);
    expect(parse({ ...two, encoding: 'mulaw' }).multichannel).toBe(true);
  });

  it('ignores other fields', () => {
    expect(parse({ filler_words: 'true', punctuate: 'nonsense', redact: ['pci', 'ssn'] })).toEqual(parse());
  });

  it.each([
    ['encoding', 'amr-nb'],
    ['encoding', 'LINEAR16'],
    ['sample_rate', '7999'],
    ['sample_rate', '96001'],
    ['sample_rate', '16000.5'],
    ['sample_rate', ''],
    ['sample_rate', 'fast'],
    ['channels', '0'],
    ['channels', '9'],
    ['interim_results', 'perhaps'],
    ['vad_events', '2'],
    ['endpointing', '9'],
    ['endpointing', '10001'],
    ['endpointing', 'soon'],
    ['utterance_end_ms', '999'],
    ['utterance_end_ms', '5001'],
    ['model', 'x'.repeat(201)],
    ['language', 'klingon'],
    ['language', ''],
  ])('is refused with %s=%s, by name', (name, value) => {
    expect(refusal({ encoding: 'linear16', [name]: value })).toContain(`"${name}"`);
  });

  it.each([
    ['sample_rate', '8000', 8_000],
    ['sample_rate', '96000', 96_000],
    ['channels', '8', 8],
    ['interim_results', 'TRUE', true],
    ['vad_events', 'false', false],
    ['endpointing', '10', 10],
    ['utterance_end_ms', '1000', 1_000],
  ])('has %s=%s', (name, value, expected) => {
    expect(parse({ [name]: value })).toHaveProperty(name, expected);
  });
});

describe('what the query means', () => {
  it('a format', () => {
    expect(settings({ encoding: 'mulaw', sample_rate: '8000', channels: '2' }).format).toEqual({
      encoding: 'mulaw',
      sampleRateHz: 8_000,
      channels: 2,
    });
  });

  it.each([
    [{}, 'auto'],
    [{ language: 'multi' }, 'auto'],
    [{ language: 'zh-HK' }, 'cantonese'],
    [{ language: 'zh_TW' }, 'mandarin'],
    [{ language: 'EN-gb' }, 'english'],
    [{ language: 'zh' }, 'chinese'],
  ])('the language of %j', (fields, language) => {
    expect(settings(fields)).toMatchObject({ language, languages: null });
  });

  it.each([
    [{}, null],
    [{ keyterm: '' }, null],
    [{ keyterm: '旺角' }, '旺角'],
    [{ keyterm: ['旺角', '尖沙咀'] }, '旺角、尖沙咀'],
  ])('the context of %j', (fields, context) => {
    expect(settings(fields).context).toBe(context);
  });

  it.each([
    [{}, null],
    [{ model: 'known' }, 'known'],
    [{ model: 'nova-3' }, null],
  ])('the model of %j', (fields, model) => {
    expect(settings(fields).model).toBe(model);
  });

  it.each([
    [{}, 500],
    [{ endpointing: '300' }, 300],
    [{ endpointing: 'true' }, 500],
    [{ endpointing: 'false' }, 500],
  ])('the silence of %j', (fields, silenceMs) => {
    expect(settings(fields).turnDetection).toEqual({ threshold: 0.5, prefixPaddingMs: 300, silenceMs });
  });
});
