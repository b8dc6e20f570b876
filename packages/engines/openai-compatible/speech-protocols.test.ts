import { describe, expect, it } from 'vitest';
import type { SynthesisRequest } from '@jyutsing/contracts/synthesizer';
import { knownRefusals, refusalIn, rememberRefusals, speechBody, type Refusal } from './speech-protocols.ts';
import type { SpeechSettings } from './speech-settings.ts';

const SETTINGS: SpeechSettings = {
  baseUrl: 'http://speech.example/v1',
  apiKey: null,
  model: 'a-model',
  voice: null,
  sampleRateHz: 24_000,
  timeoutMs: 1_000,
  languages: { cantonese: 70 },
  sendsReference: true,
  cantoneseInstructions: null,
  version: 'test 1',
};
const REFERENCE = { wav: Uint8Array.from([82, 73, 70, 70]), transcript: '你好' };

function bodyOf(
  changes: { settings?: Partial<SpeechSettings>; request?: Partial<SynthesisRequest>; reference?: object | null },
  ...refused: Refusal[]
): Record<string, unknown> {
  const request = {
    pieces: [],
    language: 'cantonese',
    voice: { id: 'v', profile: {}, reference: changes.reference ?? null },
    temperature: 0.9,
    topP: 0.95,
    speed: 1,
    pitchSemitones: 0,
    seed: 7,
    ...changes.request,
  } as unknown as SynthesisRequest;
  return speechBody({ ...SETTINGS, ...changes.settings }, '你好', request, new Set(refused));
}

describe('the request for a text', () => {
  it('has every field that a server may know', () => {
    expect(bodyOf({})).toEqual({
      model: 'a-model',
      input: '你好',
      response_format: 'pcm',
      language: 'Cantonese',
      stream_format: 'audio',
      sample_rate: 24_000,
      temperature: 0.9,
      top_p: 0.95,
      seed: 7,
    });
  });

  it('has nothing that was refused', () => {
    const refused = ['streaming', 'sample-rate', 'sampling', 'language', 'samples'] as const;
    expect(bodyOf({ settings: { model: null } }, ...refused)).toEqual({ input: '你好', response_format: 'wav' });
  });

  it.each([
    ['cantonese', 'Cantonese'],
    ['mandarin', 'Chinese'],
    ['english', 'English'],
  ] as const)('names the language %s as the servers do: %s', (language, name) => {
    expect(bodyOf({ request: { language } })).toHaveProperty('language', name);
  });

  it('says how to speak Cantonese, where that is set', () => {
    const settings = { cantoneseInstructions: 'Speak Cantonese.' };
    expect(bodyOf({ settings })).toHaveProperty('instructions', 'Speak Cantonese.');
    expect(bodyOf({ settings, request: { language: 'mandarin' } })).not.toHaveProperty('instructions');
  });

  it.each([
    [1, [], undefined, 'audio'],
    [1.5, [], 1.5, 'audio'],
    [1.5, ['speed'], undefined, 'audio'],
    [1.5, ['streaming-at-speed'], 1.5, undefined],
    // The server streams at the usual speed.
    [1, ['streaming-at-speed'], undefined, 'audio'],
    [1.5, ['speed', 'streaming-at-speed'], undefined, 'audio'],
  ] as [number, Refusal[], number | undefined, string | undefined][])(
    'at the speed %d to a server that refuses %j',
    (speed, refused, expectedSpeed, streamed) => {
      const body = bodyOf({ request: { speed } }, ...refused);
      expect([body['speed'], body['stream_format']]).toEqual([expectedSpeed, streamed]);
    },
  );

  it.each([
    [7, 7],
    [-7, 7],
    [2 ** 31, 0],
    [2 ** 31 + 5, 5],
    [3.9, 3],
  ])('has a seed that servers accept: %d is %d', (seed, expectedSeed) => {
    expect(bodyOf({ request: { seed } })).toHaveProperty('seed', expectedSeed);
  });
});

