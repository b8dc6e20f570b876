import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  transcribed,
  transcribeWith,
  ONE_UTTERANCE,
  SERVER_KEY,
  SIX_UTTERANCES,
  envFor,
  TWO_UTTERANCES,
} from '#test/openai/transcribe-with-server.ts';
import {
  startTranscriptionServer,
  type TranscriptionServer,
  type Reaction,
} from '#test/openai/transcription-server.ts';
import { engine } from './recognizer.ts';

let server: TranscriptionServer;
beforeAll(async () => {
  server = await startTranscriptionServer(SERVER_KEY);
});
afterAll(() => server.close());
beforeEach(() => {
  server.flavour('speaches');
  server.uploads.length = 0;
});

type Hearing = Parameters<typeof transcribeWith>[2];
const hear = (samples: Float32Array, hearing?: Hearing) => transcribeWith(server, samples, hearing);
const always = (reaction: Reaction) => server.behave(() => reaction);
const failure = (samples: Float32Array, hearing?: Hearing) =>
  hear(samples, hearing).then(
    () => null,
    (thrown: unknown) => thrown,
  );
const modelOf = (settings: Record<string, string>) =>
  engine.models({ builtinModelsDir: '', modelsDir: '', settings })[0];
const version = (more: Record<string, string>) => modelOf({ STT_BASE_URL: 'http://a.example', ...more })?.version;

describe('what is sent', () => {
  it('every stretch of speech goes up as a WAV with model, language, context and the key', async () => {
    always(transcribed('你好。'));
    await hear(TWO_UTTERANCES, { settings: { STT_MODEL: 'Systran/faster-whisper-large-v3' }, context: '香港天文台' });
    expect(server.uploads).toHaveLength(2);
    const [upload] = server.uploads;
    expect(upload?.fields).toMatchObject({
      model: 'Systran/faster-whisper-large-v3',
      language: 'yue',
      prompt: '香港天文台',
      response_format: 'verbose_json',
      'timestamp_granularities[]': 'word,segment',
    });
    const wav = Buffer.from(upload?.file.bytes ?? []);
    expect(wav.toString('latin1', 0, 4) + wav.toString('latin1', 8, 12)).toBe('RIFFWAVE');
    expect([wav.readUInt16LE(22), wav.readUInt32LE(24), wav.readUInt16LE(34)]).toEqual([1, 16_000, 16]);
    expect(upload?.seconds).toBeGreaterThan(0.8);
    expect(upload?.seconds).toBeLessThan(1.5);
  });

  it.each([
    ['mandarin', 'zh'],
    ['english', 'en'],
  ] as const)('%s is %s, and no prompt is made up', async (language, code) => {
    always(transcribed('hello'));
    await hear(ONE_UTTERANCE, { language });
    expect(server.uploads[0]?.fields['language']).toBe(code);
    expect(server.uploads[0]?.fields).not.toHaveProperty('prompt');
  });

  it('an address may be written with or without /v1 and a slash behind', async () => {
    always(transcribed('你好。'));
    const bare = server.baseUrl.replace('/v1', '');
    for (const STT_BASE_URL of [bare, `${bare}/`, server.baseUrl, `${server.baseUrl}/`]) {
      expect(await hear(ONE_UTTERANCE, { settings: { STT_BASE_URL } })).toHaveLength(1);
    }
  });

  it('silence is not sent', async () => {
    expect(await hear(new Float32Array(16_000 * 5))).toEqual([]);
    expect(server.uploads).toEqual([]);
  });

  it('no more uploads are under way than STT_CONCURRENCY, and the results keep their order', async () => {
    server.behave((_upload, index) => ({
      kind: 'slow',
      ms: index === 0 ? 300 : 20,
      next: transcribed(`第${index}句。`),
    }));
    const segments = await hear(SIX_UTTERANCES, { settings: { STT_CONCURRENCY: '2' } });
    expect(segments.length).toBe(6);
    expect(server.mostBusy()).toBe(2);
    const starts = segments.map(({ startMs }) => startMs);
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
  });
});

