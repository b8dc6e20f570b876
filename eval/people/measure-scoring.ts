import { learnerFigures } from '../pronunciation/learner-figures.ts';
import { findLearners, runLearnerTrials } from '../pronunciation/learner-trials.ts';
import { parse } from '../pronunciation/minimal-pairs.ts';
import {
  findNatives,
  nativeFigures,
  nativeSet,
  runNativeTrials,
  type NativeTrial,
} from '../pronunciation/native-trials.ts';
import { bootstrapInterval } from '../pronunciation/statistics.ts';
import { equalError, type Pool } from '../pronunciation/syllable-figures.ts';
import {
  EARLIER_RECORDINGS,
  existingSyllablesReader,
  findSyllableSets,
  runSyllableTrials,
  type SyllableTrials,
} from '../pronunciation/syllable-trials.ts';
import { withScorer } from '../pronunciation/with-scorer.ts';
import { withProgress } from '../progress.ts';
import { errorRate } from '../score.ts';
import { PASS_MARKS } from '@jyutsing/contracts/pronunciation';
import { interpolatedQuantile } from '@jyutsing/numeric/statistics';
import { createMeasured, right, wrong, type Measured } from './figures.ts';
import type { FigureId } from './references.ts';
import type { PeopleOptions } from './people-options.ts';

const SYLLABLES = 'yue-syllables-other';
const LEVEL_TONES = new Set([3, 5, 6]);

/** Scores of natives, of single syllables of unknown voices, and of English learners. */
export async function measureScoring(options: PeopleOptions): Promise<Measured> {
  const measured = createMeasured();
  await measureNatives(options, measured);
  await measurePairs(options, measured);
  await measureMandarinTones(options, measured);
  await measureLearners(options, measured);
  return measured;
}

async function measureNatives({ folders, sizes, place }: PeopleOptions, measured: Measured): Promise<void> {
  const natives = await findNatives(folders, sizes.recordings);
  if (natives === null) return void measured.skipped.push('natives: no yue-sentences-dev.tsv');
  const set = await nativeSet(natives);
  const trials = await withScorer(place, 'cantonese', (scorer) =>
    withProgress('scoring, natives', natives.length, (done) => runNativeTrials(set, scorer, done)),
  );
  if (trials === null) return void measured.failures.push('natives: no scorer');
  const figures = nativeFigures('cantonese', trials);
  const passed = (id: FigureId, text: keyof NativeTrial['scores']) => {
    const { passed: rate, compared } = figures.find((figure) => figure.text === text)!;
    return wrong(id, `${compared} scores of ${trials.length} recordings`, rate);
  };
  const ownScores = trials.flatMap(({ scores }) => scores.own);
  const { highest, compared } = figures.find(({ text }) => text === 'another')!;
  measured.figures.push(
    passed('ownPassed', 'own'),
    {
      id: 'ownMedian',
      of: `${trials.length} recordings`,
      value: interpolatedQuantile(ownScores, 0.5),
      interval: medianInterval(ownScores),
    },
    passed('otherPassed', 'another'),
    { id: 'otherHighest', of: `${compared} scores`, value: highest, interval: null },
    passed('twoPassed', 'two syllables exchanged'),
    passed('syllablePassed', 'one syllable exchanged'),
    passed('tonePassed', 'one tone exchanged'),
  );
}

function medianInterval(values: readonly number[]) {
  return bootstrapInterval(values.length, (draw) =>
    interpolatedQuantile(
      values.flatMap((value, index) => Array.from<number>({ length: draw[index]! }).fill(value)),
      0.5,
    ),
  );
}