describe('the voice of a request', () => {
  it('is a sample with its text', () => {
    expect(bodyOf({ reference: REFERENCE, settings: { voice: 'nova' } })).toMatchObject({
      ref_audio: 'data:audio/wav;base64,UklGRg==',
      ref_text: '你好',
    });
    expect(bodyOf({ reference: REFERENCE, settings: { voice: 'nova' } })).not.toHaveProperty('voice');
  });

  it('of a sample that is a part of a larger buffer has only that part', () => {
    const wav = Uint8Array.from([1, 82, 73, 70, 70, 2]).subarray(1, 5);
    expect(bodyOf({ reference: { wav, transcript: null } })).toHaveProperty(
      'ref_audio',
      'data:audio/wav;base64,UklGRg==',
    );
  });

  it('of a sample without text is its timbre alone, for servers that need a text otherwise', () => {
    const reference = { ...REFERENCE, transcript: null };
    expect(bodyOf({ reference })).not.toHaveProperty('x_vector_only_mode');
    expect(bodyOf({ reference }, 'reference-without-text')).toHaveProperty('x_vector_only_mode', true);
    expect(bodyOf({ reference: REFERENCE }, 'reference-without-text')).not.toHaveProperty('x_vector_only_mode');
  });

  it.each<[string, Partial<SpeechSettings>, object | null, Refusal[], string | undefined]>([
    ['none, so that the server decides', {}, null, [], undefined],
    ['the set one', { voice: 'nova' }, null, [], 'nova'],
    ['the default one where a server needs one', {}, null, ['no-voice'], 'alloy'],
    ['the set one where a server needs one', { voice: 'nova' }, null, ['no-voice'], 'nova'],
    // A voice name could override the sample.
    ['none beside a sample', { voice: 'nova' }, REFERENCE, [], undefined],
    ['the set one where samples are refused', { voice: 'nova' }, REFERENCE, ['reference'], 'nova'],
    ['the set one where samples are not sent', { voice: 'nova', sendsReference: false }, REFERENCE, [], 'nova'],
  ])('by name is %s', (_name, settings, reference, refused, voice) => {
    expect(bodyOf({ settings, reference }, ...refused)['voice']).toBe(voice);
  });
});

const SENT = {
  input: 'x',
  language: 'Cantonese',
  temperature: 1,
  sample_rate: 24_000,
  speed: 2,
  stream_format: 'audio',
  response_format: 'pcm',
  voice: 'nova',
};
const without = (...fields: string[]) =>
  Object.fromEntries(Object.entries(SENT).filter(([name]) => !fields.includes(name)));

describe('the feature that an answer refuses', () => {
  it.each<[string, Record<string, unknown>, ReturnType<typeof refusalIn>]>([
    ['{"detail":[{"loc":["body","language"],"msg":"Extra inputs are not permitted"}]}', SENT, 'language'],
    ['Unsupported language: Cantonese', SENT, 'language'],
    ['unknown field "top_p"', SENT, 'sampling'],
    ['seed must be below 100', SENT, 'sampling'],
    ['sample_rate is not supported', SENT, 'sample-rate'],
    ['samplerate must be 16000', SENT, 'sample-rate'],
    ['speed is not supported', without('stream_format'), 'speed'],
    ['speed cannot be used with streaming', SENT, 'streaming-at-speed'],
    ['Streaming is not supported', without('speed'), 'streaming'],
    ['response_format must be one of mp3, wav', without('stream_format', 'speed'), 'samples'],
    ['PCM output is unavailable', without('stream_format', 'speed'), 'samples'],
    ['voice is required', without('voice'), 'no-voice'],
    ['No speaker given', without('voice'), 'no-voice'],
    // The message is about an unknown voice, so no feature is refused.
    ['unknown voice nova', without('language', 'temperature', 'sample_rate', 'stream_format'), null],
    ['Extra fields not allowed', SENT, 'language'],
    ['Extra fields not allowed', without('language'), 'sampling'],
    ['Extra fields not allowed', without('language', 'temperature'), 'sample-rate'],
    ['Extra fields not allowed', without('language', 'temperature', 'sample_rate'), 'streaming'],
    ['the text is empty', SENT, null],
    ['', SENT, null],
    ['unknown voice nova', SENT, 'language'],
  ])('%s', (answer, body, expected) => {
    expect(refusalIn(answer, body)).toBe(expected);
  });

  it.each<[string, object, ReturnType<typeof refusalIn>]>([
    ['ref_audio: extra inputs are not permitted', {}, 'reference'],
    ['This model does not support voice cloning', {}, 'reference'],
    ['ref_audio is too short', {}, 'sample'],
    ['the reference must have one speaker', { ref_text: 'x' }, 'sample'],
    ['ref_text is required', {}, 'reference-without-text'],
    ['x_vector_only_mode is unknown', { x_vector_only_mode: true }, 'reference'],
    ['Extra fields not allowed', {}, 'language'],
  ])('of a sample: %s', (answer, overrides, expected) => {
    expect(refusalIn(answer, { ...SENT, ref_audio: 'data:', ...overrides })).toBe(expected);
  });

  it('is not looked for in the request that a server repeats', () => {
    const answer = JSON.stringify({
      detail: [{ msg: 'String too long', input: { language: 'Cantonese', speed: 2, note: 'not supported' } }],
    });
    expect(refusalIn(answer, SENT)).toBeNull();
  });
});

it('refusals are remembered for each server, and are never fewer', () => {
  const [first, second] = [
    { ...SETTINGS, version: 'server one' },
    { ...SETTINGS, version: 'server two' },
  ];
  rememberRefusals(first, ['language']);
  rememberRefusals(first, ['speed']);
  rememberRefusals(first, []);
  expect([...knownRefusals(first)]).toEqual(['language', 'speed']);
  expect(knownRefusals(second).size).toBe(0);
});
