import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encodeWav, joinSounds, speak, toJyutping } from '../test/support/speech.ts';

/** A WAV file of at least this length: our own sentences, spoken, over and over. */
export async function writeSpeech(path: string, seconds: number): Promise<void> {
  const lines = (await readFile(join(import.meta.dirname, '../training/evaluate/sentences-yue.txt'), 'utf8'))
    .trim()
    .split('\n');
  const spoken = [];
  for (const line of lines) spoken.push(await speak(toJyutping(line)));
  const round = joinSounds(spoken, 400);
  const rounds = Math.ceil((seconds * round.sampleRateHz) / round.samples.length);
  const header = 44;
  const wav = encodeWav(round);
  const view = new DataView(wav.buffer);
  const file = await open(path, 'w');
  const wanted = Math.min(rounds * (wav.length - header), Math.round(seconds * round.sampleRateHz) * 2);
  view.setUint32(4, 36 + wanted, true);
  view.setUint32(40, wanted, true);
  await file.write(wav.subarray(0, header));
  // Piece by piece: hours of sound never lie in memory.
  for (let left = wanted; left > 0; left -= wav.length - header)
    await file.write(wav.subarray(header, Math.min(wav.length, header + left)));
  await file.close();
}
