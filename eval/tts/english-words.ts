import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SynthesisVoice } from '@jyutsing/contracts/synthesizer';
import { normalize } from '@jyutsing/text/normalization/normalize';
import { splitText } from '@jyutsing/text/normalization/split-text';
import { asTable, interval, percent, type TableFormat } from '../report.ts';
import { editDistance, errorRate, type Count, type ErrorRate } from '../score.ts';
import type { EngineLocation } from '../tasks.ts';
import { askPython } from './ask-python.ts';
import { speakToWav, type SynthesisStyle } from './spoken-set.ts';

export type EnglishOptions = {
  sentences: number;
  /** A Python with faster-whisper and hibari-tts, and the folder of a converted Whisper model. */
  python: string;
  whisper: string;
  voices: readonly SynthesisVoice[];
  style: Omit<SynthesisStyle, 'model'>;
  folder: string;
};

/** Words that a Whisper model misheard of one speaker. */
export type EnglishRow = { by: string; voice: string; words: number } & ErrorRate;

/** The engines that are compared; the package is the origin of the first. */
const ENGINES = ['hibari', 'espeak'] as const;
const PACKAGE = 'hibari-tts (Python)';

/**
 * Speaks English sentences with the built-in engines and the Python package, in alternating voices,
 * and counts the words that a Whisper model hears otherwise. The sentences are the last of
 * `sentences-eng.txt`, on which nothing was tuned.
 */
export async function measureEnglish(
  { sentences: count, python, whisper, voices, style, folder }: EnglishOptions,
  place: EngineLocation,
  onProgress: (done: number) => void,
): Promise<EnglishRow[]> {
  const file = await readFile(join(import.meta.dirname, 'sentences-eng.txt'), 'utf8');
  const sentences = file.trim().split('\n').slice(-count);
  const clips: { by: string; voice: string; text: string; path: string }[] = [];
  for (const model of ENGINES) {
    for (const [index, text] of sentences.entries()) {
      const voice = voices[index % voices.length]!;
      const path = join(folder, `english-${model}-${index}.wav`);
      await writeFile(path, await speakToWav(text, 'english', voice, { ...style, model }, place));
      clips.push({ by: model, voice: voice.id, text, path });
      onProgress(clips.length);
    }
  }
  const packageFolder = join(folder, 'package');
  await mkdir(packageFolder, { recursive: true });
  askPython(python, 'speak_english.py', [packageFolder], sentences);
  for (const [index, text] of sentences.entries())
    clips.push({ by: PACKAGE, voice: 'heart', text, path: join(packageFolder, `${index}.wav`) });
  const texts = askPython(
    python,
    'hear_english.py',
    [whisper],
    clips.map(({ path }) => path),
  );
  const counted = clips.map(({ by, voice, text }, index) => {
    const expected = wordsOf(text);
    const errors = editDistance(wordsOf(texts[index] ?? ''), expected);
    return { by, voice, count: { errors, length: expected.length, speaker: null } satisfies Count };
  });
  const rows: EnglishRow[] = [];
  for (const by of [...ENGINES, PACKAGE]) {
    const ofEngine = counted.filter((clip) => clip.by === by);
    for (const voice of ['all', ...new Set(ofEngine.map((clip) => clip.voice))]) {
      const counts = ofEngine.filter((clip) => voice === 'all' || clip.voice === voice).map((clip) => clip.count);
      rows.push({ by, voice, words: counts.reduce((sum, { length }) => sum + length, 0), ...errorRate(counts) });
    }
  }
  return rows;
}

export function englishReport(rows: readonly EnglishRow[], format: TableFormat): string {
  const lines = rows.map((row) => [row.by, row.voice, String(row.words), percent(row.rate), interval(row)]);
  return asTable(['spoken by', 'voice', 'words', 'misheard', '95 % interval'], lines, format);
}

/** The words as people say them, in one spelling: 11 is eleven, harbour is harbor. */
function wordsOf(text: string): string[] {
  const pieces = splitText(text, 'english').flatMap((piece) => normalize(piece, 'english') ?? []);
  const spoken = pieces.flatMap(({ phrases }) => phrases.flatMap(({ words }) => words.map((word) => word.spokenForm)));
  const words =
    spoken
      .join(' ')
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[a-z']+/g) ?? [];
  return words.map((word) =>
    word
      .replace(/(?<=[a-z]{2})our(?=s?$|ed$|ing$|ite)/, 'or')
      .replace(/^grey/, 'gray')
      .replace(/tre(?=s?$)/, 'ter')
      .replace(/is(?=e[ds]?$|ing$)/, 'iz'),
  );
}
