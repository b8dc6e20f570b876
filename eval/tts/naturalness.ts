import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';
import type { SynthesisVoice } from '@jyutsing/contracts/synthesizer';
import { mean, standardDeviation } from '@jyutsing/numeric/statistics';
import { readSets, type SetLocations } from '../find-sets.ts';
import { asTable, type TableFormat } from '../report.ts';
import { spread } from '../run.ts';
import type { EngineLocation } from '../tasks.ts';
import { askPython } from './ask-python.ts';
import { sentencesToSpeak, speakToWav, type SynthesisStyle } from './spoken-set.ts';

export type NaturalnessOptions = {
  /** Sentences of a language, and recordings of people. */
  sentences: number;
  languages: readonly Language[];
  /** A Python with Distill-MOS and hibari-tts. */
  python: string;
  /** Recordings of people, of which those with a text are rated beside the voices. */
  people: SetLocations;
  voicesOf(language: Language): readonly SynthesisVoice[];
  style: Omit<SynthesisStyle, 'model'>;
  folder: string;
};

/** The opinion score, 1 to 5, that a network predicts for recordings by one speaker. */
export type NaturalnessRow = { language: Language; by: string; clips: number; score: number; halfInterval: number };

/** The engines of a language that are compared, the best one first. */
const ENGINES: Readonly<Record<Language, readonly string[]>> = {
  cantonese: ['syllable', 'espeak'],
  mandarin: ['syllable', 'espeak'],
  english: ['hibari', 'espeak'],
};
const PACKAGE = 'hibari-tts (Python)';
const PEOPLE = 'people';
/** Standard errors on either side of a mean within which it is to 95 %. */
const INTERVAL = 1.96;

type Clip = { language: Language; by: string; path: string };

/**
 * Speaks the last sentences of each language with the built-in engines, in alternating voices, and
 * English ones with the Python package, and has Distill-MOS (Stahl and Gamper, ICASSP 2025) rate
 * them beside recordings of people.
 */
export async function measureNaturalness(
  { sentences: count, languages, python, people, voicesOf, style, folder }: NaturalnessOptions,
  place: EngineLocation,
  onProgress: (done: number) => void,
): Promise<NaturalnessRow[]> {
  const clips: Clip[] = [];
  for (const language of languages) {
    const voices = voicesOf(language);
    const sentences = (await sentencesToSpeak(language, Infinity)).slice(-count);
    for (const model of ENGINES[language]) {
      for (const [index, text] of sentences.entries()) {
        const path = join(folder, `${language}-${model}-${index}.wav`);
        const voice = voices[index % voices.length]!;
        await writeFile(path, await speakToWav(text, language, voice, { ...style, model }, place));
        clips.push({ language, by: model, path });
        onProgress(clips.length);
      }
    }
    if (language === 'english') clips.push(...(await speakWithPackage(python, sentences, folder)));
  }
  clips.push(...(await recordingsOfPeople(people, languages, count)));
  const scores = askPython(
    python,
    'rate_speech.py',
    [],
    clips.map(({ path }) => path),
  ).map(Number);
  return rowsOf(clips.map((clip, index) => ({ ...clip, score: scores[index] ?? Number.NaN })));
}

async function speakWithPackage(python: string, sentences: readonly string[], folder: string): Promise<Clip[]> {
  const packageFolder = join(folder, 'package');
  await mkdir(packageFolder, { recursive: true });
  askPython(python, 'speak_english.py', [packageFolder], sentences);
  return sentences.map((_, index) => ({
    language: 'english',
    by: PACKAGE,
    path: join(packageFolder, `${index}.wav`),
  }));
}

async function recordingsOfPeople(
  people: SetLocations,
  languages: readonly Language[],
  count: number,
): Promise<Clip[]> {
  if (people.folders.length === 0) return [];
  const items = (await readSets(people)).flatMap((set) => set.items).filter(({ text }) => Boolean(text));
  return languages.flatMap((language) => {
    const ofLanguage = items.filter((item) => item.language === language);
    return spread(ofLanguage, count).map(({ path }) => ({ language, by: PEOPLE, path }));
  });
}

function rowsOf(rated: readonly (Clip & { score: number })[]): NaturalnessRow[] {
  return LANGUAGES.flatMap((language) => {
    const ofLanguage = rated.filter((clip) => clip.language === language);
    return [...new Set(ofLanguage.map(({ by }) => by))].map((by) => {
      const scores = ofLanguage.filter((clip) => clip.by === by).map(({ score }) => score);
      const halfInterval = (INTERVAL * standardDeviation(scores)) / Math.sqrt(scores.length);
      return { language, by, clips: scores.length, score: mean(scores), halfInterval };
    });
  });
}

export function naturalnessReport(rows: readonly NaturalnessRow[], format: TableFormat): string {
  const lines = rows.map(({ language, by, clips, score, halfInterval }) => [
    language,
    by,
    String(clips),
    score.toFixed(2),
    `${(score - halfInterval).toFixed(2)}–${(score + halfInterval).toFixed(2)}`,
  ]);
  return asTable(['language', 'by', 'recordings', 'opinion score', '95 % interval'], lines, format);
}
