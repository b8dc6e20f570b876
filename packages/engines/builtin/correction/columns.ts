import type { CorrectionSegment } from '@jyutsing/contracts/corrector';
import type { RecognizedSyllable, Segment } from '@jyutsing/contracts/transcript';
import { alignSyllableIndexes } from '@jyutsing/text/readings/align-readings';
import { MIN_PROBABILITY } from '@jyutsing/text/syllables/term-thresholds';
import { textToJyutping } from '@jyutsing/text/readings/text-to-jyutping';
import { syllableCode, type Likelihood, type Sound } from './sound-likeness.ts';
import type { CorrectionWeights } from './weights.ts';

/** Number of readings of a character that are usual; later ones are rare. */
const USUAL_READINGS = 3;
/** Least likelihood of any syllable, because recognizers make errors. */
const FLOOR = 1e-4;

/**
 * One position of a text: a Chinese character and what was recognized there, a character without a
 * recognized syllable (`sounds` empty), or a syllable without a character (`character` null).
 */
export type Column = {
  character: string | null;
  /** Codes of the character's readings, the likeliest here first. */
  readings: readonly number[];
  /** Likely recognized syllables, best first. */
  sounds: readonly Sound[];
  /** Likelihood of each syllable in this column, from the recognized and the written ones. */
  likelihood: Likelihood;
  /** `fitOf` of the character's best reading. */
  bestReadingFit: number;
  /**
   * True if the text was recognized by its readings, as by the built-in recognizer: its recognized
   * syllables may then stand for other words. Other recognizers know more words than the language
   * model, so only the readings of their text are tried.
   */
  isRecognizedByReading: boolean;
  /** Bonus for keeping the character, in nats. */
  keep: number;
};

/** Computes the natural logarithm of how well a syllable, by its code, fits a column. */
export function fitOf({ likelihood }: Pick<Column, 'likelihood'>, code: number): number {
  return Math.log(FLOOR + likelihood.of(code));
}

/**
 * A run of Chinese characters, possibly with unwritten syllables between them, or other text, which
 * is kept.
 */
export type Run = { columns: Column[] } | { kept: string };

const HAN = /\p{Script=Han}/u;

type Character = {
  text: string;
  readings: readonly number[];
  confidence: number | null;
  isByReading: boolean;
  /**
   * True for a character of a number of several characters, and for the unit after such a number.
   */
  isOfNumber: boolean;
};

/**
 * Splits a segment into runs. Syllables are aligned to characters as in the check of corrections.
 * The better the recognized syllables agree with the text overall, the more they are trusted.
 */
export function splitIntoRuns(
  { segment, syllables }: CorrectionSegment,
  likelihoods: (sounds: readonly Sound[]) => Likelihood,
  weights: CorrectionWeights,
): Run[] {
  const characters = charactersOf(segment);
  const { indexes, isFree } = alignSyllableIndexes(segment.text, segment.words, syllables);
  const sounds = syllables.map(soundsOf);
  const likelihoodsOf = sounds.map(likelihoods);
  const trust = trustIn(characters, indexes, likelihoodsOf, weights);
  const columnFor = (character: Character | null, index: number): Column => {
    const recognized = sounds[index] ?? [];
    const readings = character?.readings ?? [];
    const share = recognized.length === 0 ? 0 : readings.length === 0 ? 1 : trust;
    const likelihood = likelihoods([
      ...recognized.map(({ code, probability }) => ({ code, probability: share * probability })),
      ...(share < 1 ? readings.slice(0, USUAL_READINGS).map((code) => ({ code, probability: 1 - share })) : []),
    ]);
    return {
      character: character?.text ?? null,
      readings,
      sounds: recognized,
      likelihood,
      bestReadingFit: readings.reduce((best, code) => Math.max(best, fitOf({ likelihood }, code)), Math.log(FLOOR)),
      isRecognizedByReading: character?.isByReading ?? false,
      keep: character === null ? 0 : keepBonus(character, weights),
    };
  };
  return buildRuns(segment.text, characters, indexes, isFree, columnFor);
}

