import OpenAI, { toFile } from 'openai';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { wavBytes } from '#testbed/sound/audio.ts';
import { speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import { OWNER_KEY, sharedService, type SharedService } from '#testbed/service/service.ts';

/*
 * The requests of programs that speak to OpenAI's interface, as their sources send them; none of
 * their code is here.
 */

let service: SharedService;
let base: string;
let recording: Uint8Array<ArrayBuffer>;

beforeAll(async () => {
  service = await sharedService();
  base = `${service.baseUrl}/v1`;
  recording = new Uint8Array(wavBytes(await speak(toJyutping('聽日朝早九點開會，唔好遲到。'))));
});

const bearer = { authorization: `Bearer ${OWNER_KEY}` };
/** A tag, or the header of a frame. */
const MP3 = /^(?:ID|\xff[\xe2-\xff])$/;
const startOf = async (response: Response) => Buffer.from(await response.arrayBuffer()).toString('latin1', 0, 2);

describe('open-webui/open-webui, backend/open_webui/routers/audio.py', () => {
  it.each([{}, bearer])('lists voices and models with the headers %j', async (headers) => {
    const voices = (await (await fetch(`${base}/audio/voices`, { headers })).json()) as { voices: object[] };
    expect(voices.voices).toContainEqual({ id: 'maria', name: expect.any(String) });
    const models = (await (await fetch(`${base}/audio/models`, { headers })).json()) as { models: object[] };
    expect(models.models).toContainEqual(expect.objectContaining({ id: 'tts-1' }));
  });

  it.each(['maria', 'alloy'])('speaks with the voice %s', async (voice) => {
    const response = await fetch(`${base}/audio/speech`, {
      method: 'POST',
      headers: {
        ...bearer,
        'content-type': 'application/json',
        'x-openwebui-user-name': 'Chan',
        'x-openwebui-user-role': 'user',
      },
      body: JSON.stringify({ input: '早晨', voice, model: 'tts-1' }),
    });
    expect([response.status, await startOf(response)]).toEqual([200, expect.stringMatching(MP3)]);
  });

  it('transcribes a file with a model and nothing else', async () => {
    const body = new FormData();
    body.append('file', new Blob([recording]), '0f8fad5b-d9cb-469f-a165-70867728950e.wav');
    body.append('model', 'whisper-1');
    const response = await fetch(`${base}/audio/transcriptions`, { method: 'POST', headers: bearer, body });
    expect(await response.json()).toMatchObject({ text: expect.stringMatching(/\p{Script=Han}/u) });
  });

  it('reads the message of an error', async () => {
    const body = new FormData();
    body.append('file', new Blob(['no sound']), 'a.wav');
    const response = await fetch(`${base}/audio/transcriptions`, { method: 'POST', headers: bearer, body });
    expect([response.ok, await response.json()]).toMatchObject([false, { error: { message: expect.any(String) } }]);
  });
});

describe('livekit/agents, livekit-plugins-openai', () => {
  it('speaks, in chunks of the format that it decodes', async () => {
    for (const response_format of ['mp3', 'pcm']) {
      const response = await fetch(`${base}/audio/speech`, {
        method: 'POST',
        headers: { ...bearer, 'content-type': 'application/json' },
        body: JSON.stringify({ input: '早晨，你好嗎？', model: 'gpt-4o-mini-tts', voice: 'ash', response_format }),
      });
      expect([response.status, (await response.arrayBuffer()).byteLength > 2_000]).toEqual([200, true]);
    }
  });

  it.each([
    ['gpt-4o-mini-transcribe', 'json'],
    ['whisper-1', 'verbose_json'],
  ] as const)('transcribes with %s as %s', async (model, response_format) => {
    const client = new OpenAI({ apiKey: OWNER_KEY, baseURL: base, maxRetries: 0 });
    const answer = await client.audio.transcriptions.create({
      file: await toFile(recording, 'file.wav', { type: 'audio/wav' }),
      model,
      language: 'yue',
      response_format,
    });
    expect(answer.text).toMatch(/\p{Script=Han}/u);
    expect('language' in answer ? answer.language : 'cantonese').toBe('cantonese');
  });
});

type Field = [name: string, value: string] | [name: string, file: Uint8Array<ArrayBuffer>, fileName: string];

/** The answer to a form whose fields have this order. */
async function transcribed(fields: readonly Field[]): Promise<unknown> {
  const body = new FormData();
  for (const [name, value, fileName] of fields) {
    if (typeof value === 'string') body.append(name, value);
    else body.append(name, new Blob([value]), fileName);
  }
  return (await fetch(`${base}/audio/transcriptions`, { method: 'POST', headers: bearer, body })).json();
}

const cantonese = { text: expect.stringMatching(/\p{Script=Han}/u) as string };

/** Status and start of the speech that a program asks for. */
async function spoken(body: object, path = `${base}/audio/speech`, headers: Record<string, string> = bearer) {
  const response = await fetch(path, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return [response.status, await startOf(response)];
}
const mp3 = [200, expect.stringMatching(MP3)];

describe('danny-avila/LibreChat, api/server/services/Files/Audio', () => {
  // It cuts the region off the language of the browser.
  it.each(['yue', 'zh'])('transcribes in %s', async (language) => {
    const fields: Field[] = [
      ['file', recording, 'audio.webm'],
      ['model', 'whisper-1'],
      ['language', language],
    ];
    expect(await transcribed(fields)).toMatchObject(cantonese);
  });

  it('speaks as OpenAI, LocalAI (the model is the voice) and ElevenLabs', async () => {
    expect(await spoken({ input: '早晨', model: 'tts-1', voice: 'alloy', backend: 'piper' })).toEqual(mp3);
    expect(await spoken({ input: '早晨', model: 'maria', backend: 'piper' })).toEqual(mp3);
    const headers = { 'xi-api-key': OWNER_KEY, accept: 'audio/mpeg' };
    const body = { model_id: 'eleven_multilingual_v2', text: '早晨', pronunciation_dictionary_locators: [] };
    for (const path of ['', '/stream']) {
      expect(await spoken(body, `${base}/text-to-speech/21m00Tcm4TlvDq8ikWAM${path}`, headers)).toEqual(mp3);
    }
  });
});

test('n8n-io/n8n, nodes/vendors/OpenAi/v2/actions/audio: options before the file, and speech', async () => {
  const fields: Field[] = [
    ['model', 'whisper-1'],
    ['language', 'yue'],
    ['temperature', '0.2'],
    ['file', recording, 'file.ogg'],
  ];
  expect(await transcribed(fields)).toMatchObject(cantonese);
  expect(await spoken({ model: 'tts-1-hd', input: '早晨', voice: 'nova', response_format: 'mp3', speed: 1 })).toEqual(
    mp3,
  );
});

test('Mintplex-Labs/anything-llm, server/utils: a voice of Kokoro, and a recording without a language', async () => {
  const client = new OpenAI({ apiKey: OWNER_KEY, baseURL: base, maxRetries: 0 });
  const speech = await client.audio.speech.create({ model: 'kokoro', voice: 'af_bella', input: '早晨' });
  expect(await startOf(speech)).toMatch(MP3);
  const file = await toFile(recording, 'voice.wav');
  expect(await client.audio.transcriptions.create({ file, model: 'whisper-1', temperature: 0 })).toMatchObject(
    cantonese,
  );
});

test('SillyTavern/SillyTavern, src/endpoints/openai.js: speech with a speed, and a form with a WAV file', async () => {
  expect(await spoken({ input: '早晨', response_format: 'mp3', voice: 'alloy', speed: 1.25, model: 'tts-1' })).toEqual(
    mp3,
  );
  const fields: Field[] = [
    ['file', recording, 'audio.wav'],
    ['model', 'gpt-4o-mini-transcribe'],
    ['language', 'zh'],
  ];
  expect(await transcribed(fields)).toMatchObject(cantonese);
});