describe('what a server refuses is asked otherwise, once', () => {
  it('a server without verbose_json gives text from then on', async () => {
    server.flavour('vllm');
    always(transcribed('我系香港人。'));
    const segments = await hear(TWO_UTTERANCES, { settings: { STT_CONCURRENCY: '1' } });
    expect(segments.map(({ text }) => text)).toEqual(['我係香港人。', '我係香港人。']);
    expect(server.uploads.map(({ fields }) => fields['response_format'])).toEqual(['verbose_json', 'json', 'json']);
  });

  it('a server without granularities still times its segments', async () => {
    server.flavour('localai');
    always(transcribed('你好。'));
    await hear(TWO_UTTERANCES, { settings: { STT_CONCURRENCY: '1' } });
    expect(server.uploads.map(({ fields }) => fields['response_format'])).toEqual(Array(3).fill('verbose_json'));
    expect(server.uploads.map(({ fields }) => 'timestamp_granularities[]' in fields)).toEqual([true, false, false]);
  });

  it('a server that does not know yue is asked for zh, with a Cantonese prompt', async () => {
    server.flavour('openai');
    always(transcribed('你好。'));
    await hear(TWO_UTTERANCES, { settings: { STT_CONCURRENCY: '1' } });
    expect(server.uploads.map(({ fields }) => fields['language'])).toEqual(['yue', 'zh', 'zh']);
    expect(server.uploads[1]?.fields['prompt']).toBe('以下係廣東話對話。');
    server.uploads.length = 0;
    await hear(ONE_UTTERANCE, { settings: { STT_CANTONESE_CODE: 'zh' } });
    expect(server.uploads.map(({ fields }) => fields['language'])).toEqual(['zh']);
  });

  it('uploads that run side by side learn it side by side', async () => {
    server.flavour('vllm');
    always(transcribed('你好。'));
    expect(await hear(SIX_UTTERANCES, { settings: { STT_CONCURRENCY: '6' } })).toHaveLength(6);
  });

  it('a 400 about something else is no lesson, and is not asked for ever', async () => {
    server.behave((_upload, index) => (index < 3 ? { kind: 'status', status: 400 } : transcribed('你好。')));
    expect(await failure(ONE_UTTERANCE)).toMatchObject({ code: 'engine_failed' });
    expect(server.uploads).toHaveLength(2);
  });
});

describe('what comes out', () => {
  it('Simplified becomes Hong Kong Traditional, and words become characters with times in the recording', async () => {
    always({
      kind: 'transcription',
      text: '我系香港人,你食左饭未呀?',
      words: [
        { word: '我系', start: 0.15, end: 0.35 },
        { word: '香港', start: 0.35, end: 0.55 },
        { word: '人', start: 0.55, end: 0.65 },
        { word: '你食左饭未呀', start: 0.65, end: 0.95 },
      ],
    });
    const [segment] = await hear(ONE_UTTERANCE);
    expect(segment?.text).toBe('我係香港人，你食咗飯未呀？');
    expect(segment?.words.map(({ text }) => text).join('')).toBe('我係香港人你食咗飯未呀');
    const wav = server.uploads[0]!;
    const offsetMs = (segment?.words[0]?.startMs ?? 0) - 150;
    expect(Math.abs(offsetMs - 850)).toBeLessThan(150);
    expect((segment?.words[2]?.startMs ?? 0) - offsetMs).toBe(350);
    expect((segment?.words[3]?.startMs ?? 0) - offsetMs).toBe(450);
    expect(segment?.endMs).toBeLessThanOrEqual(offsetMs + wav.seconds * 1_000 + 1);
  });

  it('Mandarin is Simplified, English as it came', async () => {
    always(transcribed('這是香港的電視台。'));
    expect((await hear(ONE_UTTERANCE, { language: 'mandarin' }))[0]?.text).toBe('这是香港的电视台。');
    always(transcribed(' Hello there, I am late.'));
    const [segment] = await hear(ONE_UTTERANCE, { language: 'english' });
    expect(segment?.text).toBe('Hello there, I am late.');
    expect(segment?.words.map(({ text }) => text)).toEqual(['Hello', 'there', 'I', 'am', 'late']);
  });

  it("a server's own segments become segments, with times that never leave the sound", async () => {
    always({
      kind: 'transcription',
      text: '你好。再見。',
      segments: [
        { text: '你好。', start: -1, end: 0.4 },
        { text: '再見。', start: 0.4, end: 30 },
      ],
    });
    const segments = await hear(ONE_UTTERANCE);
    expect(segments.map(({ text }) => text)).toEqual(['你好。', '再見。']);
    expect(segments[1]?.startMs).toBeGreaterThanOrEqual(segments[0]?.endMs ?? Infinity);
    expect(segments[1]?.endMs).toBeLessThanOrEqual(ONE_UTTERANCE.length / 16);
  });

  it('text without marks is punctuated from the times of its words', async () => {
    always({ kind: 'transcription', text: '你食左饭未', words: [{ word: '你食左饭未', start: 0.1, end: 0.9 }] });
    expect((await hear(ONE_UTTERANCE))[0]?.text).toBe('你食咗飯未？');
  });

  it('without a promise of word times there are none', async () => {
    always(transcribed('你好。'));
    const settings = { STT_MODEL: 'gpt-4o-transcribe' };
    expect((await hear(ONE_UTTERANCE, { settings }))[0]?.words).toEqual([]);
    expect(engine.models(envFor(server, settings))[0]?.capabilities.timestamps).toBe('segment');
  });

  it.each([
    ['字幕由 Amara.org 社區提供', {}],
    ['Thank you for watching!', {}],
    ['請訂閱我的頻道', {}],
    ['多謝收睇', { avg_logprob: -0.9, no_speech_prob: 0.5 }],
    ['謝謝', { avg_logprob: -1.2, no_speech_prob: 0.7 }],
    ['乜嘢都唔係', { avg_logprob: -1.2, no_speech_prob: 0.8 }],
    ['係啊係啊係啊係啊係啊係啊係啊係啊係啊係啊係啊係啊', { compression_ratio: 5 }],
    ['……', {}],
    ['一二三四五六七八九十'.repeat(2_000), { compression_ratio: 1 }],
    ['thank you for watching '.repeat(1_000), {}],
  ])('made-up text is cut: %s', async (text, doubts) => {
    const segments = Object.keys(doubts).length === 0 ? [] : [{ text, start: 0, end: 1, ...doubts }];
    always({ kind: 'transcription', text, segments });
    expect(await hear(ONE_UTTERANCE)).toEqual([]);
  });

  it.each([
    ['多謝收睇。', { avg_logprob: -0.1, no_speech_prob: 0.01 }],
    ['多謝。', {}],
    ['有冇中文字幕呀？', {}],
    ['好好好。', { compression_ratio: 1.1 }],
  ])('what was said stays: %s', async (text, doubts) => {
    const segments = Object.keys(doubts).length === 0 ? [] : [{ text, start: 0, end: 1, ...doubts }];
    always({ kind: 'transcription', text, segments });
    expect((await hear(ONE_UTTERANCE))[0]?.text).toBe(text);
  });

  it('credits behind what was said are cut, the rest stays', async () => {
    always(transcribed('我聽日返工。字幕由 Amara.org 社區提供'));
    expect((await hear(ONE_UTTERANCE))[0]?.text).toBe('我聽日返工。');
  });
});

