// node training/clause-ends/fit.ts TEXTS [OUTPUT]: fits models/clause-ends/weights.json, or another
// file, on the texts that are not held out.
import { writeFile } from 'node:fs/promises';
import type { StoredClauseModel } from '#packages/text/boundaries/clause-odds.ts';
import { storedRegression } from '#packages/text/boundaries/regression.ts';
import { regressionOn } from '../../eval/summary/cut-training.ts';
import { positionsOf, readClauses, standardCharacters } from './read-clauses.ts';

const MIN_OCCURRENCES = 5;
/** Weights closer to zero are dropped: half of the file for no measurable loss. */
const MIN_WEIGHT = 0.3;

const [folder, output] = process.argv.slice(2);
if (folder === undefined) {
  console.error('usage: node training/clause-ends/fit.ts FOLDER_WITH_TEXTS [OUTPUT]');
  process.exit(2);
}
const texts = (await readClauses(folder)).filter(({ isHeldOut }) => !isHeldOut);
const characters = standardCharacters();
const positions = texts.flatMap((text) => positionsOf(text, characters));
console.log(`fitting on ${positions.length} positions, ${positions.filter(({ ends }) => ends !== null).length} ends …`);
const regression = regressionOn(positions, ({ ends }) => ends !== null, MIN_OCCURRENCES);
const stored: StoredClauseModel = {
  characters: [...characters].flat().join(''),
  ...storedRegression(regression, MIN_WEIGHT),
};
const target = output ?? new URL('../../models/clause-ends/weights.json', import.meta.url);
await writeFile(target, `${JSON.stringify(stored, null, 2)}\n`);
console.log(`${Object.keys(stored.weights).length} weights`);
