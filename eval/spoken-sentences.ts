import { createHash } from 'node:crypto';
import { mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '@jyutsing/system/replace-file';
import { AppError } from '@jyutsing/contracts/errors';
import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';
import { wavBytes } from '#testbed/sound/audio.ts';
import { speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import { espeakPhones } from './espeak-phones.ts';
import type { EvaluationSet, Item } from './read-set.ts';
import { parseUnit } from './tokens.ts';

/**
 * Voices of espeak-ng; only the first five are in training data
 * (training/acoustic/make_synthetic.py).
 */
const VOICES: readonly { variant: string; rate: number; pitch: number }[] = [
  { variant: '', rate: 150, pitch: 50 },
  { variant: 'f2', rate: 165, pitch: 60 },
  { variant: 'm3', rate: 140, pitch: 40 },
  { variant: 'Annie', rate: 175, pitch: 55 },
  { variant: 'm7', rate: 160, pitch: 45 },
  { variant: 'f4', rate: 180, pitch: 45 },
  { variant: 'm6', rate: 155, pitch: 50 },
  { variant: 'Andrea', rate: 145, pitch: 50 },
  { variant: 'paul', rate: 170, pitch: 45 },
  { variant: 'linda', rate: 160, pitch: 55 },
];

/** Voices that read romanization: espeak-ng's own readings of characters are often wrong. */
const BASE_VOICES: Readonly<Record<Language, string>> = {
  cantonese: 'yue-latn-jyutping',
  mandarin: 'cmn-latn-pinyin',
  english: 'en-us',
};

/**
 * Sets that need no recordings: our own everyday sentences, on which no model was trained,
 * synthesized by espeak-ng in ten voices, one set per language. Units are the synthesizer's input
 * (readings of to-jyutping, the listed pinyin, espeak-ng's English phones), so wrong readings add
 * no unit errors. Caches audio in `cacheDir`.
 */
export async function makeSpokenSentences(
  cacheDir: string,
  languages: readonly Language[],
  sentencesOfEach = Infinity,
): Promise<EvaluationSet[]> {
  await mkdir(cacheDir, { recursive: true });
  const sets: EvaluationSet[] = [];
  for (const language of LANGUAGES.filter((candidate) => languages.includes(candidate))) {
    const items: Item[] = [];
    const sentences = (await readSentences(language)).slice(0, sentencesOfEach);
    for (const [index, { text, spoken }] of sentences.entries()) {
      const { path, variant, voice } = await speakSentence(cacheDir, language, spoken, index);
      const units =
        language === 'english'
          ? await phonesOf(spoken, voice, path.replace(/wav$/, 'phones'))
          : romanizedUnits(language, spoken);
      items.push({ path, language, text, units, speaker: variant || 'plain' });
    }
    sets.push({ name: `own sentences, synthetic (${language})`, items });
  }
  return sets;
}

/** Voice of sentence number `index`, in rotation. `variant` is '' for the plain voice. */
export function spokenVoice(language: Language, index: number) {
  const { variant, ...settings } = VOICES[index % VOICES.length]!;
  const base = BASE_VOICES[language];
  return { variant, voice: variant === '' ? base : `${base}+${variant}`, ...settings };
}

/**
 * Synthesizes one sentence in voice `index` (`spokenVoice`) and caches it in `cacheDir`, which must
 * exist.
 */
export async function speakSentence(cacheDir: string, language: Language, spoken: string, index: number) {
  const { variant, voice, rate, pitch } = spokenVoice(language, index);
  // The name is a digest of text and voice, so that a changed sentence is synthesized again.
  const digest = createHash('sha256').update(`${voice} ${rate} ${pitch} ${spoken}`).digest('hex').slice(0, 16);
  const path = join(cacheDir, `${language}-${digest}.wav`);
  await keep(path, async () => wavBytes(await speak(spoken, { voice, rate, pitch })));
  return { path, variant, voice };
}

/** Sentences with the input for espeak-ng. */
export async function readSentences(language: Language): Promise<{ text: string; spoken: string }[]> {
  if (language === 'mandarin') {
    return (await readLines('sentences-cmn.tsv')).map((line) => {
      const [text = '', pinyin = ''] = line.split('\t');
      return { text, spoken: pinyin };
    });
  }
  const texts = await readLines(language === 'cantonese' ? 'sentences-yue.txt' : 'sentences-eng.txt');
  return texts.map((text) => ({ text, spoken: language === 'cantonese' ? toJyutping(text) : text }));
}

async function readLines(file: string): Promise<string[]> {
  return (await readFile(join(import.meta.dirname, file), 'utf8')).trim().split('\n');
}

async function phonesOf(text: string, voice: string, path: string): Promise<string[]> {
  await keep(path, async () => (await espeakPhones(text, voice)).join(' '));
  return (await readFile(path, 'utf8')).split(' ');
}

/** Creates the file at `path` unless it exists. */
async function keep(path: string, make: () => Promise<Buffer | string>): Promise<void> {
  if ((await stat(path).catch(() => null)) === null) {
    // The next run must not measure a part of a file.
    await replaceFile(path, await make());
  }
}

/** Units of romanized speech, without the commas that mark pauses. */
export function romanizedUnits(language: Language, spoken: string): string[] {
  const syllables = spoken.split(/[ ,]+/).filter((syllable) => syllable !== '');
  return syllables.map((syllable) => {
    const unit = parseUnit(language, syllable);
    if (unit === null) throw new AppError('internal_error', `"${syllable}" is not a syllable of ${language}.`);
    return unit;
  });
}
