import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Decoder, createDecoder } from '#packages/engines/builtin/decoder/index.ts';
import { loadLanguageModel } from '#packages/engines/builtin/decoder/language-model.ts';
import { certainLattice } from '#packages/engines/builtin/decoder/syllable-lattice.ts';
import { createRandom } from '#packages/numeric/random.ts';
import {
  type SimulationOptions,
  labelsFor,
  syntheticPosteriors,
} from '#packages/engines/builtin/decoder/synthetic-posteriors.ts';
import { WEIGHTS_OF } from '#packages/engines/builtin/decoder/weights.ts';
import { searchWords } from '#packages/engines/builtin/decoder/word-search.ts';
import { LANGUAGE_CODES, languageOf } from '#packages/engines/builtin/model-files.ts';
import { HELD_OUT_FOLD, type ModelLanguage, type Sentence } from './corpora.ts';
import { readEvaluationSentences } from './languages.ts';
import { perplexity } from './perplexity.ts';
import { editDistance } from '../../eval/score.ts';
import { scoringTokens } from './scoring.ts';

/**
 * Measures a model on held-out sentences: perplexity, and decoding errors with perfect readings and
 * with simulated acoustic models:
 *
 *     node training/language-model/evaluate.ts --language yue|cmn|eng --text <folder> [--model models/yue] [--fold 0] [--count 300]
 *
 * `--count` limits the number of decoded sentences per corpus.
 */
const { values } = parseArgs({
  options: {
    language: { type: 'string', default: 'yue' },
    text: { type: 'string' },
    model: { type: 'string' },
    fold: { type: 'string', default: String(HELD_OUT_FOLD) },
    count: { type: 'string', default: '100000' },
  },
});
const found = LANGUAGE_CODES.find((candidate) => candidate === values.language);
if (values.text === undefined || found === undefined) {
  process.stderr.write('Missing or invalid option: --language yue|cmn|eng --text <folder>\n');
  process.exit(2);
}
const language: ModelLanguage = found;
const spoken = languageOf(language);

/**
 * Simulated acoustic models, from about 5 % tone and 3 % onset and rime errors to two of three
 * syllables wrong.
 */
const SIMULATIONS: Readonly<Record<string, Omit<SimulationOptions, 'random'>>> = {
  good: { toneAcuity: 3, segmentAcuity: 2.9, missedShare: 0.01, ghostShare: 0.05 },
  poor: { toneAcuity: 2.2, segmentAcuity: 2.4, missedShare: 0.05, ghostShare: 0.15 },
  'very poor': { toneAcuity: 1.3, segmentAcuity: 1.7, missedShare: 0.1, ghostShare: 0.25 },
};
/** Phones have no lattice of certain readings, so the perfect case is simulated without errors. */
const PERFECT: Omit<SimulationOptions, 'random'> = { toneAcuity: 20, segmentAcuity: 20, missedShare: 0, ghostShare: 0 };
const FRAME_MS = 30;

const toneless = (list: readonly string[]): string[] => list.map((unit) => unit.replace(/\d$/, ''));

type Errors = { tokens: number; raw: number; scored: number };

const modelPath = join(values.model ?? join('models', language), 'language-model.bin');
const all = await readEvaluationSentences(language, values.text, Number(values.fold));
if (all.length === 0) {
  process.stderr.write(`No sentence of fold ${values.fold} in ${values.text}.\n`);
  process.exit(1);
}
const sources = [...new Set(all.map(({ source }) => source))];
const sentences = sources.flatMap((source) => sampled(all.filter((sentence) => sentence.source === source)));
const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(2)} %`;
const model = loadLanguageModel(modelPath);
const labels = labelsFor(spoken, FRAME_MS);

for (const source of sources) {
  const sourceSentences = all.filter((sentence) => sentence.source === source);
  const { perWord, perCharacter, unknownShare } = perplexity(model, sourceSentences, language === 'eng');
  print(
    `${source}: ${sourceSentences.length} sentences, perplexity ${perWord.toFixed(1)} a word, ${perCharacter.toFixed(2)} a character, ` +
      `${percent(unknownShare, 1)} of words unknown`,
  );
}
const decoder = createDecoder({ language: spoken, labels, languageModelPath: modelPath });
for (const source of sources) measurePerfect(source);
for (const [name, simulation] of Object.entries(SIMULATIONS))
  measureSimulation(`${name} acoustics`, simulation, decoder, sentences);

/** Limits sentences to `--count`, evenly spread. */
function sampled(list: Sentence[]): Sentence[] {
  const every = Math.max(1, Math.ceil(list.length / Number(values.count)));
  return list.filter((_, index) => index % every === 0);
}

function measurePerfect(source: string): void {
  const sourceSentences = sentences.filter((candidate) => candidate.source === source);
  if (language === 'eng') {
    measureSimulation(`perfect phones, ${source}`, PERFECT, decoder, sourceSentences);
    return;
  }
  const errors: Errors = { tokens: 0, raw: 0, scored: 0 };
  for (const sentence of sourceSentences) {
    const numbers = sentence.syllables.map((syllable) => model.syllableNumber(syllable) ?? 0);
    const words = searchWords(certainLattice(numbers), model, WEIGHTS_OF[spoken]);
    count(
      errors,
      words.flatMap(({ word }) => model.parts(word)),
      sentence,
    );
  }
  print(`perfect readings, ${source}: ${describe(errors)}`);
}

function measureSimulation(
  name: string,
  simulation: Omit<SimulationOptions, 'random'>,
  decode: Decoder,
  heardSentences: readonly Sentence[],
): void {
  const random = createRandom(7);
  const errors: Errors = { tokens: 0, raw: 0, scored: 0 };
  let [units, unitErrors, tonelessErrors, audioMs, workMs] = [0, 0, 0, 0, 0];
  for (const sentence of heardSentences) {
    const posteriors = syntheticPosteriors(sentence.syllables, labels, { ...simulation, random });
    const startedMs = performance.now();
    const written = decode.decode(posteriors);
    workMs += performance.now() - startedMs;
    audioMs += posteriors.frameCount * FRAME_MS;
    count(
      errors,
      written.map(({ text }) => text),
      sentence,
    );
    const recognized = decode.decodeUnits(posteriors).map(({ reading }) => reading);
    units += sentence.syllables.length;
    unitErrors += editDistance(recognized, sentence.syllables);
    tonelessErrors += editDistance(toneless(recognized), toneless(sentence.syllables));
  }
  const withoutTone = language === 'eng' ? '' : ` (${percent(tonelessErrors, units)} without tone)`;
  const unit = language === 'eng' ? 'phones' : 'syllables';
  print(
    `${name}: ${unit} ${percent(unitErrors, units)} wrong${withoutTone}, ${describe(errors)}, ` +
      `${(audioMs / workMs).toFixed(0)} × real time`,
  );
}

function count(errors: Errors, decoded: readonly string[], sentence: Sentence): void {
  const exact = (pieces: readonly string[]): string[] => (language === 'eng' ? [...pieces] : [...pieces.join('')]);
  const expected = exact(sentence.pieces);
  errors.tokens += expected.length;
  errors.raw += editDistance(exact(decoded), expected);
  errors.scored += editDistance(scoringTokens(language, decoded), scoringTokens(language, sentence.pieces));
}

function describe({ tokens, raw, scored }: Errors): string {
  const token = language === 'eng' ? 'words' : 'characters';
  return `${token} ${percent(scored, tokens)} wrong (${percent(raw, tokens)} before variants are made one) of ${tokens}`;
}
