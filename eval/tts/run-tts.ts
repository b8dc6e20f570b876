import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '@jyutsing/contracts/errors';
import type { SynthesisVoice } from '@jyutsing/contracts/synthesizer';
import type { Language } from '@jyutsing/contracts/transcript';
import { loadShippedVoices } from '#server/features/voices/shipped-voices.ts';
import { startProgress } from '../progress.ts';
import type { SpeakerGroup } from '../diarization/find-voices.ts';
import { writeJson, type EvaluationOptions } from '../run.ts';
import { measureCloning, type CloneRow } from './cloning.ts';
import { measureIntelligibility, type IntelligibilityRow, type Misrecognized } from './intelligibility.ts';
import { judgeSpeech } from './judge-speech.ts';
import type { Half } from './likeness-clips.ts';
import {
  cloningReport,
  intelligibilityReport,
  likenessReport,
  misrecognizedReport,
  prosodyReport,
} from './tts-report.ts';
import { writeListeningPage } from './listening-page.ts';
import { makeSpokenSet, sentencesToSpeak } from './spoken-set.ts';

type TtsEvaluationOptions = EvaluationOptions & {
  /** Sentences per language, after this many that are left out. */
  sentences: number;
  skip: number;
  /** Reference voices to clone, if there are recordings. */
  voices: number;
  group: SpeakerGroup;
  model: string;
  temperature: number;
  /**
   * The speed of the sentences that are understood or judged; a clone has the pace of its sample.
   */
  speed: number;
  /** Recordings of people: when named, likeness to people is measured instead. */
  people: readonly string[];
  /** Recordings of other synthesizers, to be judged too. */
  machines: readonly string[];
  /** Which half of the recordings and sentences is judged. */
  half: Half;
  /** When given, a page for listeners is written instead. */
  page: { folder: string; seed: number } | null;
  /** Whether joins, rhythm, pitch and energy are measured instead. */
  prosody: boolean;
  /** Whether all that the voice of recorded syllables has a goal for is measured instead. */
  goals: boolean;
  /** Whether Cantonese sentences with English words are measured instead. */
  mixed: boolean;
  /** When given, the English words that a Whisper model mishears are counted instead. */
  english: { python: string; whisper: string } | null;
  /** When given, a Python with a predictor of opinion scores, which rates the voices instead. */
  naturalness: { python: string } | null;
  /** When given, spectrograms are drawn into this folder instead. */
  picturesDir: string | null;
};

/** The model is compared with this one. */
const FORMER_MODEL = 'espeak';
/** The engine that the goals are about. */
const GOAL_MODEL = 'syllable';
const VOICES_DIR = join(import.meta.dirname, '../../voices');

