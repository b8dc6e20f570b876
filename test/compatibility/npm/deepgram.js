// The two older generations; the newest one is run by the tests beside the routes.
import { readFileSync } from 'node:fs';
import { apiKey, attempt, bytesOf, name, recording, samples, TEXT, url } from './harness.js';

const SAMPLES = { encoding: 'linear16', sample_rate: 16_000 };
const PIECE_BYTES = 3_200;

async function deepgram() {
  const { createClient } = await import(name);
  const websocket = { options: { url: url.replace('http', 'ws') } };
  const client = createClient(apiKey, { global: { fetch: { options: { url } }, websocket } });
  await attempt('file', async () => {
    const options = { model: 'nova-2', smart_format: true, language: 'zh-HK', utterances: true, paragraphs: true };
    const { result, error } = await client.listen.prerecorded.transcribeFile(readFileSync(recording), options);
    if (error) throw error;
    return result.results.channels[0].alternatives[0].transcript;
  });
  await attempt('live', () => live(client));
  await attempt('speech', async () => {
    const options = { model: 'aura-asteria-en', encoding: 'linear16', container: 'wav' };
    return bytesOf(await (await client.speak.request({ text: TEXT }, options)).getStream());
  });
  await attempt('speech live', () => spokenLive(client));
  await attempt('projects', async () => {
    const { result, error } = await client.manage.getProjects();
    if (error) throw error;
    return `${result.projects.length} project`;
  });
}

function live(client) {
  const options = { model: 'nova-2', language: 'zh-HK', interim_results: true, utterance_end_ms: 1_000, ...SAMPLES };
  const stream = client.listen.live(options);
  const sound = readFileSync(samples);
  return new Promise((resolve, reject) => {
    let text = '';
    stream.on('open', () => {
      for (let at = 0; at < sound.length; at += PIECE_BYTES) stream.send(sound.subarray(at, at + PIECE_BYTES));
      stream.requestClose();
    });
    stream.on('Results', ({ is_final: isFinal, channel }) => {
      if (isFinal) text += channel.alternatives[0].transcript;
    });
    stream.on('close', () => resolve(text));
    stream.on('error', (error) => reject(new Error(JSON.stringify(error))));
  });
}

function spokenLive(client) {
  const stream = client.speak.live({ model: 'aura-asteria-en', ...SAMPLES });
  return new Promise((resolve, reject) => {
    let total = 0;
    stream.on('Open', () => {
      stream.sendText(TEXT);
      stream.flush();
    });
    stream.on('Audio', (part) => (total += part.length));
    stream.on('Flushed', () => resolve(`${total} bytes`));
    stream.on('Error', (error) => reject(new Error(JSON.stringify(error))));
  });
}

export const programs = { deepgram3: deepgram, deepgram4: deepgram };
