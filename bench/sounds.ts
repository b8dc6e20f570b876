import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { wavBytes, writeSound, type Sound } from '#test/audio.ts';
import { joinSounds, speak, toJyutping } from '#test/espeak-speech.ts';

/** The evaluation sentences, spoken one after the other: about three minutes. */
async function speakSentences(): Promise<Sound> {
  const lines = (await readFile(join(import.meta.dirname, '../eval/sentences-yue.txt'), 'utf8')).trim();
  const spoken = [];
  for (const line of lines.split('\n')) spoken.push(await speak(toJyutping(line)));
  return joinSounds(spoken, 400);
}

/** Writes an MP3 file of the first `seconds` of speech (three minutes at most). */
export async function writeShortSpeech(path: string, seconds: number): Promise<void> {
  const { sampleRateHz, channels } = await speakSentences();
  await writeSound(
    path,
    { sampleRateHz, channels: channels.map((all) => all.slice(0, seconds * sampleRateHz)) },
    'mp3',
  );
}

/** Writes a WAV file of this length: the sentences in a loop. */
export async function writeLongSpeech(path: string, seconds: number): Promise<void> {
  const round = await speakSentences();
  const wav = wavBytes(round);
  const headerBytes = 44;
  const wantedBytes = Math.round(seconds * round.sampleRateHz) * 2;
  wav.writeUInt32LE(36 + wantedBytes, 4);
  wav.writeUInt32LE(wantedBytes, 40);
  const file = await open(path, 'w');
  await file.write(wav.subarray(0, headerBytes));
  // One loop at a time, so that hours of audio are never in memory.
  for (let left = wantedBytes; left > 0; left -= wav.length - headerBytes) {
    await file.write(wav.subarray(headerBytes, Math.min(wav.length, headerBytes + left)));
  }
  await file.close();
}
