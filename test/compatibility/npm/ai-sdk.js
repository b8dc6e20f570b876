import { readFileSync } from 'node:fs';
import { apiKey, attempt, recording, samples, TEXT, url, VOICE } from './harness.js';

const PIECE_BYTES = 3_200;

/** A provider without a setting for its address reaches this one instead. */
const insteadOf = (host) => ({ apiKey, fetch: (address, init) => fetch(String(address).replace(host, url), init) });

/** The providers of one version of the SDK, whose functions had names of an experiment before 7. */
async function versionOf(sdk, provider) {
  const all = await import(sdk);
  const hear = all.transcribe ?? all.experimental_transcribe;
  const speak = all.generateSpeech ?? all.experimental_generateSpeech;
  const { experimental_streamTranscribe: listen } = all;
  return {
    provider: await import(provider),
    async textOf(model, providerOptions) {
      return (await hear({ model, audio: readFileSync(recording), providerOptions, maxRetries: 0 })).text;
    },
    async soundOf(model, options) {
      const { audio } = await speak({ model, text: TEXT, maxRetries: 0, ...options });
      return `${audio.uint8Array.length} bytes`;
    },
    /** Absent before 7. */
    liveTextOf:
      listen &&
      (async (model, providerOptions) => {
        const sound = readFileSync(samples);
        const pieces = Array.from({ length: Math.ceil(sound.length / PIECE_BYTES) }, (_, index) =>
          sound.subarray(index * PIECE_BYTES, (index + 1) * PIECE_BYTES),
        );
        const inputAudioFormat = { type: 'audio/pcm', rate: 16_000 };
        return listen({ model, audio: ReadableStream.from(pieces), inputAudioFormat, providerOptions }).text;
      }),
  };
}

async function openai({ provider: { createOpenAI }, textOf, soundOf, liveTextOf }) {
  const provider = createOpenAI({ apiKey, baseURL: `${url}/v1` });
  const options = {
    language: 'yue',
    prompt: '地鐵',
    temperature: 0.2,
    timestampGranularities: ['word', 'segment'],
    include: ['logprobs'],
  };
  for (const model of ['whisper-1', 'gpt-4o-transcribe', 'gpt-4o-mini-transcribe', 'gpt-4o-transcribe-diarize']) {
    await attempt(`file, ${model}`, () => textOf(provider.transcription(model), {}));
    await attempt(`file, ${model}, every option`, () => textOf(provider.transcription(model), { openai: options }));
  }
  const spoken = { voice: 'alloy', outputFormat: 'wav', speed: 1.2, instructions: 'calm' };
  await attempt('speech', () => soundOf(provider.speech('gpt-4o-mini-tts'), spoken));
  if (liveTextOf === undefined) return;
  for (const model of ['gpt-realtime-whisper', 'gpt-live-transcribe'])
    await attempt(`live, ${model}`, () =>
      liveTextOf(provider.transcription(model), { openai: { language: 'yue', streaming: { delay: 'low' } } }),
    );
}

async function deepgram({ provider: { createDeepgram }, textOf, soundOf }) {
  const provider = createDeepgram(insteadOf('https://api.deepgram.com'));
  const options = { language: 'zh-HK', smartFormat: true, diarize: true, utterances: true, detectEntities: true };
  await attempt('file', () => textOf(provider.transcription('nova-3'), {}));
  await attempt('file, options', () => textOf(provider.transcription('nova-3'), { deepgram: options }));
  for (const outputFormat of ['mp3', 'wav', 'linear16_16000', 'mulaw', 'opus', 'flac', 'aac'])
    await attempt(`speech, ${outputFormat}`, () => soundOf(provider.speech('aura-2-helena-en'), { outputFormat }));
}

async function elevenlabs({ provider: { createElevenLabs }, textOf, soundOf }) {
  const provider = createElevenLabs(insteadOf('https://api.elevenlabs.io'));
  const options = { languageCode: 'yue', diarize: true, numSpeakers: 2, timestampsGranularity: 'character' };
  await attempt('file', () => textOf(provider.transcription('scribe_v1'), {}));
  await attempt('file, options', () => textOf(provider.transcription('scribe_v1'), { elevenlabs: options }));
  for (const outputFormat of ['mp3', 'pcm_16000', 'ulaw'])
    await attempt(`speech, ${outputFormat}`, () =>
      soundOf(provider.speech('eleven_v3'), { voice: VOICE, outputFormat }),
    );
}

async function groq({ provider: { createGroq }, textOf }) {
  const provider = createGroq({ apiKey, baseURL: `${url}/openai/v1` });
  const options = { language: 'yue', responseFormat: 'verbose_json', timestampGranularities: ['segment', 'word'] };
  await attempt('file', () => textOf(provider.transcription('whisper-large-v3-turbo'), {}));
  await attempt('file, options', () => textOf(provider.transcription('whisper-large-v3-turbo'), { groq: options }));
}

async function azure({ provider: { createAzure }, textOf, soundOf }) {
  const provider = createAzure({ apiKey, baseURL: `${url}/openai/v1` });
  const older = createAzure({ apiKey, baseURL: `${url}/openai`, useDeploymentBasedUrls: true });
  await attempt('file', () => textOf(provider.transcription('whisper-1'), {}));
  await attempt('file, from a deployment', () => textOf(older.transcription('whisper-1'), {}));
  await attempt('speech', () => soundOf(provider.speech('tts-1'), { voice: 'alloy' }));
}

const PROVIDERS = { openai, deepgram, elevenlabs, groq, azure };
export const programs = Object.fromEntries(
  Object.entries(PROVIDERS).flatMap(([provider, run]) => [
    [`@ai-sdk/${provider}`, async () => run(await versionOf('ai', `@ai-sdk/${provider}`))],
    [`ai6-${provider}`, async () => run(await versionOf('ai6', `ai6-${provider}`))],
  ]),
);
