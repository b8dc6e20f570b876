// node eval/summary/fit-cuts.ts: fits packages/text/summary/cut-weights.json on the development
// half alone.
import { writeFile } from 'node:fs/promises';
import { LEXICONS } from '@jyutsing/text/summary/summarize-text';
import type { BoundaryModel, Regression } from '#packages/text/summary/boundary-model.ts';
import { fitBoundaries, boundariesOf } from './cut-training.ts';
import { readTranscripts } from './transcripts.ts';

/** Weights closer to zero are dropped. */
const MIN_WEIGHT = 0.15;

const transcripts = await readTranscripts('development');
const names = [...new Set(transcripts.map(({ language }) => LEXICONS[language].boundaries.model))].toSorted();
const models = names.map((name) => {
  const own = transcripts.filter(({ language }) => LEXICONS[language].boundaries.model === name);
  return [name, rounded(fitBoundaries(own.map(boundariesOf)))] as const;
});
const target = new URL('../../packages/text/summary/cut-weights.json', import.meta.url);
await writeFile(target, `${JSON.stringify(Object.fromEntries(models), null, 2)}\n`);
for (const [name, { clause, sentence }] of models) {
  console.log(`${name}: ${Object.keys(clause.weights).length} and ${Object.keys(sentence.weights).length} weights`);
}

function rounded({ clause, sentence, logLength }: BoundaryModel) {
  return {
    clause: roundedRegression(clause),
    sentence: roundedRegression(sentence),
    logLength: { mean: round(logLength.mean), spread: round(logLength.spread) },
  };
}

function roundedRegression({ bias, closes, opens, weights }: Regression) {
  const kept = [...weights].filter(([, weight]) => Math.abs(weight) >= MIN_WEIGHT);
  return {
    bias: round(bias),
    closes: round(closes),
    opens: round(opens),
    weights: Object.fromEntries(
      kept.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([name, weight]) => [name, round(weight)]),
    ),
  };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