async function measurePairs({ folders, sizes, place }: PeopleOptions, measured: Measured): Promise<void> {
  const [set] = await findSyllableSets(folders, sizes.pairs, SYLLABLES);
  if (set === undefined) return void measured.skipped.push(`minimal pairs: no ${SYLLABLES}.tsv`);
  const existing = await existingSyllablesReader(folders)('cantonese');
  for (const earlier of [0, EARLIER_RECORDINGS]) {
    const label = `scoring, minimal pairs${earlier === 0 ? '' : ', register known'}`;
    const trials = await withScorer(place, 'cantonese', (scorer) =>
      withProgress(label, set.recordings.length, (onProgress) =>
        runSyllableTrials(set, scorer, existing, { earlier, onProgress }),
      ),
    );
    if (trials === null) return void measured.failures.push('minimal pairs: no scorer');
    const add = (id: FigureId, among: readonly SyllableTrials[], pool: Pool) => {
      const equal = equalError(among, pool);
      if (equal === null) return void measured.skipped.push(`${id}: no pairs`);
      const of = `${equal.pairs} pairs of ${among.length} recordings`;
      measured.figures.push({ id, of, value: equal.equalErrorRate, interval: equal.interval });
    };
    const isKnown = earlier > 0;
    add(isKnown ? 'onsetPairsKnown' : 'onsetPairs', trials, 'onset');
    add(isKnown ? 'rimePairsKnown' : 'rimePairs', trials, 'rime');
    add(isKnown ? 'tonePairsKnown' : 'tonePairs', trials, 'tone');
    add(isKnown ? 'contourPairsKnown' : 'contourPairs', trials.map(withoutLevelPairs), 'tone');
    const of = `${trials.length} recordings`;
    measured.figures.push(
      right(isKnown ? 'singlesAcceptedKnown' : 'singlesAccepted', of, shareOf(trials, refusedRight)),
      right(isKnown ? 'toneCaughtKnown' : 'toneCaught', of, shareOf(trials, acceptedTones)),
    );
  }
}

/** Errors among the opportunities for them in each recording. */
const shareOf = (trials: readonly SyllableTrials[], errorsOf: (trial: SyllableTrials) => readonly boolean[]) =>
  errorRate(
    trials.map((trial) => {
      const errors = errorsOf(trial);
      return { errors: errors.filter(Boolean).length, length: errors.length, speaker: null };
    }),
  );

const refusedRight = (trial: SyllableTrials): boolean[] => [trial.own < PASS_MARKS.cantonese];
const tonePairsOf = ({ pairs }: SyllableTrials) => pairs.filter(({ kind, isVariant }) => kind === 'tone' && !isVariant);
const acceptedTones = (trial: SyllableTrials): boolean[] =>
  tonePairsOf(trial).map(({ score }) => score >= PASS_MARKS.cantonese);
const mistakenTone = (trial: SyllableTrials): boolean[] => [
  trial.refused === null && tonePairsOf(trial).some(({ score }) => score >= trial.own),
];

async function measureMandarinTones({ folders, sizes, place }: PeopleOptions, measured: Measured): Promise<void> {
  const [set] = await findSyllableSets(folders, sizes.pairs, 'cmn-words');
  if (set === undefined) return void measured.skipped.push('Mandarin tones: no cmn-words.tsv');
  const existing = await existingSyllablesReader(folders)('mandarin');
  const trials = await withScorer(place, 'mandarin', (scorer) =>
    withProgress('scoring, Mandarin tones', set.recordings.length, (onProgress) =>
      runSyllableTrials(set, scorer, existing, { earlier: 0, onProgress }),
    ),
  );
  if (trials === null) return void measured.failures.push('Mandarin tones: no scorer');
  const of = `${trials.length} recordings of one woman`;
  measured.figures.push(right('mandarinToneRight', of, shareOf(trials, mistakenTone)));
}

const isLevel = (syllable: string): boolean => LEVEL_TONES.has(parse('cantonese', syllable)?.tone ?? 0);

/** Leaves out one level or low rising tone (3, 5, 6) for another, as the first measurement did. */
function withoutLevelPairs(trial: SyllableTrials): SyllableTrials {
  const isLeftOut = ({ kind, syllable }: SyllableTrials['pairs'][number]) =>
    kind === 'tone' && isLevel(trial.spoken) && isLevel(syllable);
  return { ...trial, pairs: trial.pairs.filter((pair) => !isLeftOut(pair)) };
}

async function measureLearners({ folders, sizes, place }: PeopleOptions, measured: Measured): Promise<void> {
  const learners = await findLearners(folders, sizes.learners);
  if (learners === null || learners.length === 0) {
    return void measured.skipped.push('learners: no eng-learners-train.tsv with held-out speakers');
  }
  const trials = await withScorer(place, 'english', (scorer) =>
    withProgress('scoring, English learners', learners.length, (done) => runLearnerTrials(learners, scorer, done)),
  );
  if (trials === null) return void measured.failures.push('learners: no scorer');
  const { agreements, speakers } = learnerFigures(trials);
  for (const { what, pearson, compared } of agreements) {
    if (what === 'words') continue;
    measured.figures.push({ id: what, of: `${compared} recordings, ${speakers} speakers`, ...pearson });
  }
}
