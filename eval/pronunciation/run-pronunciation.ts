import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { AppError } from '@jyutsing/contracts/errors';
import { loadShippedVoices } from '#server/features/voices/shipped-voices.ts';
import { withProgress } from '../progress.ts';
import { runPeople } from '../people/run-people.ts';
import { writeJson, type EvaluationOptions } from '../run.ts';
import { sentencesToSpeak } from '../tts/spoken-set.ts';
import type { SynthesisVoice } from '@jyutsing/contracts/synthesizer';
import { PASS_MARKS } from '@jyutsing/contracts/pronunciation';
import { learnerFigures } from './learner-figures.ts';
import { findLearners, runLearnerTrials } from './learner-trials.ts';
import { joinNatives } from './joined-natives.ts';
import { madeCaseReport, madeCases, runMadeCases } from './made-cases.ts';
import { findNatives, nativeFigures, nativeSet, runNativeTrials, type NativeSet } from './native-trials.ts';
import type { PronunciationPart } from './parts.ts';
import { writePictures, type Scored } from './pictures.ts';
import { learnerReport, nativeReport, sentenceReport, syllableReport } from './pronunciation-report.ts';
import { readingReport, readingSentences, runReadingTrials } from './reading-trials.ts';
import { runSentenceTrials, sentenceFigures } from './sentence-trials.ts';
import { syllableFigures } from './syllable-figures.ts';
import { EARLIER_RECORDINGS, existingSyllablesReader, findSyllableSets, runSyllableTrials } from './syllable-trials.ts';
import { drawTones } from './tone-pictures.ts';
import { withScorer } from './with-scorer.ts';

type PronunciationOptions = EvaluationOptions & {
  /** None: the table of people beside its goals. */
  parts: readonly PronunciationPart[];
  /** Sentences per language. */
  sentences: number;
  /** Synthesizer of the sentences. */
  model: string;
  /** Output folder for one picture per language; null for none. */
  picturesDir: string | null;
};

const VOICES_DIR = join(import.meta.dirname, '../../voices');

/**
 * Scores recordings and synthetic sentences with the built-in assessor, prints tables and draws
 * pictures.
 */
export async function runPronunciation(options: PronunciationOptions): Promise<number> {
  if (options.parts.length === 0) return runPeople({ ...options, only: ['scoring'], isQuick: false });
  const scored: Scored = { syllables: [], learners: null, natives: [], sentences: [] };
  const reports: string[] = [];
  const print = (report: string) => {
    reports.push(report);
    console.log(reports.length === 1 ? report : `\n${report}`);
  };
  if (options.parts.includes('syllables')) await measureSyllables(options, scored, print);
  if (options.parts.includes('learners')) await measureLearners(options, scored, print);
  if (options.parts.includes('natives')) await measureNatives(options, scored, print);
  if (options.parts.includes('sentences')) await measureSentences(options, scored, print);
  if (options.parts.includes('readings')) await measureReadings(options, print);
  if (options.parts.includes('cases')) await measureCases(options, print);
  if (options.parts.includes('tones')) await drawTonePicture(options, print);
  if (reports.length === 0) throw new AppError('invalid_parameter', 'No recordings to measure.');
  if (options.picturesDir !== null) {
    const written = await writePictures(options.picturesDir, options.languages, scored);
    for (const path of written) console.error(`drawn: ${relative(process.cwd(), path)}`);
  }
  return 0;
}

type Print = (report: string) => void;

async function measureSyllables(options: PronunciationOptions, scored: Scored, print: Print): Promise<void> {
  const { folders } = options.locations;
  const sets = (await findSyllableSets(folders, options.limit)).filter(({ language }) =>
    options.languages.includes(language),
  );
  if (sets.length === 0)
    console.error('syllables skipped: name a folder with tables of syllable recordings with --sets');
  const existingOf = existingSyllablesReader(folders);
  for (const set of sets) {
    const existing = await existingOf(set.language);
    for (const earlier of [0, EARLIER_RECORDINGS]) {
      const name = earlier === 0 ? set.name : `${set.name}; register known from ${earlier} others`;
      const trials = await withScorer(options.place, set.language, (scorer) =>
        withProgress(name, set.recordings.length, (onProgress) =>
          runSyllableTrials(set, scorer, existing, { earlier, onProgress }),
        ),
      );
      if (trials === null) break;
      const named = { ...set, name };
      scored.syllables.push({ set: named, trials });
      print(syllableReport(syllableFigures(named, trials, PASS_MARKS[set.language]), existing.summary, options.format));
      await writeJson(options, { kind: 'pronunciation', ...scored });
    }
  }
}

