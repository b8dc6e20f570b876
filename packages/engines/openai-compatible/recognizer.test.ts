import { describe, expect, it } from 'vitest';
import {
  transcribed,
  serveTranscriptions,
  ONE_UTTERANCE,
  SIX_UTTERANCES,
  envFor,
  TWO_UTTERANCES,
} from '#test/openai/transcribe-with-server.ts';
import { engine } from './recognizer.ts';

const { server, transcribe, always, failure } = await serveTranscriptions();
const modelOf = (settings: Record<string, string>) =>
  engine.models({ builtinModelsDir: '', modelsDir: '', settings })[0];
const version = (variables: Record<string, string>) =>
  modelOf({ STT_BASE_URL: 'http://a.example', ...variables })?.version;

describe('the upload', () => {
  it('every speech segment is uploaded as WAV with model, language, context and key', async () => {
    always(transcribed('你好。'));
    await transcribe(TWO_UTTERANCES, {
      settings: { STT_MODEL: 'Systran/faster-whisper-large-v3' },
      context: '香港天文台',
    });
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
  ] as const)('%s is sent as %s without a prompt', async (language, code) => {
    always(transcribed('hello'));
    await transcribe(ONE_UTTERANCE, { language });
    expect(server.uploads[0]?.fields['language']).toBe(code);
    expect(server.uploads[0]?.fields).not.toHaveProperty('prompt');
  });

  it('the base URL may end with or without /v1 and a slash', async () => {
    always(transcribed('你好。'));
    const bare = server.baseUrl.replace('/v1', '');
    for (const STT_BASE_URL of [bare, `${bare}/`, server.baseUrl, `${server.baseUrl}/`]) {
      expect(await transcribe(ONE_UTTERANCE, { settings: { STT_BASE_URL } })).toHaveLength(1);
    }
  });

  it('silence is not sent', async () => {
    expect(await transcribe(new Float32Array(16_000 * 5))).toEqual([]);
    expect(server.uploads).toEqual([]);
  });

  it('at most STT_CONCURRENCY uploads run at once, and results keep their order', async () => {
    server.behave((_upload, index) => ({
      kind: 'slow',
      ms: index === 0 ? 300 : 20,
      next: transcribed(`第${index}句。`),
    }));
    const segments = await transcribe(SIX_UTTERANCES, { settings: { STT_CONCURRENCY: '2' } });
    expect(segments.length).toBe(6);
    expect(server.mostBusy()).toBe(2);
    const starts = segments.map(({ startMs }) => startMs);
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
  });
});

describe('a refused request is retried in another form, once', () => {
  it('json is used from then on when verbose_json is refused', async () => {
    server.imitate('vllm');
    always(transcribed('我系香港人。'));
    const segments = await transcribe(TWO_UTTERANCES, { settings: { STT_CONCURRENCY: '1' } });
    expect(segments.map(({ text }) => text)).toEqual(['我係香港人。', '我係香港人。']);
    expect(server.uploads.map(({ fields }) => fields['response_format'])).toEqual(['verbose_json', 'json', 'json']);
  });

  it('segment times are kept when granularities are refused', async () => {
    server.imitate('localai');
    always(transcribed('你好。'));
    await transcribe(TWO_UTTERANCES, { settings: { STT_CONCURRENCY: '1' } });
    expect(server.uploads.map(({ fields }) => fields['response_format'])).toEqual(Array(3).fill('verbose_json'));
    expect(server.uploads.map(({ fields }) => 'timestamp_granularities[]' in fields)).toEqual([true, false, false]);
  });

  it('zh with a Cantonese prompt is used when yue is refused', async () => {
    server.imitate('openai');
    always(transcribed('你好。'));
    await transcribe(TWO_UTTERANCES, { settings: { STT_CONCURRENCY: '1' } });
    expect(server.uploads.map(({ fields }) => fields['language'])).toEqual(['yue', 'zh', 'zh']);
    expect(server.uploads[1]?.fields['prompt']).toBe('以下係廣東話對話。');
    server.uploads.length = 0;
    await transcribe(ONE_UTTERANCE, { settings: { STT_CANTONESE_CODE: 'zh' } });
    expect(server.uploads.map(({ fields }) => fields['language'])).toEqual(['zh']);
  });

  it('concurrent uploads are all retried', async () => {
    server.imitate('vllm');
    always(transcribed('你好。'));
    expect(await transcribe(SIX_UTTERANCES, { settings: { STT_CONCURRENCY: '6' } })).toHaveLength(6);
  });

  it('a 400 for another reason fails after one retry', async () => {
    server.behave((_upload, index) => (index < 3 ? { kind: 'status', status: 400 } : transcribed('你好。')));
    expect(await failure(ONE_UTTERANCE)).toMatchObject({ code: 'engine_failed' });
    expect(server.uploads).toHaveLength(2);
  });
});

