import { createReadStream, readFileSync } from 'node:fs';
import { apiKey, attempt, name, recording, samples, TEXT, url } from './harness.js';

const settings = { apiKey, maxRetries: 0 };
const PIECE_BYTES = 4_800;

const sockets = async () => (await import(`${name}/realtime/ws`)).OpenAIRealtimeWS;

async function openai() {
  const { default: OpenAI, AzureOpenAI } = await import(name);
  const client = new OpenAI({ ...settings, baseURL: `${url}/v1` });
  const hear = (options) => client.audio.transcriptions.create({ file: createReadStream(recording), ...options });
  const detection = { type: 'server_vad', threshold: 0.4, prefix_padding_ms: 200, silence_duration_ms: 300 };
  const verbose = { response_format: 'verbose_json', timestamp_granularities: ['word', 'segment'] };
  const speakers = { response_format: 'diarized_json', chunking_strategy: detection };
  await attempt('file', async () => (await hear({ model: 'gpt-4o-transcribe', language: 'yue' })).text);
  await attempt('file, with times', async () => (await hear({ model: 'whisper-1', ...verbose })).text);
  await attempt('file, speakers', async () => (await hear({ model: 'gpt-4o-transcribe-diarize', ...speakers })).text);
  await attempt('SubRip', () => hear({ model: 'whisper-1', response_format: 'srt' }));
  await attempt('WebVTT', () => hear({ model: 'whisper-1', response_format: 'vtt' }));
  await attempt('file as a stream', async () => {
    let text = '';
    const events = await hear({ model: 'gpt-4o-transcribe', stream: true, include: ['logprobs'] });
    for await (const event of events) text += event.delta ?? '';
    return text;
  });
  await attempt('speech', async () => {
    const order = { model: 'gpt-4o-mini-tts', voice: 'marin', input: TEXT, response_format: 'opus' };
    return `${(await (await client.audio.speech.create(order)).arrayBuffer()).byteLength} bytes`;
  });
  await attempt('models', async () => `${(await client.models.list()).data.length} models`);
  const hasRealtime = name !== 'openai4';
  if (hasRealtime)
    await attempt('realtime', async () =>
      listen(await (await sockets()).create(client, { model: 'gpt-4o-transcribe' })),
    );
  const azure = new AzureOpenAI({ ...settings, endpoint: url, apiVersion: '2025-03-01-preview' });
  await attempt('file, as Azure', async () => {
    const order = { file: createReadStream(recording), model: 'whisper-1' };
    return (await azure.audio.transcriptions.create(order)).text;
  });
  if (hasRealtime)
    await attempt('realtime, as Azure', async () =>
      listen(await (await sockets()).azure(azure, { deploymentName: 'gpt-4o-transcribe' })),
    );
}

/** Streams the sentence, and returns what was heard in the turns that the server found. */
async function listen(live) {
  const input = { format: { type: 'audio/pcm', rate: 24_000 }, transcription: { language: 'yue' } };
  const sound = at24kHz(new Int16Array(new Uint8Array(readFileSync(samples)).buffer));
  const { promise, resolve, reject } = Promise.withResolvers();
  live.on('session.created', () => {
    live.send({ type: 'session.update', session: { type: 'transcription', audio: { input } } });
    for (let at = 0; at < sound.length; at += PIECE_BYTES) {
      const audio = sound.subarray(at, at + PIECE_BYTES).toString('base64');
      live.send({ type: 'input_audio_buffer.append', audio });
    }
  });
  live.on('conversation.item.input_audio_transcription.completed', ({ transcript }) => resolve(transcript));
  live.on('error', reject);
  return promise.finally(() => live.close());
}

/** Three samples for each two of 16 kHz, as bytes. */
function at24kHz(heard) {
  const made = Int16Array.from({ length: Math.floor((heard.length * 3) / 2) - 1 }, (_, index) => {
    const at = (index * 2) / 3;
    const before = Math.floor(at);
    return heard[before] + (at - before) * ((heard[before + 1] ?? 0) - heard[before]);
  });
  return Buffer.from(made.buffer);
}

async function groq() {
  const { default: Groq } = await import('groq-sdk');
  const client = new Groq({ ...settings, baseURL: url });
  const options = {
    model: 'whisper-large-v3-turbo',
    response_format: 'verbose_json',
    timestamp_granularities: ['word'],
  };
  await attempt(
    'file',
    async () => (await client.audio.transcriptions.create({ file: createReadStream(recording), ...options })).text,
  );
  await attempt('speech', async () => {
    const order = { model: 'playai-tts', voice: 'alloy', input: TEXT, response_format: 'wav' };
    return `${(await (await client.audio.speech.create(order)).arrayBuffer()).byteLength} bytes`;
  });
}

export const programs = { openai, openai6: openai, openai4: openai, 'groq-sdk': groq };
