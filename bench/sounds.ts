import { open, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { wavBytes, writeSound, type Sound } from '#testbed/sound/audio.ts';
import { joinSounds, resample, speak, toJyutping } from '#testbed/sound/espeak-speech.ts';

const HEADER_BYTES = 44;
const SMALL_RATE_HZ = 8_000;

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

/** Writes a WAV file of 8 kHz: some seconds of speech, then silence up to this length. */
export async function writeSpeechThenSilence(path: string, spokenSeconds: number, seconds: number): Promise<void> {
  const { sampleRateHz, channels } = await speakSentences();
  const speech = channels.map((all) =>
    resample(all.slice(0, spokenSeconds * sampleRateHz), sampleRateHz, SMALL_RATE_HZ),
  );
  const wav = wavBytes({ sampleRateHz: SMALL_RATE_HZ, channels: speech });
  const soundBytes = seconds * SMALL_RATE_HZ * 2;
  setLength(wav, soundBytes);
  await writeFile(path, wav);
  // Adds zeros.
  await truncate(path, HEADER_BYTES + soundBytes);
}

/** Writes a WAV file of this length: the sentences in a loop. */
export async function writeLongSpeech(path: string, seconds: number): Promise<void> {
  const round = await speakSentences();
  const wav = wavBytes(round);
  const wantedBytes = Math.round(seconds * round.sampleRateHz) * 2;
  setLength(wav, wantedBytes);
  const file = await open(path, 'w');
  await file.write(wav.subarray(0, HEADER_BYTES));
  // One loop at a time, so that hours of audio are never in memory.
  for (let left = wantedBytes; left > 0; left -= wav.length - HEADER_BYTES) {
    await file.write(wav.subarray(HEADER_BYTES, Math.min(wav.length, HEADER_BYTES + left)));
  }
  await file.close();
}

/** Writes the length of its sound into the header of a WAV file. */
function setLength(wav: Buffer, soundBytes: number): void {
  wav.writeUInt32LE(HEADER_BYTES - 8 + soundBytes, 4);
  wav.writeUInt32LE(soundBytes, 40);
}
