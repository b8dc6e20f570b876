import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { durationOf, joinSounds, speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import { wavBytes, writeSound } from '#testbed/sound/audio.ts';

export type Recording = { language: 'cantonese' | 'mandarin' | 'english'; audio: Buffer; seconds: number };

/** Milliseconds between two sentences. */
const GAP_MS = 300;

/** Synthesized speech of three languages, a few seconds each. */
export async function makeRecordings(): Promise<Recording[]> {
  const sounds = [
    ['cantonese', await speak(toJyutping('今日天氣好好，我哋去公園行下。'))],
    [
      'mandarin',
      await speak('jin1 tian1 tian1 qi4 hen3 hao3 , wo3 men5 qu4 gong1 yuan2', { voice: 'cmn-latn-pinyin' }),
    ],
    ['english', await speak('We are going to the park after school.', { voice: 'en-us' })],
  ] as const;
  return sounds.map(([language, sound]) => ({
    language,
    audio: wavBytes(sound),
    seconds: durationOf(sound) / 1_000,
  }));
}

/** Lengths of the recordings that workers are measured with. */
const MEASURED_SECONDS = [60, 120, 180];

/**
 * Cantonese of one, two and three minutes, as MP3: uploads of plain samples would cost the API and
 * the S3 server a third of what the recognition costs.
 */
export async function makeMeasuredRecordings(folder: string): Promise<Recording[]> {
  const sentence = await speak(toJyutping('今日天氣好好，我哋去公園行下。'));
  const recordings: Recording[] = [];
  for (const seconds of MEASURED_SECONDS) {
    const times = Math.ceil((seconds * 1_000) / (durationOf(sentence) + GAP_MS));
    const sound = joinSounds(
      Array.from({ length: times }, () => sentence),
      GAP_MS,
    );
    const path = join(folder, `measured-${seconds}.mp3`);
    await writeSound(path, sound, 'mp3');
    recordings.push({ language: 'cantonese', audio: await readFile(path), seconds: durationOf(sound) / 1_000 });
  }
  return recordings;
}