function charactersOf(segment: Segment): Character[] {
  const characters = textToJyutping(segment.text).filter(({ char }) => HAN.test(char));
  const written = segment.words.flatMap((word) => Array.from(word.text.match(/\p{Script=Han}/gu) ?? [], () => word));
  const isKnown = written.length === characters.length;
  const ofNumbers = placesOfNumbers(characters.map(({ char }) => char));
  return characters.map(({ char, readings }, index) => ({
    text: char,
    readings: readings.map(syllableCode).filter((code) => code >= 0),
    confidence: (isKnown ? written[index]?.confidence : null) ?? null,
    isByReading: isKnown && written[index]?.reading !== null,
    isOfNumber: ofNumbers.has(index),
  }));
}

const NUMBERS = /[零〇一二三四五六七八九十百千萬億兩廿卅]{2,}./gu;

/**
 * Returns the places of the characters of numbers, each with the character after it. Numbers are
 * endless and the language model has seen few of them, so it prefers any name that sounds alike.
 */
function placesOfNumbers(characters: readonly string[]): Set<number> {
  const places = new Set<number>();
  // Replace characters of two UTF-16 units, which would shift the places.
  const text = characters.map((char) => (char.length === 1 ? char : ' ')).join('');
  for (const { 0: number, index } of text.matchAll(NUMBERS)) {
    for (let place = index; place < index + number.length; place += 1) places.add(place);
  }
  return places;
}

function soundsOf({ alternatives }: RecognizedSyllable): Sound[] {
  return alternatives
    .map(({ reading, probability }) => ({ code: syllableCode(reading), probability }))
    .filter(({ code, probability }) => code >= 0 && probability >= MIN_PROBABILITY);
}

/**
 * Scales the mean likelihood of the written text to a trust between the minimum and the maximum.
 */
function trustIn(
  characters: readonly Character[],
  indexes: readonly number[],
  likelihoodsOf: readonly Likelihood[],
  { minTrust, maxTrust }: CorrectionWeights,
): number {
  if (characters.length === 0) return minTrust;
  const agreement = characters.reduce((sum, { readings }, place) => {
    const likelihood = likelihoodsOf[indexes[place] ?? -1];
    if (likelihood === undefined) return sum;
    return sum + readings.reduce((best, code) => Math.max(best, Math.min(1, likelihood.of(code))), 0);
  }, 0);
  return minTrust + (maxTrust - minTrust) * Math.min(1, agreement / characters.length);
}

function keepBonus({ confidence, isOfNumber }: Character, weights: CorrectionWeights): number {
  if (confidence === null) return weights.keepOfOthers;
  const bounded = Math.min(0.99, Math.max(0.05, confidence));
  const byConfidence = weights.keepByConfidence * Math.max(0, Math.log(bounded / (1 - bounded)));
  return weights.keep + byConfidence + (isOfNumber ? weights.keepNumber : 0);
}

function buildRuns(
  text: string,
  characters: readonly Character[],
  indexes: readonly number[],
  isFree: readonly boolean[],
  columnFor: (character: Character | null, index: number) => Column,
): Run[] {
  const runs: Run[] = [];
  let place = 0;
  let nextRecognized = 0;
  const lastColumns = (): Column[] | null => {
    const last = runs.at(-1);
    return last !== undefined && 'columns' in last ? last.columns : null;
  };
  const addUnwrittenBefore = (until: number, columns: Column[] | null): void => {
    for (; nextRecognized < until; nextRecognized += 1) {
      if (isFree[nextRecognized] === true) columns?.push(columnFor(null, nextRecognized));
    }
  };
  for (const char of text) {
    const character = characters[place];
    if (!HAN.test(char) || character === undefined) {
      const last = runs.at(-1);
      if (last !== undefined && 'kept' in last) last.kept += char;
      else runs.push({ kept: char });
      continue;
    }
    let columns = lastColumns();
    if (columns === null) {
      columns = [];
      runs.push({ columns });
    }
    const index = indexes[place] ?? -1;
    if (index >= 0) {
      addUnwrittenBefore(index, columns);
      nextRecognized = index + 1;
    }
    columns.push(columnFor(character, index));
    place += 1;
  }
  addUnwrittenBefore(isFree.length, lastColumns());
  return runs;
}
