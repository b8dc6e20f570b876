import { DeepgramClient, type Deepgram } from '@deepgram/sdk';
import { beforeAll, expect, it } from 'vitest';
import { wavBytes, type Sound } from '#testbed/sound/audio.ts';
import { speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import {
  OWNER_KEY,
  request,
  requestIdOf,
  sharedService,
  submission,
  waitForResult,
  type SharedService,
} from '#testbed/service/service.ts';
import { MAN, WOMAN } from '#test/spoken-dialogue.ts';

let service: SharedService;
let woman: Sound;
let man: Sound;
let texts: { woman: string; man: string };

beforeAll(async () => {
  service = await sharedService();
  woman = await speak(toJyutping('早晨，請問你想去邊度呀？'), WOMAN);
  man = await speak(toJyutping('我想聽日夜晚搭車去九龍。'), MAN);
  texts = { woman: (await textOf(sides([woman, 0]))).text, man: (await textOf(sides([man, 0]))).text };
});

const AFTER = 3_000;

/** One channel for each side: a voice, from a time in milliseconds on; null: silence. */
function sides(...parts: readonly ([Sound, number] | null)[]): Sound {
  const { sampleRateHz } = woman;
  const start = (ms: number) => Math.round((ms * sampleRateHz) / 1_000);
  const length = Math.max(...parts.map((part) => (part === null ? 0 : start(part[1]) + part[0].channels[0]!.length)));
  const channels = parts.map((part) => {
    const samples = new Float32Array(length);
    if (part !== null) samples.set(part[0].channels[0]!, start(part[1]));
    return samples;
  });
  return { sampleRateHz, channels };
}

async function textOf(sound: Sound, fields: Record<string, string> = {}) {
  const form = submission(wavBytes(sound), { wait_for_completion: 'true', skip_fusion: 'true', ...fields });
  const { status, body } = await request(`${service.baseUrl}/api/stt`, form);
  return { status, body, text: String(body['text']) };
}

const separate = (sound: Sound, fields: Record<string, string> = {}) =>
  textOf(sound, { channels: 'separate', ...fields });

it('each side of a call is a speaker, with the text that it has alone', async () => {
  const { woman: left, man: right } = texts;
  expect(left).not.toBe(right);
  const opposite = {
    ...woman,
    channels: [woman.channels[0]!, woman.channels[0]!.map((sample) => -sample)],
  };
  const cases: [name: string, sound: Sound, lines: string[]][] = [
    ['one after the other', sides([woman, 0], [man, AFTER]), [`SPEAKER_00: ${left}`, `SPEAKER_01: ${right}`]],
    ['the right side first', sides([woman, AFTER], [man, 0]), [`SPEAKER_01: ${right}`, `SPEAKER_00: ${left}`]],
    ['at the same time', sides([woman, 0], [man, 200]), [`SPEAKER_00: ${left}`, `SPEAKER_01: ${right}`]],
    ['a silent side', sides(null, [man, 0]), [`SPEAKER_01: ${right}`]],
    ['opposite phase', opposite, [`SPEAKER_00: ${left}`, `SPEAKER_01: ${left}`]],
    ['three', sides([woman, AFTER], null, [man, 0]), [`SPEAKER_02: ${right}`, `SPEAKER_00: ${left}`]],
  ];
  const faults: unknown[] = [];
  for (const [name, sound, lines] of cases) {
    const { body } = await separate(sound);
    if (String(body['diarization']) !== lines.join('\n')) faults.push([name, body['diarization'], lines]);
  }
  expect(faults).toEqual([]);
});

it('the record, its subtitles and its charge count a call once', async () => {
  const sound = sides([woman, 0], [man, 200]);
  const form = submission(wavBytes(sound), { channels: 'separate', with_timestamp: 'true' });
  const id = requestIdOf(await request(`${service.baseUrl}/api/stt`, form));
  const record = await waitForResult(service.baseUrl, id);
  const seconds = sound.channels[0]!.length / sound.sampleRateHz;
  expect(record).toMatchObject({ status: 'completed', channels: 'separate', credits_used: Math.ceil(seconds) });
  expect(Math.abs(Number(record['duration_s']) - seconds)).toBeLessThan(0.01);
  const romanized = String(record['jyutping_transcription']);
  for (const label of ['SPEAKER_00: ', 'SPEAKER_01: ']) {
    expect(String(record['transcription'])).toContain(label);
    expect(romanized.split(label)[1]).toMatch(/^(?:[a-z]+[1-6] ?){8,}\n/u);
  }

  const headers = { 'x-api-key': OWNER_KEY };
  const file = (name: string) => fetch(`${service.baseUrl}/api/speech-to-text/${id}.${name}`, { headers });
  const vtt = await (await file('vtt')).text();
  expect(vtt).toMatch(/Channel 1: .*Channel 2: /su);
  const starts = [...vtt.matchAll(/^([\d:.]+) -->/gmu)].map(([, start]) => start);
  expect(starts).toEqual(starts.toSorted());
  const json = (await (await file('json')).json()) as { speakers: unknown; segments: { speaker: string }[] };
  expect(json.speakers).toEqual({ SPEAKER_00: 'Channel 1', SPEAKER_01: 'Channel 2' });

  // Segments of two channels overlap; saved again, they keep their words.
  const edit = { segments: json.segments, speakers: { SPEAKER_00: 'Agent' } };
  const path = `${service.baseUrl}/api/speech-to-text/${id}`;
  const saved = await request(path, {
    method: 'PATCH',
    headers: { ...headers, 'content-type': 'application/json', 'if-match': '*' },
    body: JSON.stringify(edit),
  });
  expect(saved.status).toBe(200);
  const edited = (await (await file('json')).json()) as typeof json;
  expect(edited).toMatchObject({ speakers: { SPEAKER_00: 'Agent', SPEAKER_01: 'Channel 2' }, segments: json.segments });
});

it('one channel is transcribed as without separation, and the answer says so', async () => {
  const mixed = await textOf(woman, { with_timestamp: 'true' });
  const one = await separate(woman, { with_timestamp: 'true' });
  expect(one.text).toBe(mixed.text);
  expect(one.body['notice']).toBe('one_channel');
  expect(mixed.body['notice']).toBeUndefined();
  const call = sides([woman, 0], [man, AFTER]);
  const [absent, mix] = [await textOf(call), await textOf(call, { channels: 'mix' })];
  expect(mix.text).toBe(absent.text);
  expect(mix.body).not.toHaveProperty('diarization');
});

it('too many channels and other values are refused', async () => {
  const nine = await separate(sides(...Array.from({ length: 9 }, () => [woman, 0] as [Sound, number])));
  expect(nine.status).toBe(422);
  expect(nine.body['message']).toMatch(/has 9 channels.*at most 8/u);
  const other = await textOf(woman, { channels: 'left' });
  expect([other.status, other.body['message']]).toEqual([422, 'The field "channels" must be mix or separate.']);
});

it("Deepgram's client gets every channel with `multichannel`", async () => {
  const { baseUrl: base } = service;
  const environment = { base, production: base, agent: base, agentRest: base };
  const { listen } = new DeepgramClient({ apiKey: OWNER_KEY, environment, maxRetries: 0 });
  const audio = Buffer.from(wavBytes(sides([woman, 0], [man, 0])));
  const query = { language: 'zh-HK', multichannel: true, utterances: true } as const;
  const answer = (await listen.v1.media.transcribeFile(audio, query)) as Deepgram.ListenV1Response;
  expect(answer.metadata.channels).toBe(2);
  const { channels, utterances } = answer.results;
  expect(channels).toHaveLength(2);
  for (const [index, { alternatives }] of channels.entries()) {
    const ofChannel = utterances?.filter(({ channel }) => channel === index) ?? [];
    expect(ofChannel).not.toEqual([]);
    expect(alternatives?.[0]?.transcript).toBe(ofChannel.map(({ transcript }) => transcript).join(' '));
    expect(alternatives?.[0]?.words?.length).toBeGreaterThan(5);
  }
  expect(JSON.stringify(answer)).not.toContain('"speaker"');
});

it("OpenAI's endpoint names the channels in every form that has segments", async () => {
  const url = `${service.baseUrl}/v1/audio/transcriptions`;
  const audio = wavBytes(sides([woman, 0], [man, AFTER]));
  const ask = async (fields: Record<string, string>) => {
    const form = new FormData();
    form.set('file', new File([audio], 'call.wav'));
    for (const [name, value] of Object.entries({ channels: 'separate', ...fields })) form.set(name, value);
    const headers = { authorization: `Bearer ${OWNER_KEY}` };
    return fetch(url, { method: 'POST', headers, body: form });
  };
  for (const format of ['verbose_json', 'diarized_json']) {
    const answer = (await (await ask({ response_format: format })).json()) as { segments: { speaker: string }[] };
    expect(answer.segments.map(({ speaker }) => speaker)).toEqual(['Channel 1', 'Channel 2']);
  }
  expect(await (await ask({ response_format: 'srt' })).text()).toMatch(/SPEAKER_00: .*SPEAKER_01: /su);
  const stream = await ask({ stream: 'true' });
  expect([stream.status, await stream.text()]).toEqual([400, expect.stringContaining('no separate \\"channels\\"')]);
});
