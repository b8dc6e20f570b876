import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { interpolatedQuantile } from '@jyutsing/numeric/statistics';
import { replaceFile } from '@jyutsing/system/replace-file';
import type { Language } from '@jyutsing/contracts/transcript';
import { drawPicture, grouped, type RidgeGroup, type RidgeRow } from './chart.ts';
import { PASS_MARKS } from '@jyutsing/contracts/pronunciation';
import type { LearnerFigures } from './learner-figures.ts';
import type { LearnerTrial } from './learner-trials.ts';
import { PAIR_KINDS } from './minimal-pairs.ts';
import type { NativeTrial } from './native-trials.ts';
import type { SentenceTrial } from './sentence-trials.ts';
import { testedPairs } from './syllable-figures.ts';
import type { SyllableSet, SyllableTrials } from './syllable-trials.ts';

/** All scores of one run. */
export type Scored = {
  syllables: { set: SyllableSet; trials: SyllableTrials[] }[];
  learners: { trials: LearnerTrial[]; figures: LearnerFigures } | null;
  natives: { name: string; trials: NativeTrial[] }[];
  sentences: { language: Language; trials: SentenceTrial[] }[];
};

const TITLES: Readonly<Record<Language, string>> = {
  cantonese: 'Pronunciation scores: Cantonese',
  mandarin: 'Pronunciation scores: Mandarin',
  english: 'Pronunciation scores: English',
};

/** Draws `pronunciation-LANGUAGE.svg` for each language with scores. */
export async function writePictures(folder: string, languages: readonly Language[], scored: Scored): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const written: string[] = [];
  for (const language of languages) {
    const groups = [...syllableGroups(language, scored), ...learnerGroups(language, scored)];
    groups.push(...sentenceGroups(language, scored));
    if (groups.length === 0) continue;
    const path = join(folder, `pronunciation-${language}.svg`);
    const learners = language === 'english' ? scored.learners : null;
    const svg = drawPicture({
      title: TITLES[language],
      subtitle: 'Scores of recordings against their own text and against others; each row has its own vertical scale.',
      mark: PASS_MARKS[language],
      groups,
      scatter: learners === null ? null : scatterOf(learners),
    });
    await replaceFile(path, svg);
    written.push(path);
  }
  return written;
}

function syllableGroups(language: Language, { syllables }: Scored): RidgeGroup[] {
  return syllables
    .filter(({ set }) => set.language === language)
    .map(({ set, trials }) => {
      const scoresOf = (pick: (trial: SyllableTrials) => { score: number }[]) =>
        trials.flatMap(pick).map(({ score }) => score);
      const variants = scoresOf(({ pairs }) => pairs.filter(({ isVariant }) => isVariant));
      const rows: RidgeRow[] = [
        {
          label: 'its own syllable',
          note: 'should pass',
          tone: 'right',
          scores: trials.map(({ own: ownScore }) => ownScore),
        },
      ];
      if (variants.length > 0) {
        rows.push({ label: 'accepted variant', note: 'n/l, ng/zero, gwo/go, m/ng', tone: 'other', scores: variants });
      }
      for (const kind of PAIR_KINDS) {
        const scores = scoresOf((trial) => testedPairs(trial).filter((pair) => pair.kind === kind));
        rows.push({ label: `another ${kind}`, note: 'should fail', tone: 'wrong', scores });
      }
      return { heading: `${set.name}: ${grouped(trials.length)} recordings`, rows };
    });
}

function learnerGroups(language: Language, { learners }: Scored): RidgeGroup[] {
  if (language !== 'english' || learners === null) return [];
  const { trials, figures } = learners;
  const scored = trials.flatMap(({ machine, human }) =>
    machine === null ? [] : [{ score: machine.total, human: human.total }],
  );
  const totals = scored.map(({ human }) => human);
  const [low, high] = [interpolatedQuantile(totals, 1 / 3), interpolatedQuantile(totals, 2 / 3)];
  const third = (label: string, holds: (human: number) => boolean): RidgeRow => ({
    label,
    note: 'its own sentence',
    tone: 'right',
    scores: scored.filter(({ human }) => holds(human)).map(({ score }) => score),
  });
  const shuffled = trials.flatMap(({ shuffled }) => shuffled ?? []);
  const heading = `Learners never trained on: ${grouped(figures.recordings)} recordings of ${figures.speakers} people`;
  return [
    {
      heading,
      rows: [
        third(`raters above ${high.toFixed(1)}`, (human) => human > high),
        third(`raters ${low.toFixed(1)}–${high.toFixed(1)}`, (human) => human >= low && human <= high),
        third(`raters below ${low.toFixed(1)}`, (human) => human < low),
        { label: 'another sentence', note: 'as long; should fail', tone: 'wrong', scores: shuffled },
      ],
    },
  ];
}

function sentenceGroups(language: Language, { sentences }: Scored): RidgeGroup[] {
  const trials = sentences
    .filter((set) => set.language === language)
    .flatMap((set) => set.trials.filter(({ condition }) => condition === 'clean'));
  if (trials.length === 0) return [];
  const otherScores = trials.flatMap((trial) => trial.others.map(({ score }) => score));
  return [
    {
      heading: `Sentences by our own voices: ${grouped(trials.length)} recordings`,
      rows: [
        {
          label: 'its own sentence',
          note: 'should pass',
          tone: 'right',
          scores: trials.map(({ own: ownScore }) => ownScore),
        },
        { label: 'another sentence', note: 'as long; should fail', tone: 'wrong', scores: otherScores },
      ],
    },
  ];
}

function scatterOf({ trials, figures }: { trials: LearnerTrial[]; figures: LearnerFigures }) {
  const points = trials.flatMap(({ machine, human }) =>
    machine === null ? [] : [{ human: human.total, machine: machine.total }],
  );
  const total = figures.agreements.find(({ what }) => what === 'total')?.pearson.value ?? null;
  const correlation = total === null ? '' : `, correlation ${total.toFixed(2)}`;
  return { heading: `Raters and machine, learners never trained on${correlation}`, points };
}
