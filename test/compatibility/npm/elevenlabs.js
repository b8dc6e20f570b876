import { createReadStream } from 'node:fs';
import { apiKey, attempt, bytesOf, recording, TEXT, url, VOICE } from './harness.js';

async function newest() {
  const { ElevenLabsClient } = await import('@elevenlabs/elevenlabs-js');
  const client = new ElevenLabsClient({ apiKey, baseUrl: url });
  const hear = (options) =>
    client.speechToText.convert({ file: createReadStream(recording), modelId: 'scribe_v2', ...options });
  await attempt('file', async () => (await hear({ diarize: true, keyterms: ['地鐵'] })).text);
  await attempt(
    'SubRip',
    async () => (await hear({ additionalFormats: [{ format: 'srt' }] })).additionalFormats[0].content,
  );
  const order = { text: TEXT, outputFormat: 'pcm_16000' };
  await attempt('speech', async () => bytesOf(await client.textToSpeech.convert(VOICE, order)));
  await attempt('speech as a stream', async () => bytesOf(await client.textToSpeech.stream(VOICE, order)));
  await attempt('models', async () => `${(await client.models.list()).length} models`);
}

/** The package before it was renamed. */
async function older() {
  const { ElevenLabsClient } = await import('elevenlabs');
  const client = new ElevenLabsClient({ apiKey, environment: { base: url, wss: url.replace('http', 'ws') } });
  const order = { text: TEXT, model_id: 'eleven_flash_v2_5', output_format: 'pcm_24000' };
  await attempt('file', async () => {
    const form = { file: createReadStream(recording), model_id: 'scribe_v1', language_code: 'yue' };
    return (await client.speechToText.convert(form)).text;
  });
  await attempt('speech', async () => bytesOf(await client.textToSpeech.convert(VOICE, order)));
  await attempt('speech as a stream', async () => bytesOf(await client.textToSpeech.convertAsStream(VOICE, order)));
  await attempt('models', async () => `${(await client.models.getAll()).length} models`);
}

export const programs = { '@elevenlabs/elevenlabs-js': newest, elevenlabs: older };
