import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openAcousticModel } from '#packages/engines/builtin/acoustic-model.ts';
import { seededRandom } from '#packages/engines/builtin/decoder/synthetic-posteriors.ts';
import { modelFiles } from '#packages/engines/builtin/model-files.ts';
import { readTarget } from '@jyutsing/text/pronunciation/read-target';
import { readSamples } from '../../../eval/sound.ts';
import { timingWeights } from './fit-timing.ts';
import { fitModels, makeTrials } from './fit-models.ts';
import { type HeardLearner, readLearners } from './learners.ts';
import { figuresOf } from './report.ts';

/**
 * Fits what turns the alignment of English into scores to what people think of 93 learners, and says how well it agrees with them on 32 others
 * whom neither it nor the acoustic model was fitted on:
 *
 *     node training/pronunciation/english/fit.ts --sets RECORDINGS [--models models]
 *
 * Writes eng/pronunciation.json in the models' folder and prints the weights of measure-fluency.ts. To be run again whenever the English acoustic
 * model, the dictionary or the alignment changes.
 */
const { values } = parseArgs({ options: { sets: { type: 'string' }, models: { type: 'string', default: 'models' } } });
if (values.sets === undefined) {
  process.stderr.write('Say where the recordings are: --sets <folder>\n');
  process.exit(2);
}
const SEED = 5;

const model = await openAcousticModel(modelFiles(values.models, 'english'));
const heard: HeardLearner[] = [];
for (const learner of await readLearners(values.sets)) {
  const samples = await readSamples(join(values.sets, learner.file));
  const { posteriors, pitch } = await model.computeWithPitch(samples);
  // The table is in capitals, which are letters to be spelt in a text.
  const target = await readTarget(learner.text.toLowerCase(), 'english');
  if (target.language !== 'english') continue;
  // The sound itself is not looked at again, and all of them would not fit into memory.
  const analysis = { samples: new Float32Array(0), labels: model.labels, posteriors, pitch };
  heard.push({ ...learner, analysis, target });
}
await model.close();

const { frameMs } = model.labels;
const trials = makeTrials(heard, seededRandom(SEED));
const known = trials.filter(({ learner }) => !learner.isHeldOut);
const fitted = fitModels(known, frameMs);
const figures = figuresOf(
  trials.filter(({ learner }) => learner.isHeldOut),
  fitted,
  frameMs,
);
const file = join(values.models, 'eng', 'pronunciation.json');
const card = { acousticModel: model.version, fittedOn: 'speechocean762, 93 of 125 speakers', heldOut: figures };
writeFileSync(file, `${JSON.stringify({ ...card, ...fitted }, null, 1)}\n`);
process.stdout.write(`${JSON.stringify(figures, null, 1)}\n${JSON.stringify(timingWeights(trials))}\n`);
