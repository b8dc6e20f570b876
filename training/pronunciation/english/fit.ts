import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openAcousticModel } from '#packages/engines/builtin/acoustic-model.ts';
import { createRandom } from '#packages/numeric/random.ts';
import { modelFiles } from '#packages/engines/builtin/model-files.ts';
import { readTarget } from '@jyutsing/text/pronunciation/read-target';
import { readSamples } from '../../../eval/sound.ts';
import { timingWeights } from './fit-timing.ts';
import { fitModels, makeTrials } from './fit-models.ts';
import { type AnalyzedLearner, readLearners } from './learners.ts';
import { figuresOf } from './report.ts';
import { inventPerson, speakAs } from '../syllables/other-person.ts';

/**
 * Fits the models that turn an English alignment into scores to the ratings of 93 learners, and
 * reports the agreement on 32 held-out learners, who are not in the training data of the acoustic
 * model either:
 *
 *     node training/pronunciation/english/fit.ts --sets RECORDINGS [--models models]
 *
 * Writes eng/pronunciation.json in the models' folder and prints the weights of measure-fluency.ts.
 * Run it again when the English acoustic model, the dictionary or the alignment changes.
 */
const { values } = parseArgs({ options: { sets: { type: 'string' }, models: { type: 'string', default: 'models' } } });
if (values.sets === undefined) {
  process.stderr.write('Missing option: --sets <folder>\n');
  process.exit(2);
}
const SEED = 5;

const model = await openAcousticModel(modelFiles(values.models, 'english'));
const analyzed: AnalyzedLearner[] = [];
for (const [number, learner] of (await readLearners(values.sets)).entries()) {
  const read = await readSamples(join(values.sets, learner.file));
  // The acoustic model knows the other learners, and is surer of them than of anybody else.
  const samples = learner.isHeldOut ? read : speakAs(read, { ...inventPerson(number), tempo: 1 });
  const { posteriors, pitch } = await model.computeWithPitch(samples);
  // The table is in capitals, which would be read as letters.
  const target = await readTarget(learner.text.toLowerCase(), 'english');
  if (target.language !== 'english') continue;
  // Drop the samples, which are not needed and would not fit into memory.
  const analysis = { samples: new Float32Array(0), labels: model.labels, posteriors, pitch };
  analyzed.push({ ...learner, analysis, target });
}
await model.close();

const { frameMs } = model.labels;
const trials = makeTrials(analyzed, createRandom(SEED));
const fittingTrials = trials.filter(({ learner }) => !learner.isHeldOut);
const fitted = fitModels(fittingTrials, frameMs);
const figures = figuresOf(
  trials.filter(({ learner }) => learner.isHeldOut),
  fitted,
  frameMs,
);
const file = join(values.models, 'eng', 'pronunciation.json');
const card = { acousticModel: model.version, fittedOn: 'speechocean762, 93 of 125 speakers', heldOut: figures };
writeFileSync(file, `${JSON.stringify({ ...card, ...fitted }, null, 1)}\n`);
process.stdout.write(`${JSON.stringify(figures, null, 1)}\n${JSON.stringify(timingWeights(trials))}\n`);
