import OpenAI, { toFile } from 'openai';
import { beforeAll, describe, expect, it } from 'vitest';
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
