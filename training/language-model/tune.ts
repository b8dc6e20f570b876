// Tunes the decoder's weights on synthesized sentences that are in neither the tests nor this
// language model:
//   node training/language-model/build.ts --language yue --text FOLDER --out TEMPORARY --without-tuning-fold
//   node training/language-model/tune.ts --language yue --text FOLDER --model TEMPORARY/language-model.bin [--count 200]
// Prints the best weights, to be copied to packages/engines/builtin/decoder/weights.ts.
import { parseArgs } from 'node:util';
import { loadConfig } from '#server/config/config.ts';
import { openAcousticModel } from '#packages/engines/builtin/acoustic-model.ts';
import { createDecoder, type Posteriors } from '#packages/engines/builtin/decoder/index.ts';
import { type DecoderWeights, WEIGHTS_OF } from '#packages/engines/builtin/decoder/weights.ts';
import { LANGUAGE_CODES, languageOf, modelFiles } from '#packages/engines/builtin/model-files.ts';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { createRandom } from '#packages/numeric/random.ts';
import { resample, speak } from '#testbed/sound/espeak-speech.ts';
import { editDistance } from '../../eval/score.ts';
import { type ModelLanguage, type Sentence, TUNING_FOLD } from './corpora.ts';
import { readEvaluationSentences } from './languages.ts';
import { scoringTokens } from './scoring.ts';

const { values } = parseArgs({
  options: {
    language: { type: 'string', default: 'yue' },
    text: { type: 'string' },
    model: { type: 'string' },
    count: { type: 'string', default: '200' },
  },
});
const found = LANGUAGE_CODES.find((code) => code === values.language);
if (values.text === undefined || values.model === undefined || found === undefined) {
  console.error('usage: tune.ts [--language yue|cmn|eng] --text FOLDER --model language-model.bin [--count SENTENCES]');
  process.exit(2);
}
const code: ModelLanguage = found;
const language = languageOf(code);

const VOICE_OF = { yue: 'yue-latn-jyutping', cmn: 'cmn-latn-pinyin', eng: 'en-us' };
const VOICES = ['', '+f2', '+m3', '+f4', '+m7', '+klatt2'].map((variant) => VOICE_OF[code] + variant);
/**
 * Signal-to-noise ratios in rotation: weights tuned on clean audio only would trust it too much.
 */
const SNR_DB = [60, 20, 10];
/** Steps of the search, coarse to fine. */
const STEPS: Partial<Record<keyof DecoderWeights, number[]>>[] = [
  {
    acousticScale: [-0.5, 0.5],
    toneScale: [-0.2, 0.2],
    wordBonus: [-1, 1],
    syllableBonus: [-2, 2],
    deletionPenalty: [-2, 2],
  },
  {
    acousticScale: [-0.2, 0.2],
    toneScale: [-0.1, 0.1],
    wordBonus: [-0.5, 0.5],
    syllableBonus: [-1, 1],
    deletionPenalty: [-1, 1],
  },
];

type Spoken = { expected: string[]; posteriors: Posteriors };

const acoustic = await openAcousticModel(modelFiles(loadConfig().engines.builtinModelsDir, language));
const spoken = await speakSentences(values.text, Number(values.count));
if (spoken.length === 0) {
  console.error(`No sentence of fold ${TUNING_FOLD} in ${values.text}.`);
  process.exit(1);
}
const languageModelPath = values.model;

let best = WEIGHTS_OF[language];
let lowest = errorRateOf(best);
console.log(`now: ${percent(lowest)}`);
for (const steps of STEPS) {
  for (let improved = true; improved;) {
    improved = false;
    for (const [name, changes] of Object.entries(steps) as [keyof DecoderWeights, number[]][]) {
      for (const change of changes) {
        const tried = { ...best, [name]: Math.round((best[name] + change) * 100) / 100 };
        const rate = tried[name] === 0 ? 1 : errorRateOf(tried);
        if (rate >= lowest) continue;
        [best, lowest, improved] = [tried, rate, true];
        console.log(`${name} ${tried[name]}: ${percent(rate)}`);
      }
    }
  }
}
console.log(best);
printReliability(best);
await acoustic.close();

function errorRateOf(weights: DecoderWeights): number {
  const decoder = createDecoder({ language, labels: acoustic.labels, languageModelPath, weights });
  let errors = 0;
  let length = 0;
  for (const { expected, posteriors } of spoken) {
    const recognized = decoder.decode(posteriors).map(({ text }) => text);
    errors += editDistance(scoringTokens(code, recognized), expected);
    length += expected.length;
  }
  return errors / length;
}

/** Prints how often units of each confidence are right, without sentences of a wrong length. */
function printReliability(weights: DecoderWeights): void {
  const decoder = createDecoder({ language, labels: acoustic.labels, languageModelPath, weights });
  const bins = Array.from({ length: 10 }, () => ({ confidence: 0, right: 0, count: 0 }));
  for (const { expected, posteriors } of spoken) {
    const recognized = decoder.decode(posteriors);
    if (recognized.length !== expected.length) continue;
    for (const [index, { text, confidence }] of recognized.entries()) {
      const bin = bins[Math.min(9, Math.floor(confidence * 10))]!;
      bin.count += 1;
      bin.confidence += confidence;
      bin.right += scoringTokens(code, [text])[0] === expected[index] ? 1 : 0;
    }
  }
  for (const { confidence, right, count } of bins) {
    if (count > 0)
      console.log(`confidence ${(confidence / count).toFixed(2)}: right ${(right / count).toFixed(2)} of ${count}`);
  }
}

async function speakSentences(textFolder: string, count: number): Promise<Spoken[]> {
  const sentences = (await readEvaluationSentences(code, textFolder, TUNING_FOLD)).filter(
    ({ syllables }) => syllables.length > 3,
  );
  const every = Math.max(1, Math.floor(sentences.length / count));
  const chosen = sentences.filter((_, index) => index % every === 0).slice(0, count);
  const all: Spoken[] = [];
  for (const [index, sentence] of chosen.entries()) {
    const voice = VOICES[index % VOICES.length]!;
    const sound = await speak(textToSpeak(sentence), {
      voice,
      rate: 130 + ((index * 37) % 90),
      pitch: 30 + ((index * 23) % 50),
    });
    const samples = addNoise(
      resample(sound.channels[0]!, sound.sampleRateHz, RECOGNIZER_SAMPLE_RATE_HZ),
      SNR_DB[index % SNR_DB.length]!,
      createRandom(index),
    );
    all.push({ expected: scoringTokens(code, sentence.pieces), posteriors: await acoustic.compute(samples) });
  }
  return all;
}

function textToSpeak({ pieces, syllables }: Sentence): string {
  return code === 'eng' ? pieces.join(' ') : syllables.join(' ');
}

function addNoise(samples: Float32Array, snrDb: number, random: () => number): Float32Array {
  const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
  const amplitude = Math.sqrt(3 * power * 10 ** (-snrDb / 10));
  return samples.map((sample) => sample + amplitude * (random() * 2 - 1));
}

function percent(rate: number): string {
  return `${(rate * 100).toFixed(2)} % of ${code === 'eng' ? 'words' : 'characters'} wrong`;
}
