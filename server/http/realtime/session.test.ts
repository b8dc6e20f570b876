import { describe, expect, it } from 'vitest';
import { AppError } from '@jyutsing/contracts/errors';
import { DEFAULT_SESSION, settingsOf, updateSession, viewBetaSession, withFixedSession } from './session.ts';

const update = (changes: unknown, from = DEFAULT_SESSION) => updateSession(from, changes);
const input = (changes: object, from = DEFAULT_SESSION) => update({ audio: { input: changes } }, from).audio.input;
const settings = (changes: object) => settingsOf(update({ audio: { input: changes } }), (name) => name);
const inTelephony = update({ audio: { input: { format: { type: 'audio/pcmu' } } } });

/** The message of the refusal of some changes. */
function refusal(changes: unknown): string {
  try {
    update(changes);
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'invalid_parameter') return thrown.message;
    throw thrown;
  }
  throw new Error('the changes were accepted');
}

describe('an update of a session', () => {
  it('without changes leaves it as it was', () => {
    expect(update({}, inTelephony)).toEqual(inTelephony);
  });

  it('keeps the fields that it does not name', () => {
    const first = update({ audio: { input: { transcription: { language: 'yue', prompt: '天氣' } } } }, inTelephony);
    const second = update({ audio: { input: { transcription: { prompt: '交通' } } } }, first);
    expect(second.audio.input.transcription).toEqual({ language: 'yue', prompt: '交通' });
    expect(second.audio.input.format).toEqual({ type: 'audio/pcmu' });
  });

  it('does not change the session that it begins with', () => {
    const before = structuredClone(inTelephony);
    update({ include: ['x'], audio: { input: { format: null, transcription: { language: 'en' } } } }, inTelephony);
    expect(inTelephony).toEqual(before);
  });

  it.each([
    ['format', { type: 'audio/pcm', rate: 24_000 }],
    ['transcription', {}],
    ['turn_detection', null],
  ])('null clears %s', (name, cleared) => {
    const full = update({
      audio: {
        input: {
          format: { type: 'audio/pcma' },
          transcription: { language: 'yue' },
          turn_detection: { type: 'semantic_vad', eagerness: 'low' },
        },
      },
    });
    expect(input({ [name]: null }, full)).toEqual({ ...full.audio.input, [name]: cleared });
  });

  it('changes one number of the turn detection', () => {
    const first = input({ turn_detection: { type: 'server_vad', threshold: 0.9, silence_duration_ms: 200 } });
    const from = { ...DEFAULT_SESSION, audio: { input: first } };
    expect(input({ turn_detection: { silence_duration_ms: 800 } }, from).turn_detection).toEqual({
      type: 'server_vad',
      threshold: 0.9,
      prefix_padding_ms: 300,
      silence_duration_ms: 800,
    });
  });

  it('of another type replaces the object, because its fields are others', () => {
    const semantic = input({ turn_detection: { type: 'semantic_vad' } });
    expect(semantic.turn_detection).toEqual({ type: 'semantic_vad', eagerness: 'auto' });
    const from = { ...DEFAULT_SESSION, audio: { input: semantic } };
    expect(input({ turn_detection: { type: 'server_vad' } }, from).turn_detection).toEqual({
      type: 'server_vad',
      threshold: 0.5,
      prefix_padding_ms: 300,
      silence_duration_ms: 500,
    });
    expect(input({ format: { type: 'audio/pcm' } }, inTelephony).format).toEqual({ type: 'audio/pcm', rate: 24_000 });
  });

  it('for a conversation keeps the fields that it does not name, too', () => {
    const changed = update({ type: 'realtime', audio: { input: { turn_detection: null } } }, inTelephony);
    expect(changed.type).toBe('transcription');
    expect(changed.audio.input).toEqual({ ...inTelephony.audio.input, turn_detection: null });
  });

  it('replaces lists', () => {
    const first = update({ include: ['a', 'b'], audio: { input: { transcription: { keywords: ['茶', '飯'] } } } });
    const second = update({ include: ['c'], audio: { input: { transcription: { keywords: [] } } } }, first);
    expect(second.include).toEqual(['c']);
    expect(second.audio.input.transcription.keywords).toEqual([]);
  });

  it('ignores unknown fields', () => {
    const changes = { voice: 'alloy', audio: { output: { speed: 2 }, input: { gain: 1 } }, tools: [{ name: 'x' }] };
    expect(update(changes)).toEqual(DEFAULT_SESSION);
  });

  it('ignores fields that are named like those of every object', () => {
    const hostile = JSON.parse('{"__proto__": {"include": ["x"]}, "constructor": {"prototype": {"include": ["y"]}}}');
    const changed = update(hostile);
    expect(changed.include).toBeUndefined();
    expect(changed).toEqual(DEFAULT_SESSION);
    expect({}).not.toHaveProperty('include');
  });

  it.each(['__proto__', 'audio', 'x'])('nested 20,000 levels deep in "%s" is an answer to a client', (name) => {
    const deep = JSON.parse(`${`{"${name}":`.repeat(20_000)}{}${'}'.repeat(20_000)}`);
    expect(update(deep)).toEqual(DEFAULT_SESSION);
  });

  it.each([
    ['format', { type: 'audio/pcm', rate: 44_100 }, 'session.audio.input.format.rate" must be 24000 or 16000.'],
    ['format', { type: 'audio/opus' }, 'session.audio.input.format.type"'],
    ['turn_detection', { type: 'server_vad', threshold: 1.01 }, 'session.audio.input.turn_detection.threshold"'],
    ['turn_detection', { type: 'server_vad', silence_duration_ms: -1 }, 'turn_detection.silence_duration_ms"'],
    ['turn_detection', { type: 'semantic_vad', eagerness: 'most' }, 'turn_detection.eagerness"'],
    ['turn_detection', { type: 'none' }, 'session.audio.input.turn_detection.type"'],
    ['transcription', { language: 7 }, 'session.audio.input.transcription.language"'],
    ['transcription', { languages: 'yue' }, 'session.audio.input.transcription.languages"'],
    ['transcription', { prompt: 'x'.repeat(10_001) }, 'session.audio.input.transcription.prompt"'],
    ['transcription', 'yue', 'session.audio.input.transcription"'],
  ])('names the bad field in %s: %j', (name, value, message) => {
    const sentence = refusal({ audio: { input: { [name]: value } } });
    expect(sentence).toContain(message);
    expect(sentence).toMatch(/^The field ".+"[: ].*[^.]\.$/);
  });

  it('leaves out languages that are not known, and says so', () => {
    const transcription = { language: 'klingon', languages: ['en', 'tlh'] };
    expect(update({ audio: { input: { transcription } } }).audio.input.transcription).toEqual({
      language: null,
      languages: ['en'],
    });
  });

  it.each([null, undefined, 'x', 7, [], [{}]])('that is no object is refused: %j', (changes) => {
    expect(refusal(changes)).toBe('The field "session" must be an object.');
  });
});

describe('the flat fields of the beta', () => {
  it.each([
    ['pcm16', { type: 'audio/pcm', rate: 24_000 }],
    ['g711_ulaw', { type: 'audio/pcmu' }],
    ['g711_alaw', { type: 'audio/pcma' }],
  ])('name the format %s, and come back', (name, format) => {
    const session = update({ input_audio_format: name });
    expect(session.audio.input.format).toEqual(format);
    expect(viewBetaSession(session).input_audio_format).toBe(name);
  });

  it('are moved to their current places', () => {
    const session = update(
      {
        input_audio_transcription: { model: 'whisper-1', language: 'en' },
        input_audio_noise_reduction: { type: 'near_field' },
        turn_detection: null,
      },
      inTelephony,
    );
    expect(session.audio.input).toEqual({
      format: { type: 'audio/pcmu' },
      transcription: { model: 'whisper-1', language: 'en' },
      noise_reduction: { type: 'near_field' },
      turn_detection: null,
    });
    expect(viewBetaSession(session)).toEqual({
      object: 'realtime.transcription_session',
      include: null,
      input_audio_format: 'g711_ulaw',
      input_audio_transcription: { model: 'whisper-1', language: 'en' },
      input_audio_noise_reduction: { type: 'near_field' },
      turn_detection: null,
    });
  });

  it('are ignored when the current field is sent too', () => {
    const changes = { input_audio_format: 'g711_ulaw', audio: { input: { format: { type: 'audio/pcma' } } } };
    expect(update(changes).audio.input.format).toEqual({ type: 'audio/pcma' });
  });

  it.each(['opus', '__proto__', 'constructor', '', null, 7, ['pcm16'], { toString: 1, valueOf: 1 }])(
    'with the format %j are refused',
    (name) => {
      expect(refusal({ input_audio_format: name })).toContain('"session.audio.input.format');
    },
  );
});

describe('what a session means', () => {
  it.each([
    [
      { type: 'audio/pcm', rate: 16_000 },
      { encoding: 'linear16', sampleRateHz: 16_000, channels: 1 },
    ],
    [{ type: 'audio/pcm' }, { encoding: 'linear16', sampleRateHz: 24_000, channels: 1 }],
    [{ type: 'audio/pcmu' }, { encoding: 'mulaw', sampleRateHz: 8_000, channels: 1 }],
    [{ type: 'audio/pcma' }, { encoding: 'alaw', sampleRateHz: 8_000, channels: 1 }],
  ])('the format %j', (format, expected) => {
    expect(settings({ format }).format).toEqual(expected);
  });

  it.each([
    [{}, 'auto', null],
    [{ language: '' }, 'auto', null],
    [{ language: 'yue' }, 'cantonese', null],
    [{ language: 'zh', languages: ['en'] }, 'chinese', null],
    [{ languages: ['en-US'] }, 'english', null],
    [{ languages: ['en', 'yue', 'en'] }, 'auto', ['english', 'cantonese']],
    [{ languages: ['en', 'zh'] }, 'auto', ['english', 'cantonese', 'mandarin']],
    [{ language: ' ', languages: ['', 'cmn'] }, 'mandarin', null],
    [{ languages: [] }, 'auto', null],
  ])('the languages %j', (transcription, language, languages) => {
    expect(settings({ transcription })).toMatchObject({ language, languages });
  });

  it.each([
    [{}, null],
    [{ prompt: ' ', keywords: [] }, null],
    [{ prompt: '講天氣' }, '講天氣'],
    [{ keywords: ['颱風', '黑雨'] }, '颱風、黑雨'],
    [{ prompt: '講天氣', keywords: ['颱風'] }, '講天氣\n颱風'],
  ])('the context %j', (transcription, context) => {
    expect(settings({ transcription }).context).toBe(context);
  });

  it('asks for a model only by a name', () => {
    const names: string[] = [];
    const modelNamed = (name: string) => {
      names.push(name);
      return name === 'known' ? 'known' : null;
    };
    const modelOf = (transcription: object) =>
      settingsOf(update({ audio: { input: { transcription } } }), modelNamed).model;
    expect([modelOf({}), modelOf({ model: null }), modelOf({ model: 'known' }), modelOf({ model: 'other' })]).toEqual([
      null,
      null,
      'known',
      null,
    ]);
    expect(names).toEqual(['known', 'other']);
  });

  it.each([
    [null, null],
    [
      { type: 'server_vad', threshold: 0, silence_duration_ms: 0 },
      { threshold: 0, prefixPaddingMs: 300, silenceMs: 0 },
    ],
    [{ type: 'semantic_vad' }, { threshold: 0.5, prefixPaddingMs: 300, silenceMs: 500 }],
    [
      { type: 'semantic_vad', eagerness: 'high' },
      { threshold: 0.5, prefixPaddingMs: 300, silenceMs: 300 },
    ],
    [
      { type: 'semantic_vad', eagerness: 'low' },
      { threshold: 0.5, prefixPaddingMs: 300, silenceMs: 900 },
    ],
  ])('the turn detection %j', (detection, expected) => {
    expect(settings({ turn_detection: detection }).turnDetection).toEqual(expected);
  });
});

describe('a client secret for another protocol', () => {
  const wantedSettings = { ...settings({ transcription: { language: 'en', prompt: 'Peter', model: 'fast' } }) };
  const fixed = (session: Record<string, unknown>) => withFixedSession(wantedSettings, session, (name) => name);

  it('changes nothing without settings, or when there is none', () => {
    expect(fixed({})).toEqual(wantedSettings);
    expect(fixed({ audio: { input: { format: { type: 'audio/pcmu' }, transcription: { language: null } } } })).toEqual(
      wantedSettings,
    );
    expect(withFixedSession(wantedSettings, undefined, (name) => name)).toBe(wantedSettings);
  });

  it.each([
    ['a language', { transcription: { language: 'yue' } }, { language: 'cantonese', languages: null }],
    [
      'languages',
      { transcription: { languages: ['yue', 'cmn'] } },
      { language: 'auto', languages: ['cantonese', 'mandarin'] },
    ],
    ['a prompt', { transcription: { prompt: '茶樓' } }, { context: '茶樓' }],
    ['keywords', { transcription: { keywords: ['蝦餃', '燒賣'] } }, { context: '蝦餃、燒賣' }],
    ['a model', { transcription: { model: 'best' } }, { model: 'best' }],
    ['manual commits', { turn_detection: null }, { turnDetection: null }],
  ])('keeps %s, and leaves the rest', (_name, ofInput, kept) => {
    expect(fixed({ audio: { input: ofInput } })).toEqual({ ...wantedSettings, ...kept });
  });

  it('may have the fields of the beta', () => {
    expect(fixed({ input_audio_transcription: { language: 'yue' } })).toMatchObject({ language: 'cantonese' });
  });
});
