import OpenAI, { AuthenticationError, type APIError, BadRequestError, NotFoundError, toFile } from 'openai';
import { beforeAll, describe, expect, it } from 'vitest';
import { descendants } from '#testbed/service/process-tree.ts';
import { editDistance } from '../../eval/score.ts';
import { silence, wavBytes, type Sound } from '#testbed/sound/audio.ts';
import {
  OWNER_KEY,
  request,
  requestIdOf,
  sharedService,
  submission,
  waitForResult,
  type SharedService,
} from '#testbed/service/service.ts';
import { durationOf, joinSounds, speak, toJyutping } from '#testbed/sound/espeak-speech.ts';

const SENTENCES = ['我住喺九龍，返工要搭地鐵。', '聽日朝早九點開會，唔好遲到。', '醫生叫我飲多啲水，早啲瞓覺。'];
const TIME = /\d{2}:\d{2}:\d{2}[.,]\d{3}/gu;

let service: SharedService;
let client: OpenAI;
let sentences: Sound[];
let speech: Sound;

beforeAll(async () => {
  service = await sharedService();
  client = new OpenAI({ apiKey: OWNER_KEY, baseURL: `${service.baseUrl}/v1`, maxRetries: 0 });
  sentences = [];
  for (const sentence of SENTENCES) sentences.push(await speak(toJyutping(sentence)));
  speech = joinSounds(sentences, 700);
});

const fileOf = (sound: Sound) => toFile(wavBytes(sound), 'speech.wav', { type: 'audio/wav' });
const cantonese = async (sound = speech) => ({ file: await fileOf(sound), model: 'whisper-1', language: 'yue' });
const REPEATS = 5;
/** Long enough that its first words are transcribed well before its last. */
const longSpeech = () =>
  joinSounds(
    Array.from({ length: REPEATS }, () => speech),
    500,
  );

const withoutSigns = (text: string) => text.replaceAll(/[\s，。]/gu, '');

/** Character error rate against the spoken text. */
function errorIn(text: string): number {
  const spoken = Array.from(withoutSigns(SENTENCES.join('')));
  return editDistance(Array.from(withoutSigns(text)), spoken) / spoken.length;
}

const rejection = (call: PromiseLike<unknown>): Promise<APIError> =>
  Promise.resolve(call).then(
    () => expect.unreachable('it was answered'),
    (thrown) => thrown as APIError,
  );

/** A unique hint prevents cached answers. */
const open = async (sound: Sound) =>
  client.audio.transcriptions
    .create({ ...(await cantonese(sound)), prompt: crypto.randomUUID(), stream: true })
    .withResponse();
const statusOf = async (id: string) => {
  const { body } = await request(`${service.baseUrl}/api/speech-to-text/get-result?id=${id}`, {
    headers: { 'x-api-key': OWNER_KEY },
  });
  return (body['transcription'] as { status: string } | undefined)?.status;
};

/** Reads a whole stream, with the record's status at its first and last event. */
const read = async (sound: Sound) => {
  const { data, response, request_id: id } = await open(sound);
  const events: OpenAI.Audio.TranscriptionStreamEvent[] = [];
  let statusAtFirst: string | undefined;
  for await (const event of data) {
    events.push(event);
    statusAtFirst ??= await statusOf(id!);
  }
  return {
    id: id!,
    headers: response.headers,
    deltas: events.flatMap((event) => (event.type === 'transcript.text.delta' ? [event.delta] : [])),
    last: events.at(-1) as OpenAI.Audio.TranscriptionTextDoneEvent,
    statusAtFirst,
    statusAtLast: await statusOf(id!),
  };
};