/** Synthesizes and recognizes speech, and prints intelligibility and similarity of clones. */
export async function runTts(options: TtsEvaluationOptions): Promise<number> {
  const style = { model: options.model, temperature: options.temperature, speed: options.speed };
  const folder = await mkdtemp(join(tmpdir(), 'jyutsing-speaking-'));
  try {
    const intelligibility: IntelligibilityRow[] = [];
    const misrecognized: Misrecognized[] = [];
    const shipped = loadShippedVoices(VOICES_DIR).map(({ voice }) => voice);
    // The voice of English would make figures of Chinese differ from former ones.
    const ofCantonese = shipped.filter(({ language }) => language === 'cantonese');
    const asVoice = ({ id, profile }: (typeof shipped)[number]) => ({ id, profile, reference: null });
    const voices = (options.english === null ? ofCantonese : shipped).map(asVoice);
    if (voices.length === 0) throw new AppError('internal_error', 'No shipped voice was found.');
    if (options.picturesDir !== null) {
      const { drawSpectrograms } = await import('./spectrograms.ts');
      const picture = { folder: options.picturesDir, sets: options.locations.folders, voices };
      console.log(`drawn: ${await drawSpectrograms(picture, options.place)}`);
      return 0;
    }
    if (options.page !== null) {
      await writePage(options, options.page, voices);
      return 0;
    }
    if (options.goals) {
      const { goalsReport } = await import('./goals.ts');
      const rows = await findGoals(options, voices, folder);
      console.log(goalsReport(rows, options.format));
      await writeJson(options, { kind: 'speaking goals', rows });
      return 0;
    }
    if (options.english !== null) {
      const { englishReport, measureEnglish } = await import('./english-words.ts');
      const { temperature, speed } = options;
      const sentences = Math.min(options.sentences, ENGLISH_SENTENCES, options.limit);
      const progress = startProgress('english sentences', 2 * sentences);
      const english = { ...options.english, sentences, voices, style: { temperature, speed }, folder };
      const rows = await measureEnglish(english, options.place, progress.done);
      progress.finish('done');
      console.log(englishReport(rows, options.format));
      await writeJson(options, { kind: 'english words', rows });
      return 0;
    }
    if (options.naturalness !== null) {
      const { measureNaturalness, naturalnessReport } = await import('./naturalness.ts');
      const { languages, locations, limit, temperature, speed } = options;
      const sentences = Math.min(options.sentences, NATURALNESS_SENTENCES, limit);
      const progress = startProgress('naturalness', 2 * sentences * languages.length);
      const rated = { ...options.naturalness, sentences, languages, people: locations, style: { temperature, speed } };
      const voicesOf = (language: Language) => (language === 'english' ? shipped : ofCantonese).map(asVoice);
      const rows = await measureNaturalness({ ...rated, voicesOf, folder }, options.place, progress.done);
      progress.finish('done');
      console.log(naturalnessReport(rows, options.format));
      await writeJson(options, { kind: 'naturalness', rows });
      return 0;
    }
    if (options.mixed) {
      const { measureMixed } = await import('./mixed.ts');
      const { model, sentences, skip, temperature, speed } = options;
      const progress = startProgress('mixed sentences', sentences);
      const mixed = { models: [model, FORMER_MODEL], sentences, skip, voices, style: { temperature, speed }, folder };
      const measured = await measureMixed(mixed, options.place, progress.done);
      progress.finish('done');
      console.log(intelligibilityReport(measured.rows, options.format));
      for (const errors of measured.misrecognized) console.log(`\n${misrecognizedReport(errors, options.format)}`);
      await writeJson(options, { kind: 'mixed sentences', ...measured });
      return 0;
    }
    if (options.prosody) {
      const { measureProsodyGroups } = await import('./measure-prosody-groups.ts');
      const { locations, limit, model, temperature } = options;
      const models = [...new Set([model, FORMER_MODEL])];
      const groups = { sets: locations.folders, voices, models, temperature, limit, folder };
      console.log(prosodyReport(await measureProsodyGroups(groups, options.place), options.format));
      return 0;
    }
    if (options.people.length > 0) {
      const [language = 'cantonese'] = options.languages;
      const models = [...new Set([options.model, FORMER_MODEL])];
      const rows = await judgeSpeech({ ...options, models, voices, language, style, folder }, options.place);
      console.log(likenessReport(rows, options.format));
      await writeJson(options, { kind: 'likeness', rows });
      return 0;
    }
    for (const language of options.languages) {
      const count = Math.min(options.sentences, options.limit);
      const sentences = (await sentencesToSpeak(language, options.skip + count)).slice(options.skip);
      if (sentences.length === 0) throw new AppError('invalid_parameter', 'There are no sentences left to speak.');
      const synthesis = startProgress(`synthesis, ${language}`, sentences.length);
      const set = await makeSpokenSet(language, { sentences, voices, style, folder }, options.place, synthesis.done);
      synthesis.finish('done');
      const recognition = startProgress(`recognition, ${language}`, 2 * sentences.length);
      const measured = await measureIntelligibility(set, options.place, recognition.done);
      intelligibility.push(...measured.rows);
      if (measured.misrecognized !== null) misrecognized.push(measured.misrecognized);
      recognition.finish('done');
      await writeJson(options, { kind: 'speaking', understood: intelligibility, misrecognized });
    }
    console.log(intelligibilityReport(intelligibility, options.format));
    for (const errors of misrecognized) console.log(`\n${misrecognizedReport(errors, options.format)}`);
    const cloned = await cloneVoices(options, folder);
    if (cloned !== null) {
      console.log(`\n${cloningReport(cloned.rows, options.format)}`);
      console.log(`\n${intelligibilityReport(cloned.understood, options.format)}`);
      for (const reason of cloned.refused) console.error(`not cloned: ${reason}`);
    }
    await writeJson(options, { kind: 'speaking', understood: intelligibility, misrecognized, cloned });
    return 0;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function findGoals(
  { locations, sentences, limit, voices: clones, group, temperature, place }: TtsEvaluationOptions,
  voices: readonly SynthesisVoice[],
  folder: string,
) {
  const { measureGoals } = await import('./run-goals.ts');
  const models = { model: GOAL_MODEL, former: FORMER_MODEL };
  const counts = { sentences: Math.min(sentences, GOAL_SENTENCES, limit), clones, group, limit };
  return measureGoals({ sets: locations.folders, voices, ...models, temperature, ...counts, folder }, place);
}

/** The others are those on which voices are tuned. */
const GOAL_SENTENCES = 60;

/** Sentences on which nothing was tuned. */
const ENGLISH_SENTENCES = 100;

/** An interval of a tenth of a point or so. */
const NATURALNESS_SENTENCES = 60;

/** A listener judges so few pairs within ten minutes. */
const MOST_PAIRS = 40;

async function writePage(
  { locations, sentences, limit, place }: TtsEvaluationOptions,
  { folder, seed }: { folder: string; seed: number },
  voices: readonly SynthesisVoice[],
): Promise<void> {
  const pairs = Math.min(sentences, limit, MOST_PAIRS);
  const progress = startProgress('listening page', pairs);
  const page = { folder, seed, pairs, voices, sets: locations.folders, onProgress: progress.done };
  const written = await writeListeningPage(page, place);
  progress.finish(`${written.length} pairs`);
  console.log(`Open ${join(folder, 'index.html')} in a browser.`);
}

type Cloned = { rows: CloneRow[]; refused: string[]; understood: IntelligibilityRow[] };

/** Returns null when there are no recordings to clone. */
async function cloneVoices(options: TtsEvaluationOptions, folder: string): Promise<Cloned | null> {
  const { folders } = options.locations;
  if (folders.length === 0) {
    console.error('no voices cloned: name folders of recordings with --sets');
    return null;
  }
  const { group, voices, model, temperature } = options;
  const progress = startProgress('cloning', voices);
  const { rows, refused, spoken } = await measureCloning(
    { folders, group, voices, style: { model, temperature }, folder: join(folder, 'clones') },
    options.place,
    progress.done,
  );
  progress.finish(`${rows.length} voices`);
  if (rows.length === 0) return null;
  const recognition = startProgress('recognition, clones', 2 * rows.length);
  const { rows: understood } = await measureIntelligibility(spoken, options.place, recognition.done);
  recognition.finish('done');
  return { rows, refused, understood };
}
