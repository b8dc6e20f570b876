// Fits models/language-identifier.json; see README.md beside this file.
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';
import { createRandom } from '#packages/numeric/random.ts';
import {
  likeliest,
  openLanguageScores,
  type LanguageCalibration,
  type LanguageScores,
} from '#packages/engines/builtin/language-scores.ts';
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

/** Clips of both lengths: recordings may be that short, and six seconds are enough. */
const CLIP_SECONDS = [3, 6];
const SEED = 12_345;
/** Human sentences that choose the prior and the bounds below; never fitted on. */
const DEVELOPMENT = 'yue-sentences-dev';
/**
 * Chosen on the development set beside the held-out learners and the synthetic sentences:
 * voices that the models find hard to hear are people whom they do not know, and most of these are
 * expected to speak Cantonese.
 */
const PRIOR: Pick<LanguageCalibration, 'prior' | 'unfamiliar'> = {
  prior: { cantonese: 0, mandarin: -4, english: -4 },
  unfamiliar: [1.5, 1.7],
};
const NO_PRIOR: typeof PRIOR = { ...PRIOR, prior: { cantonese: 0, mandarin: 0, english: 0 } };

type Clip = Example & { seconds: number; isTest: boolean; unfamiliarity: number };

const clips = await loadOrMakeClips(values.sets);
const fitted = clips.filter(({ isTest }) => !isTest);
const weights = fitRegression(fitted);
await writeFile(values.out, `${JSON.stringify({ weights: rounded(weights), ...PRIOR }, null, 1)}\n`);
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
      const scores = await scorer.score(sound.slice(0, seconds * RATE_HZ));
      made.push({ source, language, seconds, isTest, ...scores });
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

/**
 * Prints the share of right decisions: of test sources by the fit on all others, of each fitted
 * source by a fit without it, with the prior and without.
 */
function report(all: readonly Clip[]): void {
  print(['clips', 'seconds', 'number', 'fitted on it', 'left out', 'left out, no prior']);
  for (const source of new Set(all.map((clip) => clip.source))) {
    const sourceClips = all.filter((clip) => clip.source === source);
    const without = sourceClips[0]!.isTest ? weights : fitRegression(fitted.filter((clip) => clip.source !== source));
    for (const seconds of CLIP_SECONDS) {
      const timed = sourceClips.filter((clip) => clip.seconds === seconds);
      if (timed.length === 0) continue;
      const share = (calibration: LanguageCalibration) => {
        const right = timed.filter(
          (clip) => likeliest(scoresOf(clip), calibration, LANGUAGES)?.language === clip.language,
        );
        return `${((100 * right.length) / timed.length).toFixed(0)} %`;
      };
      print([
        source,
        String(seconds),
        String(timed.length),
        sourceClips[0]!.isTest ? '' : share({ weights, ...PRIOR }),
        share({ weights: without, ...PRIOR }),
        share({ weights: without, ...NO_PRIOR }),
      ]);
    }
  }
}

function scoresOf({ values: clipValues, unfamiliarity }: Clip): LanguageScores {
  return { values: [...clipValues], unfamiliarity };
}

function rounded(exact: LanguageCalibration['weights']): LanguageCalibration['weights'] {
  const round = (language: Language) => exact[language].map((weight) => Number(weight.toPrecision(6)));
  return { cantonese: round('cantonese'), mandarin: round('mandarin'), english: round('english') };
}