describe('transcription in every response format', () => {
  it('json has the text, its language and its usage', async () => {
    const answer = await client.audio.transcriptions.create(await cantonese());
    expect(errorIn(answer.text)).toBeLessThan(0.3);
    expect(answer.usage).toEqual({ type: 'duration', seconds: Math.ceil(durationOf(speech) / 1_000) });
    expect(answer.languages).toEqual([{ code: 'yue' }]);
  });

  it('text is the same text as a string', async () => {
    const json = await client.audio.transcriptions.create(await cantonese());
    const text = await client.audio.transcriptions.create({ ...(await cantonese()), response_format: 'text' });
    expect(text).toBe(`${json.text}\n`);
  });

  it('srt has numbered cues with increasing times', async () => {
    const srt = await client.audio.transcriptions.create({ ...(await cantonese()), response_format: 'srt' });
    const cues = srt.trim().split('\n\n');
    expect(cues).toHaveLength(SENTENCES.length);
    expect(cues.map((cue) => cue.split('\n')[0])).toEqual(['1', '2', '3']);
    const times = srt.match(TIME) ?? [];
    expect(times).toHaveLength(2 * SENTENCES.length);
    expect(times).toEqual(times.toSorted());
    expect(errorIn(cues.map((cue) => cue.split('\n')[2]).join(''))).toBeLessThan(0.3);
  });

  it('vtt has a header and the cues of the srt', async () => {
    const form = await cantonese();
    const srt = await client.audio.transcriptions.create({ ...form, response_format: 'srt' });
    const vtt = await client.audio.transcriptions.create({ ...form, response_format: 'vtt' });
    const expected = srt.replaceAll(/^\d+\n/gmu, '').replaceAll(/(\d{2}),(\d{3})/gu, '$1.$2');
    expect(vtt).toBe(`WEBVTT\n\n${expected}`);
  });

  it('verbose_json has consistent words and segments with times', async () => {
    const answer = await client.audio.transcriptions.create({
      ...(await cantonese()),
      response_format: 'verbose_json',
      timestamp_granularities: ['word', 'segment'],
      temperature: 0,
    });
    expect(answer).toMatchObject({ task: 'transcribe', language: 'cantonese', usage: { type: 'duration' } });
    expect(answer.duration).toBeCloseTo(durationOf(speech) / 1_000, 1);
    const { words = [], segments = [] } = answer;
    expect(segments.map(({ id }) => id)).toEqual([0, 1, 2]);
    expect(withoutSigns(segments.map(({ text }) => text).join(''))).toBe(withoutSigns(answer.text));
    expect(withoutSigns(words.map(({ word }) => word).join(''))).toBe(withoutSigns(answer.text));
    for (const spans of [words, segments]) {
      const times = spans.flatMap(({ start, end }) => [start, end]);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      expect(times.at(-1)).toBeLessThanOrEqual(answer.duration);
    }
    for (const segment of segments) {
      expect(segment).toMatchObject({ tokens: [], temperature: 0, avg_logprob: expect.any(Number) });
      expect(segment.no_speech_prob).toBeGreaterThan(0);
      expect(segment.no_speech_prob).toBeLessThan(0.5);
      expect(segment.avg_logprob).toBeLessThanOrEqual(0);
      expect(segment.compression_ratio).toBeGreaterThan(0);
    }
  });

  it('verbose_json has segments by default, and only words when only words are requested', async () => {
    const form = { ...(await cantonese()), response_format: 'verbose_json' } as const;
    const plain = await client.audio.transcriptions.create(form);
    expect(plain.segments).toHaveLength(SENTENCES.length);
    expect(plain.words).toBeUndefined();
    const words = await client.audio.transcriptions.create({ ...form, timestamp_granularities: ['word'] });
    expect(words.words?.length).toBeGreaterThan(20);
    expect(words.segments).toBeUndefined();
  });

  it('silence gives an empty text in every format', async () => {
    const form = await cantonese(silence(2_000));
    const ask = (response_format: 'json' | 'text' | 'srt' | 'vtt' | 'verbose_json') =>
      client.audio.transcriptions.create({ ...form, response_format });
    expect(await ask('json')).toMatchObject({ text: '' });
    expect(await ask('text')).toBe('\n');
    expect(await ask('srt')).toBe('');
    expect(await ask('vtt')).toBe('WEBVTT\n\n');
    expect(await ask('verbose_json')).toMatchObject({ text: '', segments: [] });
  });
});

