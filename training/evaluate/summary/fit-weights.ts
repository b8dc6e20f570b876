// node training/evaluate/summary/fit-weights.ts: fits src/language/summary/weights.ts on the development half alone.
import { startPace } from '#language/summary/pace.ts';
import { vectorsOf, type SentenceVectors } from '#language/summary/rank-sentences.ts';
import { FEATURES, featuresOf } from '#language/summary/score-sentences.ts';
import { selectSentences } from '#language/summary/select-sentences.ts';
import { LEXICONS, sentencesOf } from '#language/summary/summarize-text.ts';
import { percent } from '../report.ts';
import { lettersOf, scoreSummary } from './score-summary.ts';
import { LENGTH_SHARE } from './summarizers.ts';
import { FORMS, inForm, readTranscripts, type Form, type KeyedTranscript } from './transcripts.ts';

/** What the weights were before anything was measured, to which the fit holds on. */
const ASSUMED = [1, 1.5, 0.7, 1.2, 0.8, -1.5, -0.8, -0.7, -0.6, -3, -0.6];
const HOLDS = [0.3, 1, 3, 10];
const STEPS = 1_500;
const STEP_SIZE = 0.01;

type Example = {
  transcript: KeyedTranscript;
  sentences: string[];
  vectors: SentenceVectors;
  features: number[][];
  /** Share of each sentence that belongs to a key sentence. */
  labels: number[];
};

const transcripts = await readTranscripts('development');
const examples: Example[] = [];
for (const transcript of transcripts) for (const form of FORMS) examples.push(await exampleOf(transcript, form));

console.log(`assumed: ${percent(keptBy(ASSUMED, examples))}`);
for (const hold of HOLDS) {
  const apart = transcripts.map((left) => {
    const isLeft = ({ transcript }: Example) => transcript === left;
    return keptBy(
      fit(
        examples.filter((example) => !isLeft(example)),
        hold,
      ),
      examples.filter(isLeft),
    );
  });
  const weights = fit(examples, hold);
  console.log(
    `hold ${hold}: ${percent(keptBy(weights, examples))} kept, ${percent(mean(apart))} each fitted without it`,
  );
  console.log(`  ${FEATURES.map((feature, index) => `${feature} ${weights[index]!.toFixed(2)}`).join(', ')}`);
}

async function exampleOf(transcript: KeyedTranscript, form: Form): Promise<Example> {
  const lexicon = LEXICONS[transcript.language];
  const sentences = await sentencesOf(inForm(transcript, form), transcript.language);
  const units = sentences.map((sentence) => lexicon.units(sentence.toLowerCase()));
  const vectors = await vectorsOf(units, startPace());
  const features = (await featuresOf(sentences, units, vectors, lexicon, startPace())).map((own) =>
    FEATURES.map((feature) => own[feature]),
  );
  return { transcript, sentences, vectors, features, labels: labelsOf(transcript, sentences) };
}

function labelsOf(transcript: KeyedTranscript, sentences: readonly string[]): number[] {
  const said = transcript.sentences.map(({ text }) => lettersOf(text));
  const text = said.join('');
  const keys = Uint8Array.from(
    said.flatMap((own, index) => Array<number>(own.length).fill(transcript.sentences[index]!.isKey ? 1 : 0)),
  );
  let from = 0;
  return sentences.map(lettersOf).map((sentence) => {
    const at = text.indexOf(sentence, from);
    if (at < 0 || sentence === '') return 0;
    from = at + sentence.length;
    return keys.subarray(at, from).reduce((sum, key) => sum + key, 0) / sentence.length;
  });
}

/** Logistic regression by gradient descent, with a penalty on the way from what was assumed. */
function fit(from: readonly Example[], hold: number): number[] {
  const weights = [...ASSUMED];
  let bias = -4;
  for (let step = 0; step < STEPS; step += 1) {
    const slopes = weights.map((weight, index) => hold * (weight - ASSUMED[index]!));
    let biasSlope = 0;
    for (const { features, labels } of from) {
      features.forEach((own, index) => {
        const error = 1 / (1 + Math.exp(-(bias + dot(own, weights)))) - labels[index]!;
        biasSlope += error / FORMS.length;
        own.forEach((value, at) => {
          slopes[at]! += (error * value) / FORMS.length;
        });
      });
    }
    slopes.forEach((slope, index) => {
      weights[index]! -= STEP_SIZE * slope;
    });
    bias -= STEP_SIZE * biasSlope;
  }
  return weights;
}

function keptBy(weights: readonly number[], of: readonly Example[]): number {
  return mean(
    of.map(({ transcript, sentences, vectors, features }) => {
      const scores = features.map((own) => dot(own, weights));
      const budget = LENGTH_SHARE * sentences.join('').length;
      const taken = selectSentences(sentences, scores, vectors, { budget, most: 1_500, least: 2 });
      const { kept, keySentences } = scoreSummary(transcript, taken.map((index) => sentences[index]!).join(' '));
      return kept / keySentences;
    }),
  );
}

function dot(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, value, index) => sum + value * other[index]!, 0);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
