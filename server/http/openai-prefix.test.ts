import { AzureOpenAI } from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLive } from '#testbed/clients/live-client.ts';
import { wav } from '#testbed/clients/requests.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const recording = () => new File([new Uint8Array(wav(1))], 'a.wav');

const azure = () =>
  new AzureOpenAI({ apiKey: server.ownerKey, endpoint: server.baseUrl, apiVersion: '2025-03-01-preview' });

const ask = (path: string, body: FormData | null = null) =>
  fetch(`${server.baseUrl}/openai/v1/${path}`, {
    method: body === null ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${server.ownerKey}` },
    body,
  });
const form = (fields: Record<string, string>) => {
  const made = new FormData();
  for (const [name, value] of Object.entries({ model: 'whisper-large-v3', ...fields })) made.append(name, value);
  made.append('file', recording());
  return made;
};

describe('the client of Azure OpenAI, with the key in api-key', () => {
  it('transcribes and speaks at the address of a deployment', async () => {
    const { text } = await azure().audio.transcriptions.create({ file: recording(), model: 'whisper-1' });
    expect(text).not.toBe('');
    const spoken = await azure().audio.speech.create({ model: 'tts-1', voice: 'alloy', input: '早晨' });
    expect((await spoken.arrayBuffer()).byteLength).toBeGreaterThan(1_000);
  });
});

// The addresses of `OpenAIRealtimeWS.azure` in openai 7.59, and of @ai-sdk/azure 4.0.85.
it.each(['/openai/realtime?api-version=2025-04-01-preview&', '/openai/v1/realtime?', '/v1/realtime?'])(
  'a session of Azure OpenAI opens at %s with the key in api-key',
  async (path) => {
    const headers = { 'api-key': server.ownerKey };
    const client = await openLive(server.baseUrl, `${path}intent=transcription`, { headers });
    expect(await client.next('session.created')).toMatchObject({ session: { type: 'transcription' } });
    client.socket.close();
    await client.closed;
  },
);

// The requests of groq-sdk 1.1 and the answer that @ai-sdk/groq 3.0 requires.
describe('a client of Groq', () => {
  it.each(['json', 'verbose_json'])('gets %s with the number of the request', async (format) => {
    const answer = await ask('audio/transcriptions', form({ response_format: format, temperature: '0' }));
    const { x_groq: groq, text } = (await answer.json()) as { x_groq: { id: string }; text: string };
    expect([answer.status, groq.id]).toEqual([200, answer.headers.get('x-request-id')]);
    expect(text).not.toBe('');
  });

  it('finds the models, and nothing else beside them', async () => {
    expect((await ask('models')).status).toBe(200);
    expect((await ask('chat/completions')).status).toBe(404);
  });

  it('elsewhere no answer names Groq', async () => {
    const request = { method: 'POST', headers: { 'x-api-key': server.ownerKey }, body: form({}) };
    expect(await (await fetch(`${server.baseUrl}/v1/audio/transcriptions`, request)).json()).not.toHaveProperty(
      'x_groq',
    );
  });
});
