// Runs where the packages are installed: one client, unchanged, against the service. Arguments: the
// name of the package, the address, the key, the folder with sentence.wav. Prints a line of JSON for
// each ability: {"does", "got"}; "got" is what the client received, or begins with "FAILED".
import { createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { experimental_generateSpeech as generateSpeech, experimental_transcribe as transcribe } from 'ai';
import { createDeepgram } from '@ai-sdk/deepgram';
import { createElevenLabs } from '@ai-sdk/elevenlabs';
import { createGroq } from '@ai-sdk/groq';
import { createOpenAI } from '@ai-sdk/openai';
import { ElevenLabsClient } from '@elevenlabs/elevenlabs-js';
import Groq from 'groq-sdk';

const [name, url, apiKey, folder] = process.argv.slice(2);
const recording = join(folder, 'sentence.wav');
const TEXT = '早晨，今日好熱。';
const VOICE = 'JBFqnCBsd6RMkjVDRZzb';

async function attempt(does, work) {
  const got = await work().catch((thrown) => `FAILED ${thrown.name}: ${thrown.responseBody ?? thrown.message}`);
  console.log(JSON.stringify({ does, got: String(got).slice(0, 400) }));
}

/** A provider without a setting for its address reaches this one instead. */
const insteadOf = (host) => ({ apiKey, fetch: (address, init) => fetch(String(address).replace(host, url), init) });

async function textOf(model, providerOptions) {
  const { text } = await transcribe({ model, audio: readFileSync(recording), providerOptions, maxRetries: 0 });
  return text;
}

async function soundOf(model, options) {
  const { audio } = await generateSpeech({ model, text: TEXT, maxRetries: 0, ...options });
  return `${audio.uint8Array.length} bytes`;
}

const programs = {
  async '@ai-sdk/openai'() {
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
  },
  async '@ai-sdk/deepgram'() {
    const provider = createDeepgram(insteadOf('https://api.deepgram.com'));
    const options = { language: 'zh-HK', smartFormat: true, diarize: true, utterances: true, detectEntities: true };
    await attempt('file', () => textOf(provider.transcription('nova-3'), {}));
    await attempt('file, options', () => textOf(provider.transcription('nova-3'), { deepgram: options }));
    for (const outputFormat of ['mp3', 'wav', 'linear16_16000', 'mulaw', 'opus', 'flac', 'aac'])
      await attempt(`speech, ${outputFormat}`, () => soundOf(provider.speech('aura-2-helena-en'), { outputFormat }));
  },
  async '@ai-sdk/elevenlabs'() {
    const provider = createElevenLabs(insteadOf('https://api.elevenlabs.io'));
    const options = { languageCode: 'yue', diarize: true, numSpeakers: 2, timestampsGranularity: 'character' };
    await attempt('file', () => textOf(provider.transcription('scribe_v1'), {}));
    await attempt('file, options', () => textOf(provider.transcription('scribe_v1'), { elevenlabs: options }));
    for (const outputFormat of ['mp3', 'pcm_16000', 'ulaw'])
      await attempt(`speech, ${outputFormat}`, () =>
        soundOf(provider.speech('eleven_v3'), { voice: VOICE, outputFormat }),
      );
  },
  async '@ai-sdk/groq'() {
    const provider = createGroq({ apiKey, baseURL: `${url}/openai/v1` });
    const options = { language: 'yue', responseFormat: 'verbose_json', timestampGranularities: ['segment', 'word'] };
    await attempt('file', () => textOf(provider.transcription('whisper-large-v3-turbo'), {}));
    await attempt('file, options', () => textOf(provider.transcription('whisper-large-v3-turbo'), { groq: options }));
  },
  async 'groq-sdk'() {
    const client = new Groq({ apiKey, baseURL: url, maxRetries: 0 });
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
  },
  async '@elevenlabs/elevenlabs-js'() {
    const client = new ElevenLabsClient({ apiKey, baseUrl: url });
    const hear = (options) =>
      client.speechToText.convert({ file: createReadStream(recording), modelId: 'scribe_v2', ...options });
    await attempt('file', async () => (await hear({ diarize: true, keyterms: ['地鐵'] })).text);
    await attempt(
      'SubRip',
      async () => (await hear({ additionalFormats: [{ format: 'srt' }] })).additionalFormats[0].content,
    );
    await attempt('speech', async () => {
      let total = 0;
      for await (const part of await client.textToSpeech.convert(VOICE, { text: TEXT, outputFormat: 'pcm_16000' }))
        total += part.length;
      return `${total} bytes`;
    });
  },
};
await programs[name]();
process.exit(0);
