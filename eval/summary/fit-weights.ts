// node eval/summary/fit-weights.ts: fits packages/text/summary/weights.ts on the development half
// alone, and prints the share of key sentences kept per transcript with cuts and weights fitted
// without it.
import { LEXICONS } from '@jyutsing/text/summary/summarize-text';
import { FEATURES } from '#packages/text/summary/score-sentences.ts';
import { mean } from '@jyutsing/numeric/statistics';
import { percent } from '../report.ts';
import { fitBoundaries, boundariesOf } from './cut-training.ts';
import { FORMS, readTranscripts, seededRandom, type KeyedTranscript } from './transcripts.ts';
import { exampleOf, fitWeights, keptBy, type Example } from './weight-training.ts';

const PENALTIES = [10];
const RESAMPLES = 2_000;

const transcripts = await readTranscripts('development');
const modelOf = ({ language }: KeyedTranscript) => LEXICONS[language].boundaries.model;
const boundaries = new Map(transcripts.map((transcript) => [transcript, boundariesOf(transcript)]));
const examples: Example[] = [];
for (const left of transcripts) {
  const remaining = transcripts.filter((other) => other !== left && modelOf(other) === modelOf(left));
  const model = fitBoundaries(remaining.map((other) => boundaries.get(other)!));
  for (const form of FORMS) examples.push(await exampleOf(left, form, model));
}

for (const penalty of PENALTIES) {
  const shares = transcripts.map((left) => {
    const weights = fitWeights(
      examples.filter(({ transcript }) => transcript !== left),
      penalty,
    );
    const keys = left.sentences.filter(({ isKey }) => isKey).length;
    return FORMS.map(
      (form) =>
        keptBy(
          weights,
          examples.find((example) => example.transcript === left && example.form === form)!,
        ) / keys,
    );
  });
  console.log(`penalty ${penalty}, each fitted without it:`);
  FORMS.forEach((form, at) => {
    const sharesOfForm = shares.map((row) => row[at]!);
    const [low, high] = interval(sharesOfForm);
    console.log(`  ${form}: ${percent(mean(sharesOfForm))} (95 %: ${percent(low)} to ${percent(high)})`);
  });
  const weights = fitWeights(examples, penalty);
  console.log(`  ${FEATURES.map((feature, index) => `${feature}: ${weights[index]!.toFixed(2)}`).join(', ')}`);
}

/** Interval of the mean, by resampling transcripts. */
function interval(shares: readonly number[]): [number, number] {
  const random = seededRandom(1);
  const means = Array.from({ length: RESAMPLES }, () =>
    mean(shares.map(() => shares[Math.floor(random() * shares.length)]!)),
  ).toSorted((one, other) => one - other);
  return [means[Math.floor(RESAMPLES * 0.025)]!, means[Math.floor(RESAMPLES * 0.975)]!];
}
