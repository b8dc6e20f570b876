import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@jyutsing/contracts/errors';
import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';
import { wavBytes } from '#test/audio.ts';
import { speak, toJyutping } from '#test/espeak-speech.ts';
import { espeakPhones } from './espeak-phones.ts';
import type { EvaluationSet, Item } from './read-set.ts';
import { parseUnit } from './tokens.ts';

/** Voices of espeak-ng: the first half was heard in training, the others never (training/acoustic/make_synthetic.py). */
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

/** Voices that read romanisation aloud: the reading of characters that espeak-ng finds by itself is often wrong. */
const BASE_VOICES: Readonly<Record<Language, string>> = {
  cantonese: 'yue-latn-jyutping',
  mandarin: 'cmn-latn-pinyin',
  english: 'en-us',
};

/**
 * The sets that every clone can measure: our own everyday sentences, which no model was trained on, spoken by espeak-ng in ten
 * voices; a set for each language. The units are what was spoken: to-jyutping's readings, the pinyin beside the sentences, and
 * for English the phones that espeak-ng says it made; so a wrong reading costs nothing in unit error. Sound is kept in `cacheDir`.
 */
export async function makeSpokenSentences(
  cacheDir: string,
  languages: readonly Language[],
  sentencesOfEach = Infinity,
): Promise<EvaluationSet[]> {
  await mkdir(cacheDir, { recursive: true });
  const sets: EvaluationSet[] = [];
  for (const language of LANGUAGES.filter((each) => languages.includes(each))) {
    const items: Item[] = [];
    const sentences = (await readSentences(language)).slice(0, sentencesOfEach);
    for (const [index, { text, spoken }] of sentences.entries()) {
      const { path, variant, voice } = await speakSentence(cacheDir, language, spoken, index);
      const units =
        language === 'english'
          ? await phonesOf(spoken, voice, path.replace(/wav$/, 'phones'))
          : romanisedUnits(language, spoken);
      items.push({ path, language, text, units, speaker: variant || 'plain' });
    }
    sets.push({ name: `own sentences, synthetic (${language})`, items });
  }
  return sets;
}

/** The voice in which sentence number `index` is spoken; they take turns. `variant` is '' for the plain one. */
export function spokenVoice(language: Language, index: number) {
  const { variant, ...manner } = VOICES[index % VOICES.length]!;
  const base = BASE_VOICES[language];
  return { variant, voice: variant === '' ? base : `${base}+${variant}`, ...manner };
}

/** The sound of one sentence in the voice of that number (`spokenVoice`), kept in `cacheDir`, which must be there. */
export async function speakSentence(cacheDir: string, language: Language, spoken: string, index: number) {
  const { variant, voice, rate, pitch } = spokenVoice(language, index);
  // Named by what is said and how: a sentence that was changed must not be heard as it was.
  const digest = createHash('sha256').update(`${voice} ${rate} ${pitch} ${spoken}`).digest('hex').slice(0, 16);
  const path = join(cacheDir, `${language}-${digest}.wav`);
  await keep(path, async () => wavBytes(await speak(spoken, { voice, rate, pitch })));
  return { path, variant, voice };
}

/** Sentences with what espeak-ng is given for them. */
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

/** Makes the file at `path` where there is none yet. */
async function keep(path: string, make: () => Promise<Buffer | string>): Promise<void> {
  if ((await stat(path).catch(() => null)) === null) {
    // Renamed when it is whole: half a file would be measured at the next run.
    await writeFile(`${path}.part`, await make());
    await rename(`${path}.part`, path);
  }
}

/** The units of romanised speech, commas for pauses left out. */
export function romanisedUnits(language: Language, spoken: string): string[] {
  const syllables = spoken.split(/[ ,]+/).filter((syllable) => syllable !== '');
  return syllables.map((syllable) => {
    const unit = parseUnit(language, syllable);
    if (unit === null) throw new AppError('internal_error', `"${syllable}" is no syllable of ${language}.`);
    return unit;
  });
}
