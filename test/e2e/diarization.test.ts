import { DeepgramClient, type Deepgram } from '@deepgram/sdk';
import { beforeAll, expect, it } from 'vitest';
import { wavBytes } from '#testbed/sound/audio.ts';
import {
  OWNER_KEY,
  request,
  requestIdOf,
  sharedService,
  submission,
  waitForResult,
  type SharedService,
} from '#testbed/service/service.ts';
import { speakDialogue } from '#test/spoken-dialogue.ts';

let service: SharedService;
let dialogue: Uint8Array;
let monologue: Uint8Array;

beforeAll(async () => {
  service = await sharedService();
  const spoken = await speakDialogue();
  dialogue = wavBytes(spoken.dialogue);
  monologue = wavBytes(spoken.monologue);
});

const transcribe = async (audio: Uint8Array, fields: Record<string, string>) => {
  const form = submission(audio, { wait_for_completion: 'true', skip_fusion: 'true', ...fields });
  const { status, body } = await request(`${service.baseUrl}/api/stt`, form);
  expect(status).toBe(200);
  return body;
};

it('alternating female and male voices give two speakers, one line per turn', async () => {
  const body = await transcribe(dialogue, { with_diarization: 'true' });
  const lines = String(body['diarization']).split('\n');
  expect(lines.map((line) => line.slice(0, 12))).toEqual([
    'SPEAKER_00: ',
    'SPEAKER_01: ',
    'SPEAKER_00: ',
    'SPEAKER_01: ',
  ]);
  for (const line of lines) expect(line).toMatch(/^SPEAKER_0[01]: .*\p{Script=Han}/u);
});

it('with timestamps every block names its speaker', async () => {
  const body = await transcribe(dialogue, { with_diarization: 'true', with_timestamp: 'true' });
  const blocks = String(body['text']).trim().split(/\n\n/u);
  expect(blocks.length).toBeGreaterThanOrEqual(4);
  for (const block of blocks) expect(block.split('\n')[2]).toMatch(/^SPEAKER_0[01]: \S/u);
  expect(body['diarization']).toBeUndefined();
});

it("Deepgram's client gets the speaker, the time and the text of each word", async () => {
  const { baseUrl: base } = service;
  const environment = { base, production: base, agent: base, agentRest: base };
  const { listen } = new DeepgramClient({ apiKey: OWNER_KEY, environment, maxRetries: 0 });
  const query = { model: 'nova-3', language: 'zh-HK', diarize: true, utterances: true } as const;
  const answer = await listen.v1.media.transcribeFile(Buffer.from(dialogue), query);
  const { results } = answer as Deepgram.ListenV1Response;
  const words = results.channels[0]?.alternatives?.[0]?.words ?? [];
  expect(words.length).toBeGreaterThan(20);
  const turns = words.map(({ speaker }) => speaker).filter((speaker, at, all) => speaker !== all[at - 1]);
  expect(turns).toEqual([0, 1, 0, 1]);
  const starts = words.map(({ start = -1 }) => start);
  expect(starts).toEqual(starts.toSorted((a, b) => a - b));
  expect(results.utterances?.map(({ speaker }) => speaker)).toEqual(expect.arrayContaining([0, 1]));
});

const namesIn = (text: unknown) => new Set(String(text).match(/SPEAKER_\d+/gu));

it.each([
  ['two people are one speaker with `speakers=1`', { speakers: '1' }, 1, { speakers: 1 }],
  ['and three with `min_speakers=3`', { min_speakers: '3', max_speakers: '' }, 3, { min_speakers: 3 }],
  ['a range that fits changes nothing', { min_speakers: '1', max_speakers: '4' }, 2, { max_speakers: 4 }],
] as const)('%s, and the record shows it', async (_, fields, count, shown) => {
  const form = submission(dialogue, { with_diarization: 'true', skip_fusion: 'true', ...fields });
  const submitted = await request(`${service.baseUrl}/api/stt`, form);
  const record = await waitForResult(service.baseUrl, requestIdOf(submitted));
  expect(namesIn(record['diarization']).size).toBe(count);
  expect(record).toMatchObject(shown);
  expect(Object.keys(record).filter((name) => name.endsWith('speakers'))).toEqual(Object.keys(shown));
});

const sendToOpenAI = async (fields: Record<string, string>) => {
  const form = new FormData();
  form.set('file', new File([new Uint8Array(dialogue)], 'dialogue.wav'));
  for (const [name, value] of Object.entries({ response_format: 'diarized_json', ...fields })) form.set(name, value);
  const headers = { authorization: `Bearer ${OWNER_KEY}` };
  return request(`${service.baseUrl}/v1/audio/transcriptions`, { method: 'POST', headers, body: form });
};

it('diarized_json takes the same fields, and contradicting numbers are refused', async () => {
  const { body } = await sendToOpenAI({ speakers: '1' });
  const segments = body['segments'] as { speaker: string }[];
  expect(new Set(segments.map(({ speaker }) => speaker))).toEqual(new Set(['A']));
  const refused = await sendToOpenAI({ speakers: '5', max_speakers: '4' });
  expect(refused.status).toBe(400);
  expect(refused.body['message']).toBe('The field "speakers" must not be above "max_speakers".');
});

it('a single voice is one speaker, and without the option no speaker is named', async () => {
  const alone = await transcribe(monologue, { with_diarization: 'true' });
  expect(String(alone['diarization'])).toMatch(/^SPEAKER_00: [^\n]+$/u);
  const plain = await transcribe(monologue, {});
  expect(plain['diarization']).toBeUndefined();
  expect(String(plain['text'])).not.toContain('SPEAKER');
});
