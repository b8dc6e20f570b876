import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Decoder, createDecoder } from '#engines/builtin/decoder/index.ts';
import { loadLanguageModel } from '#engines/builtin/decoder/language-model.ts';
import { certainLattice } from '#engines/builtin/decoder/syllable-lattice.ts';
import {
  type ListenerOptions,
  labelsFor,
  seededRandom,
  syntheticPosteriors,
} from '#engines/builtin/decoder/synthetic-posteriors.ts';
import { DECODER_WEIGHTS } from '#engines/builtin/decoder/weights.ts';
import { searchWords } from '#engines/builtin/decoder/word-search.ts';
import { JYUTPING_ONSETS, JYUTPING_RIMES } from '#language/jyutping.ts';
import { HELD_OUT_FOLD, type Sentence, readCorpora } from './corpora.ts';
import { editDistance } from '../evaluate/score.ts';
import { scoringCharacters } from './scoring.ts';

/**
 * Measures the decoder on the held-out sentences, their jyutping given perfectly and through imaginary listeners:
 *
 *     node training/language-model/evaluate.ts --text <folder> [--model models/yue] [--fold 0]
 */
const { values } = parseArgs({
  options: {
    text: { type: 'string' },
    model: { type: 'string', default: 'models/yue' },
    fold: { type: 'string', default: String(HELD_OUT_FOLD) },
  },
});
if (values.text === undefined) {
  process.stderr.write('Say where the corpora are: --text <folder>\n');
  process.exit(2);
}

/** From ears that err in about 5 % of tones and 3 % of onsets and rimes to ears that get two syllables of three wrong. */
const LISTENERS: Readonly<Record<string, Omit<ListenerOptions, 'random'>>> = {
  good: { toneAcuity: 3, segmentAcuity: 2.9, missedShare: 0.01, ghostShare: 0.05 },
  poor: { toneAcuity: 2.2, segmentAcuity: 2.4, missedShare: 0.05, ghostShare: 0.15 },
  'very poor': { toneAcuity: 1.3, segmentAcuity: 1.7, missedShare: 0.1, ghostShare: 0.25 },
};
const FRAME_MS = 30;

const toneless = (list: readonly string[]): string[] => list.map((syllable) => syllable.slice(0, -1));

type Errors = { characters: number; raw: number; scored: number };

const modelPath = join(values.model, 'language-model.bin');
const fold = Number(values.fold);
const sentences = readCorpora(values.text).filter((sentence) => sentence.fold === fold);
const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(2)} %`;

measurePerfect();
const decoder = createDecoder({
  labels: labelsFor(JYUTPING_ONSETS, JYUTPING_RIMES, FRAME_MS),
  languageModelPath: modelPath,
});
for (const [name, listener] of Object.entries(LISTENERS)) measureListener(name, listener, decoder);

function measurePerfect(): void {
  const model = loadLanguageModel(modelPath);
  for (const source of ['hkcancor', 'commonvoice'] as const) {
    const errors: Errors = { characters: 0, raw: 0, scored: 0 };
    for (const sentence of sentences.filter((candidate) => candidate.source === source)) {
      const numbers = sentence.syllables.map((syllable) => model.syllableNumber(syllable) ?? 0);
      const words = searchWords(certainLattice(numbers), model, DECODER_WEIGHTS);
      count(errors, words.flatMap(({ word }) => model.characters(word)).join(''), sentence);
    }
    print(`perfect jyutping, ${source}: ${describe(errors)}`);
  }
}

function measureListener(name: string, listener: Omit<ListenerOptions, 'random'>, decode: Decoder): void {
  const random = seededRandom(7);
  const labels = labelsFor(JYUTPING_ONSETS, JYUTPING_RIMES, FRAME_MS);
  const errors: Errors = { characters: 0, raw: 0, scored: 0 };
  let [syllables, syllableErrors, tonelessErrors, audioMs, workMs] = [0, 0, 0, 0, 0];
  for (const sentence of sentences) {
    const posteriors = syntheticPosteriors(sentence.syllables, labels, { ...listener, random });
    const startedMs = performance.now();
    const characters = decode.decode(posteriors);
    workMs += performance.now() - startedMs;
    audioMs += posteriors.frameCount * FRAME_MS;
    count(errors, characters.map(({ char }) => char).join(''), sentence);
    const heard = decode.decodeSyllables(posteriors).map(({ jyutping }) => jyutping);
    syllables += sentence.syllables.length;
    syllableErrors += editDistance(heard, sentence.syllables);
    tonelessErrors += editDistance(toneless(heard), toneless(sentence.syllables));
  }
  print(
    `${name} ears: syllables ${percent(syllableErrors, syllables)} wrong (${percent(tonelessErrors, syllables)} without tone), ` +
      `${describe(errors)}, ${(audioMs / workMs).toFixed(0)} × real time`,
  );
}

function count(errors: Errors, decoded: string, sentence: Sentence): void {
  const expected = sentence.pieces.join('');
  errors.characters += [...expected].length;
  errors.raw += editDistance([...decoded], [...expected]);
  errors.scored += editDistance(scoringCharacters(decoded), scoringCharacters(expected));
}

function describe({ characters, raw, scored }: Errors): string {
  return `characters ${percent(scored, characters)} wrong (${percent(raw, characters)} before variants are made one) of ${characters}`;
}