describe('transcription with stream: true', () => {
  it('streams the text in pieces during recognition, and the whole text at the end', async () => {
    const { id, headers, deltas, last, statusAtFirst, statusAtLast } = await read(longSpeech());
    expect(headers.get('content-type')).toContain('text/event-stream');
    expect([statusAtFirst, statusAtLast]).toEqual(['processing', 'completed']);
    expect(deltas).toHaveLength(REPEATS * SENTENCES.length);
    expect(last).toMatchObject({
      type: 'transcript.text.done',
      text: deltas.join(''),
      usage: { type: 'tokens', total_tokens: expect.any(Number) },
      languages: [{ code: 'yue' }],
    });
    expect(await waitForResult(service.baseUrl, id)).toMatchObject({ transcription: last.text });
  });

  it('two simultaneous streams do not mix', async () => {
    const sounds = [sentences[0]!, sentences[2]!].map((sentence) =>
      joinSounds([sentence, sentence, sentence, sentence], 700),
    );
    const alone = [await read(sounds[0]!), await read(sounds[1]!)].map(({ deltas }) => deltas);
    expect(alone[0]).not.toEqual(alone[1]);
    const together = await Promise.all(sounds.map(read));
    expect(together.map(({ deltas }) => deltas)).toEqual(alone);
    expect(together.map(({ last }) => last.text)).toEqual(alone.map((deltas) => deltas.join('')));
  });

  it('a client that disconnects during a stream stops nothing else', async () => {
    const loggedBefore = service.output().length;
    const { data, request_id: id } = await open(longSpeech());
    const seen: string[] = [];
    for await (const event of data) {
      seen.push(event.type, String(await statusOf(id!)));
      break;
    }
    expect(seen).toEqual(['transcript.text.delta', 'processing']);
    expect(await waitForResult(service.baseUrl, id!)).toMatchObject({ status: 'completed' });
    expect(service.output().slice(loggedBefore)).not.toMatch(/error|unhandled/iu);
  });

  it('a worker crash during a stream neither loses nor repeats text', async () => {
    const alone = await read(longSpeech());
    const { data } = await open(longSpeech());
    const events: OpenAI.Audio.TranscriptionStreamEvent[] = [];
    for await (const event of data) {
      if (events.push(event) === 5) for (const pid of descendants(service.process.pid!)) process.kill(pid, 'SIGKILL');
    }
    expect(events.slice(0, -1).map((event) => 'delta' in event && event.delta)).toEqual(alone.deltas);
    expect(events.at(-1)).toMatchObject({ type: 'transcript.text.done', text: alone.last.text });
  });

  it('a failure before the first word keeps its status code', async () => {
    const bad = { file: await toFile(Buffer.from('no sound at all\n'.repeat(200)), 'speech.wav'), model: 'whisper-1' };
    const error = await rejection(client.audio.transcriptions.create({ ...bad, stream: true }));
    expect(error).toMatchObject({ status: 415, code: 'unsupported_audio_format' });
  });
});

describe('the newer fields of transcriptions', () => {
  it('diarized_json has segments with speakers, also in a stream', async () => {
    const form = { ...(await cantonese()), response_format: 'diarized_json', chunking_strategy: 'auto' } as const;
    const answer = (await client.audio.transcriptions.create(form)) as unknown as OpenAI.Audio.TranscriptionDiarized;
    expect(answer).toMatchObject({ task: 'transcribe', usage: { type: 'duration' } });
    expect(answer.segments).toHaveLength(SENTENCES.length);
    for (const segment of answer.segments) {
      expect(segment).toMatchObject({ type: 'transcript.text.segment', speaker: expect.stringMatching(/^[A-Z]$/u) });
      expect(segment.end).toBeGreaterThan(segment.start);
    }
    expect(withoutSigns(answer.segments.map(({ text }) => text).join(''))).toBe(withoutSigns(answer.text));
    const types: string[] = [];
    for await (const event of await client.audio.transcriptions.create({ ...form, stream: true }))
      types.push(event.type);
    expect(types.filter((type) => type === 'transcript.text.segment')).toHaveLength(SENTENCES.length);
    expect(types.at(-1)).toBe('transcript.text.done');
  });

  it('include, keywords, languages and the settings of finding speech are accepted', async () => {
    const answer = await client.audio.transcriptions.create({
      file: await fileOf(speech),
      model: 'gpt-4o-transcribe',
      include: ['logprobs'],
      keywords: ['九龍', '地鐵'],
      languages: ['yue', 'en'],
      chunking_strategy: { type: 'server_vad', threshold: 0.5, silence_duration_ms: 200 },
    });
    expect(answer.languages).toEqual([{ code: 'yue' }]);
    expect(answer.logprobs?.length).toBeGreaterThan(10);
    for (const { token, bytes, logprob } of answer.logprobs ?? []) {
      expect(Buffer.from(bytes ?? []).toString()).toBe(token);
      expect(logprob).toBeLessThanOrEqual(0);
    }
  });

  it('languages exclude the others', async () => {
    const form = { file: await fileOf(speech), model: 'whisper-1', prompt: crypto.randomUUID() };
    const english = await client.audio.transcriptions.create({ ...form, languages: ['en'] });
    expect(english.languages).toEqual([{ code: 'en' }]);
  });
});

