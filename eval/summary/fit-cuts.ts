// node eval/summary/fit-cuts.ts: fits models/summary-cuts/weights.json on the development half.
import { writeFile } from 'node:fs/promises';
import { LEXICONS } from '@jyutsing/text/summary/summarize-text';
import { storedRegression } from '#packages/text/boundaries/regression.ts';
import type { BoundaryModel } from '#packages/text/summary/boundary-model.ts';
import { fitBoundaries, boundariesOf } from './cut-training.ts';
import { readTranscripts } from './transcripts.ts';

/** Weights closer to zero are dropped. */
const MIN_WEIGHT = 0.15;

const transcripts = await readTranscripts('development');
const names = [...new Set(transcripts.map(({ language }) => LEXICONS[language].boundaries.model))].toSorted();
const models = names.map((name) => {
  const ofModel = transcripts.filter(({ language }) => LEXICONS[language].boundaries.model === name);
  return [name, rounded(fitBoundaries(ofModel.map(boundariesOf)))] as const;
});
const target = new URL('../../models/summary-cuts/weights.json', import.meta.url);
await writeFile(target, `${JSON.stringify(Object.fromEntries(models), null, 2)}\n`);
for (const [name, { clause, sentence }] of models) {
  console.log(`${name}: ${Object.keys(clause.weights).length} and ${Object.keys(sentence.weights).length} weights`);
}

function rounded({ clause, sentence, logLength }: BoundaryModel) {
  return {
    clause: storedRegression(clause, MIN_WEIGHT),
    sentence: storedRegression(sentence, MIN_WEIGHT),
    logLength: { mean: round(logLength.mean), spread: round(logLength.spread) },
  };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