describe('settings', () => {
  it('without a server it is not available and says which variable is missing', async () => {
    expect(modelOf({})?.availability).toEqual({ available: false, reason: 'STT_BASE_URL is not set' });
    const open = engine.open({ builtinModelsDir: '', modelsDir: '', settings: {} }, 'openai-compatible');
    await expect(open).rejects.toMatchObject({ code: 'engine_unavailable' });
    await expect(engine.open(envFor(server), 'other')).rejects.toMatchObject({ code: 'engine_unavailable' });
  });

  it.each([
    ['STT_BASE_URL', 'ftp://somewhere'],
    ['STT_BASE_URL', 'not an address'],
    ['STT_BASE_URL', 'https://user:secret@somewhere'],
    ['STT_TIMEOUT_SECONDS', 'soon'],
    ['STT_CONCURRENCY', '0'],
    ['STT_LANGUAGES', 'klingon=90'],
    ['STT_LANGUAGES', 'english=0'],
    ['STT_TIMESTAMPS', 'phone'],
  ])('%s=%s is named and not repeated', (name, value) => {
    const availability = modelOf({ STT_BASE_URL: 'http://somewhere', [name]: value })?.availability;
    expect(availability).toEqual({ available: false, reason: `invalid value of ${name}` });
  });

  it('languages and how well they are recognised may be told', () => {
    const settings = { STT_BASE_URL: 'http://somewhere', STT_LANGUAGES: 'cantonese=96, english=97' };
    expect(modelOf(settings)?.capabilities.languages).toEqual({ cantonese: 96, english: 97 });
  });

  it('the version changes with server and model, and shows no address', () => {
    const versions = [
      version({}),
      version({ STT_MODEL: 'large' }),
      version({ STT_BASE_URL: 'http://b.example' }),
      version({ STT_CANTONESE_CODE: 'zh' }),
    ];
    expect(new Set(versions).size).toBe(4);
    expect(versions.join(' ')).not.toContain('example');
  });
});
