import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SpokenWord } from '@jyutsing/contracts/spoken-text';
import type { SynthesisVoice } from '@jyutsing/contracts/synthesizer';
import { loadAddReadings } from '@jyutsing/text/normalization/add-readings';
import { normalize } from '@jyutsing/text/normalization/normalize';
import { splitText } from '@jyutsing/text/normalization/split-text';
import { openPronouncer } from '@jyutsing/text/pronunciation/english/pronounce-word';
import { JYUTPING_ONSETS, JYUTPING_RIMES } from '@jyutsing/text/syllables/jyutping';
import { CANTONESE_SOUNDS } from '#packages/engines/syllable/cantonese-sounds.ts';
import { englishLabels } from '#packages/engines/syllable/plan-syllables.ts';
import type { Item } from '../read-set.ts';
import type { EngineLocation } from '../tasks.ts';
import { measureIntelligibility, type IntelligibilityRow, type Misrecognized } from './intelligibility.ts';
import { speakToWav, type SynthesisStyle } from './spoken-set.ts';

type MixedOptions = {
  /** The first of these are compared with the others. */
  models: readonly string[];
  sentences: number;
  skip: number;
  voices: readonly SynthesisVoice[];
  style: Omit<SynthesisStyle, 'model'>;
  folder: string;
};

/**
 * Measures how clear Cantonese sentences with English words are, to the acoustic model that judges
 * our voices. English words are expected in the accent of Hong Kong, as far as jyutping can write
 * it; a model with another accent is therefore judged too strictly.
 */
export async function measureMixed(
  { models, sentences: count, skip, voices, style, folder }: MixedOptions,
  place: EngineLocation,
  onProgress: (count: number) => void,
): Promise<{ rows: IntelligibilityRow[]; misrecognized: Misrecognized[] }> {
  const file = await readFile(join(import.meta.dirname, 'sentences-mixed.txt'), 'utf8');
  const sentences = file
    .trim()
    .split('\n')
    .slice(skip, skip + count);
  const rows: IntelligibilityRow[] = [];
  const misrecognized: Misrecognized[] = [];
  for (const model of models) {
    const items: Item[] = [];
    for (const [index, text] of sentences.entries()) {
      const voice = voices[index % voices.length]!;
      const path = join(folder, `mixed-${model}-${index}.wav`);
      await writeFile(path, await speakToWav(text, 'cantonese', voice, { ...style, model }, place));
      items.push({ path, language: 'cantonese', text: null, units: await unitsOf(text), speaker: voice.id });
      onProgress(items.length);
    }
    const set = { name: `spoken by ${model}`, language: 'cantonese' as const, items };
    const measured = await measureIntelligibility(set, place, onProgress, 'acoustic model');
    rows.push(...measured.rows.map((row) => ({ ...row, by: model })));
    if (measured.misrecognized !== null) misrecognized.push(measured.misrecognized);
  }
  return { rows, misrecognized };
}

/** The syllables of a sentence as jyutping writes them. */
async function unitsOf(text: string): Promise<string[]> {
  reader ??= loadAddReadings();
  pronouncer ??= openPronouncer();
  const [read, { pronounce }] = await Promise.all([reader, pronouncer]);
  const pieces = splitText(text, 'cantonese').flatMap((piece) => normalize(piece, 'cantonese') ?? []);
  const words = pieces.flatMap((piece) => read(piece).phrases.flatMap((phrase) => phrase.words));
  const labelsOf = async (word: SpokenWord) =>
    word.language === 'english' ? englishLabels(word, CANTONESE_SOUNDS, async () => pronounce) : word.reading;
  return (await Promise.all(words.map(labelsOf))).flat().map(nearestJyutping);
}
let reader: ReturnType<typeof loadAddReadings> | null = null;
let pronouncer: ReturnType<typeof openPronouncer> | null = null;

/** Rimes of no word that the judge was taught, and those that it hears instead. */
const UNHEARD: Readonly<Record<string, string>> = {
  en: 'eng', et: 'ek', om: 'ong', op: 'ok', um: 'ung', up: 'uk', oet: 'oek', oem: 'oeng', oep: 'oek',
}; // prettier-ignore

/**
 * The syllable that the judge can hear: with a glide before high vowels, without the second
 * consonant of a cluster and the one after a diphthong, and with a rime that it was taught.
 */
export function nearestJyutping(label: string): string {
  const { onset, rime, tone } = CANTONESE_SOUNDS.partsOf(label);
  const glide = /^(?:i|yu)/.test(rime) ? 'j' : /^u(?!ng|k)/.test(rime) ? 'w' : '';
  const first = onset === '' ? glide : JYUTPING_ONSETS.includes(onset) ? onset : onset.charAt(0);
  const written = JYUTPING_RIMES.filter((candidate) => rime.startsWith(candidate));
  const longest = written.toSorted((a, b) => b.length - a.length)[0];
  return `${first}${UNHEARD[rime] ?? longest}${tone}`;
}
