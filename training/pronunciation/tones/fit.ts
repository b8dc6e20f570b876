import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { SyllabicLanguage } from '#packages/engines/builtin/decoder/types.ts';
import { prepareToneModel } from '#packages/engines/builtin/pronunciation/tones/tone-model.ts';
import { readSamples } from '../../../eval/sound.ts';
import { listRecordings, openContourMeasurer, type Example, type ContourMeasurer } from './examples.ts';
import { measureTones, type ToneFigures } from './figures.ts';
import { makeToneModel, type Settings } from './make-model.ts';
import { measureNeutral } from './measure-neutral.ts';
import { speakExamples } from './own-voices.ts';
import { fitRegisters } from './registers.ts';

/**
 * Fits models/yue/tones.json and models/cmn/tones.json:
 *
 *     node training/pronunciation/tones/fit.ts --sets RECORDINGS [--language cantonese] [--models models]
 *       [--sentences 60]
 *
 * README.md describes the folder RECORDINGS. Run it again when the measurement of contours or an
 * acoustic model changes.
 */
const { values } = parseArgs({
  options: {
    sets: { type: 'string' },
    language: { type: 'string' },
    models: { type: 'string', default: 'models' },
    // Number of sentences that the voices of the service say.
    sentences: { type: 'string', default: '60' },
  },
});
if (values.sets === undefined) {
  process.stderr.write('Missing option: --sets <folder>\n');
  process.exit(2);
}

const FOLDERS = { cantonese: 'yue', mandarin: 'cmn' } as const;
/** The shortest recording that the acoustic model accepts. */
const MIN_SAMPLES = 4_800;

/**
 * Chosen by hand: by log loss on the held-out Mandarin speaker (widening, weights), and so that our
 * own voices are accepted (connected). The Cantonese acoustic model gets half of the tones of
 * unknown voices right, the Mandarin one six of seven, so the Cantonese one has less weight.
 */
const COMMON: Omit<Settings, 'modelWeight' | 'fluentSpeech'> = {
  widening: { height: 1, slope: 1, bend: 0.7, fine: 0.4 },
  connected: { height: 1.2, slope: 1, bend: 0.6, fine: 0.3 },
  freedom: 8,
  contourWeight: 0.6,
  expectedShare: 0.8,
  spans: [
    { share: 0.25, factor: 0.75 },
    { share: 0.5, factor: 1 },
    { share: 0.25, factor: 1.3 },
  ],
};
const SETTINGS: Readonly<Record<SyllabicLanguage, Settings>> = {
  cantonese: {
    ...COMMON,
    modelWeight: 0.45,
    // Three numbers chosen on 301 syllables in 43 recordings of natives.
    fluentSpeech: { declination: 0.4, carryOver: 0.4, fullMovementMs: 400 },
  },
  // The shapes of Mandarin are those of words.
  mandarin: { ...COMMON, modelWeight: 0.7, expectedNeutralLogp: 2, fluentSpeech: null },
};

const registers = await fitRegisters(values.sets);
for (const language of ['cantonese', 'mandarin'] as const) {
  if (values.language !== undefined && values.language !== language) continue;
  const measurer = await openContourMeasurer(values.models, language);
  const examples = await measureAll(values.sets, language, measurer);
  const ownVoices = await speakExamples(
    language,
    { count: Number(values.sentences), modelsDir: values.models },
    measurer,
  );
  await measurer.close();
  const fit = (fitted: readonly Example[]) => makeToneModel(language, fitted, registers, SETTINGS[language]);
  const fitted = examples.filter(({ isHeldOut }) => !isHeldOut);
  const model = fit(fitted);
  const ready = prepareToneModel(model);
  const heldOut = examples.filter(({ isHeldOut }) => isHeldOut);
  const pitchAlone = prepareToneModel({ ...model, modelWeight: 0 });
  // The neutral tone does not occur in isolation.
  const loneTones = language === 'cantonese' ? 6 : 4;
  const figures = {
    heldOut: rounded(measureTones(ready, heldOut, loneTones)),
    heldOutByPitchAlone: rounded(measureTones(pitchAlone, heldOut, loneTones)),
    ownVoicesInSentences: rounded(measureTones(ready, ownVoices)),
    // The speaker that is held out said no words.
    ...(language === 'mandarin' && {
      neutralByFolds: measureNeutral(fitted, (training) => prepareToneModel(fit(training))),
    }),
  };
  writeFileSync(join(values.models, FOLDERS[language], 'tones.json'), `${JSON.stringify({ ...model, figures })}\n`);
  process.stdout.write(`${language}: ${JSON.stringify(figures, null, 1)}\n`);
}

async function measureAll(sets: string, language: SyllabicLanguage, measurer: ContourMeasurer): Promise<Example[]> {
  const examples: Example[] = [];
  for (const { path, speaker, isHeldOut, readings } of await listRecordings(sets, language)) {
    const read = await readSamples(path);
    const samples = new Float32Array(Math.max(MIN_SAMPLES, read.length));
    samples.set(read);
    const measured = await measurer.measure(samples, readings);
    if (measured !== null) examples.push({ name: path, speaker, isHeldOut, ...measured });
  }
  return examples;
}

function rounded(figures: ToneFigures): ToneFigures {
  const { accuracy, equalErrorRate, logLoss } = figures;
  return { ...figures, accuracy: four(accuracy), equalErrorRate: four(equalErrorRate), logLoss: four(logLoss) };
}

/** Rounds to four decimals. */
function four(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
