import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { wavBytes } from '#testbed/sound/audio.ts';
import { OWNER_KEY, request, requestIdOf, submission, waitForResult } from '#testbed/service/service.ts';
import { joinSounds, speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import { VIDEOS } from '#testbed/video-platform/catalogue.ts';
import { writeShortSpeech } from './sounds.ts';
import { anyVoice, cantoneseText, openStream, readToEnd } from './tts/client.ts';

const SCORED_TEXT = '今日天氣好好，我哋去公園行下。';

export type Send = () => Promise<void>;

/** One function for each kind of request; all throw when it fails. */
export async function createRequests(baseUrl: string, folder: string): Promise<Send[]> {
  const voice = await anyVoice(baseUrl);
  const path = join(folder, 'speech.mp3');
  await writeShortSpeech(path, 30);
  const recording = new Uint8Array(await readFile(path));
  const sample = await speakSample();
  let turn = 0;
  const speechFile = async (text: string) => {
    const response = await fetch(`${baseUrl}/api/tts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': OWNER_KEY },
      body: JSON.stringify({ text, voice_id: voice }),
    });
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (response.status !== 200) throw new Error(`speech failed: ${response.status}`);
    return bytes;
  };
  const scored = await speechFile(SCORED_TEXT);
  return [
    async () => {
      turn += 1;
      // A different context each time prevents a cached result.
      const fields = { context: `round ${turn}`, skip_fusion: 'false' };
      const id = requestIdOf(await request(`${baseUrl}/api/stt`, submission(recording, fields)));
      const record = await waitForResult(baseUrl, id, { timeoutMs: 300_000 });
      if (record['status'] !== 'completed') throw new Error(`a transcription failed: ${JSON.stringify(record)}`);
    },
    async () => void (await readToEnd(await openStream(baseUrl, voice, await cantoneseText(4, turn)))),
    async () => void (await speechFile(await cantoneseText(4, turn))),
    () => post(`${baseUrl}/api/score-pronunciation`, { text: SCORED_TEXT, language: 'cantonese' }, ['audio', scored]),
    async () => {
      const form = { name: 'bench', language: 'cantonese', consent: 'true' };
      const id = await createVoice(baseUrl, form, sample);
      await fetch(`${baseUrl}/api/voices/${id}`, { method: 'DELETE', headers: { 'x-api-key': OWNER_KEY } });
    },
    async () => {
      const body = JSON.stringify({ url: VIDEOS.cantoneseTalk.id, summaryLanguage: 'cantonese', api_key: OWNER_KEY });
      const headers = { 'content-type': 'application/json', 'x-api-key': OWNER_KEY };
      const answer = await request(`${baseUrl}/api/video-summary/summarize-from-url`, {
        method: 'POST',
        headers,
        body,
      });
      if (answer.status !== 200) throw new Error(`summary failed: ${JSON.stringify(answer.body)}`);
    },
  ];
}

/** Eight seconds of different sentences. */
async function speakSample(): Promise<Uint8Array> {
  const spoken = [];
  for (const text of ['今日天氣好好', '我哋去公園行下', '聽日可能會落雨', '記得帶遮出門口']) {
    spoken.push(await speak(toJyutping(text)));
  }
  return wavBytes(joinSounds(spoken, 250));
}

function formOf(fields: Record<string, string>, [name, bytes]: [string, Uint8Array]): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries({ api_key: OWNER_KEY, ...fields })) form.append(field, value);
  form.append(name, new Blob([new Uint8Array(bytes)]), `${name}.wav`);
  return form;
}

async function post(url: string, fields: Record<string, string>, file: [string, Uint8Array]): Promise<void> {
  const answer = await request(url, { method: 'POST', body: formOf(fields, file) });
  if (answer.status !== 200) throw new Error(`${url} was refused: ${JSON.stringify(answer.body)}`);
}

async function createVoice(baseUrl: string, fields: Record<string, string>, sample: Uint8Array): Promise<string> {
  const answer = await request(`${baseUrl}/api/voices`, { method: 'POST', body: formOf(fields, ['sample', sample]) });
  const voice = answer.body['voice'] as { voice_id: string } | undefined;
  if (voice === undefined) throw new Error(`no voice was created: ${JSON.stringify(answer.body)}`);
  return voice.voice_id;
}
