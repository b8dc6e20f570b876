import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRealFft } from '@jyutsing/numeric/real-fft';
import { AppError } from '@jyutsing/contracts/errors';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import type { SynthesisVoice } from '@jyutsing/contracts/synthesizer';
import { openBrowser } from '#testbed/service/browser.ts';
import { readTable } from '../pronunciation/tables.ts';
import { readSamples } from '../sound.ts';
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

const SIZE = 512;
const WINDOW = 400;
const HOP = 64;
/** Frequencies up to 6 kHz are drawn. */
const BINS = Math.round((6_000 * SIZE) / RECOGNIZER_SAMPLE_RATE_HZ);
/** Levels below the loudest that are drawn. */
const RANGE_DB = 60;

/** Columns of levels, 0 to 255, low frequencies first. */
type Spectrogram = { name: string; columns: number; levels: number[] };

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
      drawn.push(spectrogramOf(name, await readSamples(path)));
    }
    await mkdir(folder, { recursive: true });
    const path = join(folder, 'speech.jpg');
    await writeFile(path, await photograph(drawn));
    return path;
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

function spectrogramOf(name: string, samples: Float32Array): Spectrogram {
  const fft = createRealFft(SIZE);
  const frame = new Float64Array(SIZE);
  const [re, im] = [new Float64Array(SIZE / 2 + 1), new Float64Array(SIZE / 2 + 1)];
  const columns = Math.max(0, Math.floor((samples.length - WINDOW) / HOP));
  const levelsDb: number[] = [];
  for (let column = 0; column < columns; column++) {
    for (let i = 0; i < WINDOW; i++) {
      const hann = 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / WINDOW);
      // Voices fall by 6 dB an octave: without that, little is seen above 2 kHz.
      const at = column * HOP + i;
      frame[i] = hann * (samples[at]! - 0.9 * (samples[at - 1] ?? 0));
    }
    fft.forward(frame, re, im);
    for (let k = 0; k < BINS; k++) levelsDb.push(10 * Math.log10(re[k]! ** 2 + im[k]! ** 2 + 1e-10));
  }
  const loudest = levelsDb.reduce((most, level) => Math.max(most, level), -Infinity);
  const levels = levelsDb.map((level) => Math.round(255 * Math.max(0, 1 + (level - loudest) / RANGE_DB)));
  return { name, columns, levels };
}

/** The pictures below each other, by a browser's canvas. */
async function photograph(drawn: readonly Spectrogram[]): Promise<Buffer> {
  const template = await readFile(new URL('spectrograms.html', import.meta.url), 'utf8');
  await using browser = await openBrowser();
  await using opened = await browser.open('about:blank');
  await opened.page.setContent(template.replace('SPECTROGRAMS', JSON.stringify({ drawn, bins: BINS })));
  return await opened.page.locator('main').screenshot({ type: 'jpeg', quality: 70 });
}
