import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Language } from '@jyutsing/contracts/transcript';
import { OWNER_KEY } from '#testbed/service/service.ts';
import { anyVoice } from '../tts/client.ts';

/** A recording of a text spoken by a shipped voice. */
export type Recording = {
  name: string;
  language: Language;
  text: string;
  path: string;
  bytes: Buffer;
  durationMs: number;
};

const TEXTS: readonly (Pick<Recording, 'name' | 'language' | 'text'> & { durationS: number })[] = [
  { name: 'Cantonese, 3 s', language: 'cantonese', text: '今日天氣好好，我哋去公園行下。', durationS: 3 },
  { name: 'Cantonese, 1 syllable', language: 'cantonese', text: '好', durationS: 0.5 },
  { name: 'Mandarin, 3 s', language: 'mandarin', text: '今天天气很好，我们去公园走走。', durationS: 3 },
  {
    name: 'English, 3 s',
    language: 'english',
    text: 'The weather is lovely today, we are going to the park.',
    durationS: 3,
  },
];
const SAMPLE_RATE_HZ = 24_000;
const HEADER_BYTES = 44;

/** Lets the service synthesize the texts as WAV files in a folder. */
export async function makeRecordings(baseUrl: string, folder: string): Promise<Recording[]> {
  const voice = await anyVoice(baseUrl);
  const recordings: Recording[] = [];
  for (const [index, { durationS, ...spoken }] of TEXTS.entries()) {
    const response = await fetch(`${baseUrl}/api/tts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': OWNER_KEY },
      body: JSON.stringify({ ...spoken, voice_id: voice, duration: durationS, frame_rate: String(SAMPLE_RATE_HZ) }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    if (response.status !== 200) throw new Error(`speech synthesis failed: ${bytes.toString()}`);
    const path = join(folder, `recording-${index}.wav`);
    await writeFile(path, bytes);
    const durationMs = ((bytes.length - HEADER_BYTES) / 2 / SAMPLE_RATE_HZ) * 1_000;
    recordings.push({ ...spoken, path, bytes, durationMs });
  }
  return recordings;
}
