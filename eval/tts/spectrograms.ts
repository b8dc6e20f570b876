import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '@jyutsing/contracts/errors';
import type { SynthesisVoice } from '@jyutsing/contracts/synthesizer';
import { readTable } from '../pronunciation/tables.ts';
import { readSamples } from '../sound.ts';
import { photograph, spectrogramOf, type Spectrogram } from '../spectrogram.ts';
import type { EngineLocation } from '../tasks.ts';
import { speakToWav } from './spoken-set.ts';

/** A sentence of Common Voice (CC0), so that its picture may be published. */
const SENTENCE = { table: 'yue-sentences-dev', file: 'yue-sentences-dev/yue_sent_cv_lazy-059.flac' };
const VOICE = 'kelvin';
const SPEAKERS = [
  ['a person', null],
  ['recorded syllables', 'syllable'],
  ['synthetic sounds', 'espeak'],
] as const;

const SETTINGS = { size: 512, window: 400, hop: 64, topHz: 6_000, emphasis: 0.9 };

/**
 * Draws the same sentence by a person and by both built-in engines into `speech.jpg` of a folder.
 * Throws `invalid_parameter` without the recording.
 */
export async function drawSpectrograms(
  { folder, sets, voices }: { folder: string; sets: readonly string[]; voices: readonly SynthesisVoice[] },
  place: EngineLocation,
): Promise<string> {
  const table = await readTable(sets, SENTENCE.table);
  const text = table?.rows.find(({ file }) => file === SENTENCE.file)?.['text'];
  if (table === null || text === undefined) {
    throw new AppError('invalid_parameter', `Name the folder that has ${SENTENCE.file} with --sets.`);
  }
  const voice = voices.find(({ id }) => id === VOICE)!;
  const temporary = await mkdtemp(join(tmpdir(), 'jyutsing-spectrograms-'));
  try {
    const drawn: Spectrogram[] = [];
    for (const [name, model] of SPEAKERS) {
      const path = model === null ? join(table.folder, SENTENCE.file) : join(temporary, 'spoken.wav');
      if (model !== null) {
        await writeFile(path, await speakToWav(text, 'cantonese', voice, { model, temperature: 0.9 }, place));
      }
      drawn.push(spectrogramOf(name, await readSamples(path), SETTINGS));
    }
    await mkdir(folder, { recursive: true });
    const path = join(folder, 'speech.jpg');
    await writeFile(path, await photograph(drawn, { inRow: 1, height: 190 }));
    return path;
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}
