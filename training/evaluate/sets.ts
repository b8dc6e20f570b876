import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { wavBytes } from '../../test/support/audio.ts';
import { speak, toJyutping } from '../../test/support/speech.ts';

/** One recording with what is said in it; null where the set does not say. */
export type Item = { path: string; jyutping: string[] | null; text: string | null };

/** Recordings that are measured together. */
export type EvaluationSet = { name: string; items: Item[] };

/**
 * A set of a user's own: a TSV file with a header, its columns `file` (relative to the TSV) and `jyutping`, `text` or both;
 * other columns are ignored.
 */
export async function readSet(tsvPath: string): Promise<EvaluationSet> {
  const [header, ...lines] = (await readFile(tsvPath, 'utf8')).split(/\r?\n/).filter((line) => line !== '');
  const columns = (header ?? '').split('\t');
  const at = { file: columns.indexOf('file'), jyutping: columns.indexOf('jyutping'), text: columns.indexOf('text') };
  if (at.file < 0 || (at.jyutping < 0 && at.text < 0)) {
    throw new TypeError(`${tsvPath}: the first line must name the columns "file" and "jyutping" or "text"`);
  }
  const items = lines.map((line) => {
    const cells = line.split('\t');
    return {
      path: resolve(dirname(tsvPath), cells[at.file] ?? ''),
      jyutping: at.jyutping < 0 ? null : (cells[at.jyutping] ?? '').split(' ').filter((syllable) => syllable !== ''),
      text: at.text < 0 ? null : (cells[at.text] ?? ''),
    };
  });
  return { name: basename(tsvPath, '.tsv'), items };
}

/**
 * The set that every clone can measure: our own everyday sentences, which no model was trained on, spoken by espeak-ng.
 * The readings are to-jyutping's; they are also what is spoken, so a wrong one costs nothing in syllable error.
 */
export async function makeSpokenSentences(cacheDir: string): Promise<EvaluationSet> {
  const sentences = (await readFile(join(import.meta.dirname, 'sentences-yue.txt'), 'utf8')).trim().split('\n');
  await mkdir(cacheDir, { recursive: true });
  const items: Item[] = [];
  for (const [index, text] of sentences.entries()) {
    const voice = VOICES[index % VOICES.length]!;
    const path = join(cacheDir, `${index}-${voice.voice.replace('+', '-')}.wav`);
    const jyutping = toJyutping(text);
    if ((await stat(path).catch(() => null)) === null) await writeFile(path, wavBytes(await speak(jyutping, voice)));
    items.push({ path, text, jyutping: jyutping.split(/[ ,]+/).filter((syllable) => syllable !== '') });
  }
  return { name: 'spoken-sentences (synthetic)', items };
}

const VOICES = [
  { voice: 'yue-latn-jyutping', rate: 150, pitch: 50 },
  { voice: 'yue-latn-jyutping+f2', rate: 165, pitch: 60 },
  { voice: 'yue-latn-jyutping+m3', rate: 140, pitch: 40 },
  { voice: 'yue-latn-jyutping+f4', rate: 180, pitch: 45 },
];