describe('the transcript', () => {
  it.each(['speaches', 'localai-words'] as const)(
    'Cantonese is converted to Hong Kong Traditional characters with times in the recording: %s',
    async (product) => {
      server.imitate(product);
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
      const [segment] = await transcribe(ONE_UTTERANCE);
      expect(segment?.text).toBe('我係香港人，你食咗飯未呀？');
      expect(segment?.words.map(({ text }) => text).join('')).toBe('我係香港人你食咗飯未呀');
      const wav = server.uploads[0]!;
      const offsetMs = (segment?.words[0]?.startMs ?? 0) - 150;
      expect(Math.abs(offsetMs - 850)).toBeLessThan(150);
      expect((segment?.words[2]?.startMs ?? 0) - offsetMs).toBe(350);
      expect((segment?.words[3]?.startMs ?? 0) - offsetMs).toBe(450);
      expect(segment?.endMs).toBeLessThanOrEqual(offsetMs + wav.seconds * 1_000 + 1);
    },
  );

  it('Mandarin is converted to Simplified, English is unchanged', async () => {
    always(transcribed('這是香港的電視台。'));
    expect((await transcribe(ONE_UTTERANCE, { language: 'mandarin' }))[0]?.text).toBe('这是香港的电视台。');
    always(transcribed(' Hello there, I am late.'));
    const [segment] = await transcribe(ONE_UTTERANCE, { language: 'english' });
    expect(segment?.text).toBe('Hello there, I am late.');
    expect(segment?.words.map(({ text }) => text)).toEqual(['Hello', 'there', 'I', 'am', 'late']);
  });

  it("the server's segments are kept, with times clipped to the recording", async () => {
    always({
      kind: 'transcription',
      text: '你好。再見。',
      segments: [
        { text: '你好。', start: -1, end: 0.4 },
        { text: '再見。', start: 0.4, end: 30 },
      ],
    });
    const segments = await transcribe(ONE_UTTERANCE);
    expect(segments.map(({ text }) => text)).toEqual(['你好。', '再見。']);
    expect(segments[1]?.startMs).toBeGreaterThanOrEqual(segments[0]?.endMs ?? Infinity);
    expect(segments[1]?.endMs).toBeLessThanOrEqual(ONE_UTTERANCE.length / 16);
  });

  it('text without punctuation is punctuated by word times', async () => {
    always({ kind: 'transcription', text: '你食左饭未', words: [{ word: '你食左饭未', start: 0.1, end: 0.9 }] });
    expect((await transcribe(ONE_UTTERANCE))[0]?.text).toBe('你食咗飯未？');
  });

  it('there are no words when word times are not declared', async () => {
    always(transcribed('你好。'));
    const settings = { STT_MODEL: 'gpt-4o-transcribe' };
    expect((await transcribe(ONE_UTTERANCE, { settings }))[0]?.words).toEqual([]);
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
  ])('hallucinated text is removed: %s', async (text, scores) => {
    const segments = Object.keys(scores).length === 0 ? [] : [{ text, start: 0, end: 1, ...scores }];
    always({ kind: 'transcription', text, segments });
    expect(await transcribe(ONE_UTTERANCE)).toEqual([]);
  });

  it.each([
    ['多謝收睇。', { avg_logprob: -0.1, no_speech_prob: 0.01 }],
    ['多謝。', {}],
    ['有冇中文字幕呀？', {}],
    ['好好好。', { compression_ratio: 1.1 }],
  ])('spoken text is kept: %s', async (text, scores) => {
    const segments = Object.keys(scores).length === 0 ? [] : [{ text, start: 0, end: 1, ...scores }];
    always({ kind: 'transcription', text, segments });
    expect((await transcribe(ONE_UTTERANCE))[0]?.text).toBe(text);
  });

  it('credits after spoken text are removed, the rest is kept', async () => {
    always(transcribed('我聽日返工。字幕由 Amara.org 社區提供'));
    expect((await transcribe(ONE_UTTERANCE))[0]?.text).toBe('我聽日返工。');
  });
});

describe('settings', () => {
  it('without a server the model is unavailable and the reason names the variable', async () => {
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
  ])('an invalid %s is named without its value: %s', (name, value) => {
    const availability = modelOf({ STT_BASE_URL: 'http://somewhere', [name]: value })?.availability;
    expect(availability).toEqual({ available: false, reason: `invalid value of ${name}` });
  });

  it('STT_LANGUAGES sets the languages and their quality', () => {
    const settings = { STT_BASE_URL: 'http://somewhere', STT_LANGUAGES: 'cantonese=96, english=97' };
    expect(modelOf(settings)?.capabilities.languages).toEqual({ cantonese: 96, english: 97 });
  });

  it('the version changes with server and model, and does not contain the address', () => {
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