async function measureLearners(options: PronunciationOptions, scored: Scored, print: Print): Promise<void> {
  if (!options.languages.includes('english')) return;
  const learners = await findLearners(options.locations.folders, options.limit);
  if (learners === null) {
    console.error('learners skipped: name a folder with rated recordings with --sets');
    return;
  }
  const trials = await withScorer(options.place, 'english', (scorer) =>
    withProgress('English learners', learners.length, (done) => runLearnerTrials(learners, scorer, done)),
  );
  if (trials === null) return;
  const figures = learnerFigures(trials);
  scored.learners = { trials, figures };
  print(learnerReport(figures, options.format));
  await writeJson(options, { kind: 'pronunciation', ...scored });
}

async function measureNatives(options: PronunciationOptions, scored: Scored, print: Print): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'jyutsing-natives-'));
  try {
    const sets = await findNativeSets(options, folder);
    if (sets.length === 0)
      console.error('natives skipped: name a folder with recordings of native speakers with --sets');
    for (const set of sets) {
      const trials = await withScorer(options.place, set.language, (scorer) =>
        withProgress(set.name, set.recordings.length, (done) => runNativeTrials(set, scorer, done)),
      );
      if (trials === null) continue;
      scored.natives.push({ name: set.name, trials });
      print(nativeReport(set.name, nativeFigures(set.language, trials), trials.length, options.format));
      await writeJson(options, { kind: 'pronunciation', ...scored });
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Sentences in Cantonese, and words in Mandarin, which are joined in the folder. */
async function findNativeSets({ locations, languages, limit }: PronunciationOptions, folder: string) {
  const sets: NativeSet[] = [];
  const natives = languages.includes('cantonese') ? await findNatives(locations.folders, limit) : null;
  if (natives !== null) sets.push(await nativeSet(natives));
  if (languages.includes('mandarin')) sets.push(...((await joinNatives(locations.folders, limit, folder)) ?? []));
  return sets;
}

function shippedVoices(): SynthesisVoice[] {
  const voices = loadShippedVoices(VOICES_DIR).map(({ voice: { id, profile } }) => ({ id, profile, reference: null }));
  if (voices.length === 0) throw new AppError('internal_error', 'No shipped voice was found.');
  return voices;
}

/** Made cases for each of which the verdict must be exactly where the change is. */
const MADE_CASES = 150;

async function measureCases(options: PronunciationOptions, print: Print): Promise<void> {
  if (!options.languages.includes('cantonese')) return;
  const input = {
    cases: madeCases(Math.min(MADE_CASES, options.limit)),
    voices: shippedVoices(),
    model: options.model,
  };
  const trials = await withScorer(options.place, 'cantonese', (scorer) =>
    withProgress('made cases', input.cases.length, (done) => runMadeCases(input, scorer, options.place, done)),
  );
  if (trials !== null) print(madeCaseReport(trials, options.format));
}

async function drawTonePicture({ picturesDir, languages, locations, place }: PronunciationOptions, print: Print) {
  if (picturesDir === null || !languages.includes('cantonese')) return;
  const path = await drawTones({ folder: picturesDir, sets: locations.folders }, place);
  if (path === null)
    console.error('tones skipped: name the folder of yue-syllables-kt and yue-sentences-dev with --sets');
  else print(`drawn: ${relative(process.cwd(), path)}`);
}

async function measureReadings(options: PronunciationOptions, print: Print): Promise<void> {
  if (!options.languages.includes('cantonese')) return;
  const sentences = readingSentences(Math.min(options.sentences, options.limit));
  const input = { sentences, voices: shippedVoices(), model: options.model };
  const trials = await withScorer(options.place, 'cantonese', (scorer) =>
    withProgress('readings by context', sentences.length, (done) =>
      runReadingTrials(input, scorer, options.place, done),
    ),
  );
  if (trials !== null) print(readingReport(trials, options.format));
}

async function measureSentences(options: PronunciationOptions, scored: Scored, print: Print): Promise<void> {
  const voices = shippedVoices();
  const count = Math.min(options.sentences, options.limit);
  for (const language of options.languages) {
    const sentences = await sentencesToSpeak(language, count);
    const trialInput = { language, sentences, voices, model: options.model };
    const trials = await withScorer(options.place, language, (scorer) =>
      withProgress(`sentences in ${language}`, sentences.length, (done) =>
        runSentenceTrials(trialInput, scorer, options.place, done),
      ),
    );
    if (trials === null) continue;
    scored.sentences.push({ language, trials });
    await writeJson(options, { kind: 'pronunciation', ...scored });
  }
  const figures = scored.sentences.flatMap(({ language, trials }) => sentenceFigures(language, trials));
  if (figures.length > 0) print(sentenceReport(figures, options.format));
}
