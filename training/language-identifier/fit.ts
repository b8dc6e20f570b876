// Fits models/language-identifier.json; see README.md beside this file.
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';
import { createRandom } from '#packages/numeric/random.ts';
import { likeliest, openLanguageScores, type LanguageCalibration } from '#packages/engines/builtin/language-scores.ts';
import { RECOGNIZER_SAMPLE_RATE_HZ as RATE_HZ } from '@jyutsing/contracts/recognizer';
import { readSamples } from '../../eval/sound.ts';
import { speechOf } from '../../eval/clips.ts';
import { openSources, readRows } from './clips.ts';
import { fitRegression, type Example } from './regression.ts';

const { values } = parseArgs({
  options: {
    sets: { type: 'string' },
    /** Clips of a source with share 2. */
    clips: { type: 'string', default: '200' },
    /** Lengths of the clips: recordings may be that short, and six seconds are enough. */
    seconds: { type: 'string', default: '3,6' },
    /** Cache of the scores of all clips, so that fitting again takes seconds. */
    scores: { type: 'string' },
    models: { type: 'string', default: 'models' },
    out: { type: 'string', default: 'models/language-identifier.json' },
  },
});
if (values.sets === undefined) {
  process.stderr.write('Missing option: --sets <folder>\n');
  process.exit(2);
}

const CLIP_SECONDS = values.seconds.split(',').map(Number);
const SEED = 12_345;
/** Human sentences that choose the prior and the bounds below; never fitted on. */
const DEVELOPMENT = 'yue-sentences-dev';
/**
 * Voices that the models find hard to hear are people whom they do not know: the listener decides.
 * Its logits get a prior for Cantonese. Chosen on the development set beside the held-out learners
 * and the synthetic sentences.
 */
const UNFAMILIAR: LanguageCalibration['unfamiliar'] = [1.35, 1.45];
const PRIOR: Readonly<Record<Language, number>> = { cantonese: 0, mandarin: 0, english: -1 };

type Clip = Example & {
  seconds: number;
  isTest: boolean;
  unfamiliarity: number;
  comparisons: number[];
  readings: number;
};

const clips = await loadOrMakeClips(values.sets);
const fitted = clips.filter(({ isTest }) => !isTest);
const calibration = calibrate(fitted);
await writeFile(values.out, `${JSON.stringify(calibration, null, 1)}\n`);
report(clips);

async function loadOrMakeClips(folder: string): Promise<Clip[]> {
  if (values.scores !== undefined && existsSync(values.scores)) {
    return JSON.parse(await readFile(values.scores, 'utf8')) as Clip[];
  }
  const made = await makeClips(folder);
  if (values.scores !== undefined) await writeFile(values.scores, JSON.stringify(made));
  return made;
}

async function makeClips(folder: string): Promise<Clip[]> {
  const scorer = await openLanguageScores(values.models);
  const made: Clip[] = [];
  const add = async (source: string, language: Language, sound: Float32Array, isTest: boolean) => {
    for (const seconds of CLIP_SECONDS) {
      // A recording hardly longer than the short clip gives no second one.
      if (seconds > CLIP_SECONDS[0]! && sound.length < 1.1 * CLIP_SECONDS[0]! * RATE_HZ) continue;
      const clip = sound.slice(0, seconds * RATE_HZ);
      const scores = await scorer.score(clip);
      const { comparisons, compareReadings } = await scorer.listen(clip, new AbortController().signal);
      // They would take most of the time, and joined syllables are no sentences to read.
      const readings = source.startsWith(DEVELOPMENT) ? await compareReadings() : 0;
      made.push({ source, language, seconds, isTest, ...scores, comparisons, readings });
    }
  };
  const sources = await openSources(folder, Math.max(...CLIP_SECONDS), createRandom(SEED));
  for (const { name, language, share, isTest, make } of sources) {
    const count = Math.round((share * Number(values.clips)) / 2);
    for (let index = 0; index < count; index++) await add(name, language, await make(), isTest);
    process.stderr.write(`${name}: ${count} recordings\n`);
  }
  for (const { file = '', set = '' } of await readRows(folder, DEVELOPMENT)) {
    const sound = await speechOf(await readSamples(join(folder, file)));
    await add(`${DEVELOPMENT}, ${set.replace('yue_sent_', '')}`, 'cantonese', sound, true);
  }
  await scorer.close();
  return made;
}

function print(cells: readonly string[]): void {
  process.stdout.write(`${cells.join('\t')}\n`);
}

/** Fits the weights of the models and those of the listener, whose constant takes the prior. */
function calibrate(examples: readonly Clip[]): LanguageCalibration {
  const weights = fitRegression(examples);
  const people = fitRegression(examples.map((clip) => ({ ...clip, values: clip.comparisons })));
  for (const language of LANGUAGES) people[language].push(people[language].pop()! + PRIOR[language]);
  return { weights: rounded(weights), people: rounded(people), unfamiliar: UNFAMILIAR };
}

/**
 * Prints the share of right decisions: of test sources by the fit on all others, of each fitted
 * source by a fit without it, and of the models alone.
 */
function report(all: readonly Clip[]): void {
  print(['clips', 'seconds', 'number', 'fitted on it', 'left out', 'left out, without the listener']);
  for (const source of new Set(all.map((clip) => clip.source))) {
    const sourceClips = all.filter((clip) => clip.source === source);
    const without = sourceClips[0]!.isTest ? calibration : calibrate(fitted.filter((clip) => clip.source !== source));
    for (const seconds of CLIP_SECONDS) {
      const timed = sourceClips.filter((clip) => clip.seconds === seconds);
      if (timed.length === 0) continue;
      const share = (by: LanguageCalibration, isHeard = true) => {
        const right = timed.filter(({ values: scores, unfamiliarity, comparisons, readings, language }) => {
          const hearing = isHeard ? { comparisons, readings } : null;
          return likeliest({ values: [...scores], unfamiliarity }, hearing, by, LANGUAGES)?.language === language;
        });
        return `${((100 * right.length) / timed.length).toFixed(0)} %`;
      };
      const fit = sourceClips[0]!.isTest ? '' : share(calibration);
      print([source, String(seconds), String(timed.length), fit, share(without), share(without, false)]);
    }
  }
}

function rounded({ cantonese, mandarin, english }: LanguageCalibration['weights']): LanguageCalibration['weights'] {
  return { cantonese: cantonese.map(round), mandarin: mandarin.map(round), english: english.map(round) };
}

function round(weight: number): number {
  return Number(weight.toPrecision(6));
}
