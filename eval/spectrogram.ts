import { readFile } from 'node:fs/promises';
import { createRealFft } from '@jyutsing/numeric/real-fft';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { openBrowser } from '#testbed/service/browser.ts';

/** How a spectrogram is made: lengths in samples at 16 kHz, and the highest frequency drawn. */
export type SpectrogramSettings = {
  size: number;
  window: number;
  hop: number;
  topHz: number;
  /** Share of the sample before that is taken from each: voices fall by 6 dB an octave. */
  emphasis: number;
};

/** Columns of levels, 0 to 255, low frequencies first. */
export type Spectrogram = {
  name: string;
  columns: number;
  bins: number;
  levels: number[];
  /** Frequencies to draw into it, in bins, with their columns; absent: none. */
  points?: readonly (readonly [column: number, bin: number])[];
};

/** Levels below the loudest that are drawn. */
const RANGE_DB = 60;

/** The levels of a mono sound at 16 kHz. */
export function spectrogramOf(name: string, samples: Float32Array, settings: SpectrogramSettings): Spectrogram {
  const { size, window, hop, topHz, emphasis } = settings;
  const bins = Math.round((topHz * size) / RECOGNIZER_SAMPLE_RATE_HZ);
  const fft = createRealFft(size);
  const frame = new Float64Array(size);
  const [re, im] = [new Float64Array(size / 2 + 1), new Float64Array(size / 2 + 1)];
  const columns = Math.max(0, Math.floor((samples.length - window) / hop));
  const levelsDb: number[] = [];
  for (let column = 0; column < columns; column++) {
    for (let i = 0; i < window; i++) {
      const hann = 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / window);
      const at = column * hop + i;
      frame[i] = hann * (samples[at]! - emphasis * (samples[at - 1] ?? 0));
    }
    fft.forward(frame, re, im);
    for (let k = 0; k < bins; k++) levelsDb.push(10 * Math.log10(re[k]! ** 2 + im[k]! ** 2 + 1e-10));
  }
  const loudest = levelsDb.reduce((most, level) => Math.max(most, level), -Infinity);
  const levels = levelsDb.map((level) => Math.round(255 * Math.max(0, 1 + (level - loudest) / RANGE_DB)));
  return { name, columns, bins, levels };
}

/** A JPEG of spectrograms, as many beside each other as said, by a browser's canvas. */
export async function photograph(
  drawn: readonly Spectrogram[],
  layout: { inRow: number; height: number },
): Promise<Buffer> {
  const template = await readFile(new URL('spectrograms.html', import.meta.url), 'utf8');
  await using browser = await openBrowser();
  await using opened = await browser.open('about:blank');
  await opened.page.setContent(template.replace('SPECTROGRAMS', JSON.stringify({ drawn, ...layout })));
  return await opened.page.locator('main').screenshot({ type: 'jpeg', quality: 70 });
}