describe('OpenAI models', () => {
  it('are listed with their capabilities, and can be retrieved one by one', async () => {
    const { data } = await client.models.list();
    const builtin = data.find(({ id }) => id === 'builtin');
    expect(builtin).toMatchObject({ object: 'model', owned_by: 'builtin', ability: 'recognizer' });
    expect(builtin).toHaveProperty('languages', expect.arrayContaining(['cantonese']));
    expect(await client.models.retrieve('builtin')).toEqual(builtin);
  });

  it.each(['builtin', 'gpt-4o-transcribe', 'gpt-4o-mini-transcribe-2025-12-15'])('%s transcribes', async (model) => {
    const answer = await client.audio.transcriptions.create({ ...(await cantonese(sentences[0])), model });
    expect(answer.text).not.toBe('');
  });

  it('that do not exist give a NotFoundError, and are ignored by transcriptions', async () => {
    const error = await rejection(client.models.retrieve('no-such-model'));
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toMatchObject({ code: 'model_not_found', type: 'not_found_error', requestID: expect.any(String) });
    const { data, response } = await client.audio.transcriptions
      .create({ ...(await cantonese()), model: 'no-such-model' })
      .withResponse();
    expect(response.headers.get('x-model-id-ignored')).toBe('no-such-model');
    expect(errorIn(data.text)).toBeLessThan(0.3);
  });
});

it('an unknown model is ignored at our own endpoint too', async () => {
  const form = submission(wavBytes(sentences[0]!), { model: 'no-such-model' });
  const answer = await request(`${service.baseUrl}/api/stt`, form);
  expect([answer.status, answer.headers.get('x-model-id-ignored')]).toEqual([200, 'no-such-model']);
  expect(await waitForResult(service.baseUrl, requestIdOf(answer))).toMatchObject({ status: 'completed' });
});

describe('errors of the OpenAI client library', () => {
  it('a wrong key gives an authentication error', async () => {
    const stranger = client.withOptions({ apiKey: 'jyut_not_a_key' });
    for (const call of [stranger.models.list(), stranger.audio.transcriptions.create(await cantonese())]) {
      const error = await rejection(call);
      expect(error).toBeInstanceOf(AuthenticationError);
      expect(error).toMatchObject({ status: 401, code: 'invalid_api_key' });
    }
  });

  it('a file that is not audio gives status 415', async () => {
    const file = await toFile(Buffer.from('no sound at all\n'.repeat(200)), 'speech.wav');
    const error = await rejection(client.audio.transcriptions.create({ file, model: 'whisper-1' }));
    expect(error).toMatchObject({ status: 415, code: 'unsupported_audio_format' });
    expect(error.message).toContain('not audio');
  });

  it.each([
    ['a format that there is not', { response_format: 'diarised_json' }, 'response_format'],
    [
      'a granularity that there is not',
      { response_format: 'verbose_json', timestamp_granularities: ['letter'] },
      'word',
    ],
    ['a stream of subtitles', { response_format: 'srt', stream: true }, 'stream'],
    ['an unsupported language', { language: 'fr' }, 'language'],
    ['a temperature out of range', { temperature: 3 }, 'temperature'],
    ['a prompt as long as a book', { prompt: '長'.repeat(60_000) }, 'prompt'],
  ])('%s', async (_, fields, named) => {
    const form = { ...(await cantonese(sentences[0])), ...fields } as OpenAI.Audio.TranscriptionCreateParams;
    const error = await rejection(client.audio.transcriptions.create(form));
    expect(error).toBeInstanceOf(BadRequestError);
    expect(error).toMatchObject({ status: 400, code: 'invalid_request', type: 'invalid_request_error' });
    expect(error.message).toContain(named);
  });

  it('translation without a language model says what it needs', async () => {
    const error = await rejection(
      client.audio.translations.create({ file: await fileOf(sentences[0]!), model: 'whisper-1' }),
    );
    expect(error).toMatchObject({ status: 503, message: expect.stringContaining('needs a language model') });
  });
});
