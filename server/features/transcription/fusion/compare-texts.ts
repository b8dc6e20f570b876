import type { RecognizedSyllable, Word } from '@jyutsing/contracts/transcript';
import { alignSyllableIndexes, type SyllableAlignment } from '@jyutsing/text/readings/align-readings';
import { isSameSyllable, soundDistance } from '@jyutsing/text/syllables/sound-distance';
import { MIN_PROBABILITY } from '@jyutsing/text/syllables/term-thresholds';
import { textToJyutping } from '@jyutsing/text/readings/text-to-jyutping';
import { toHongKongText } from './hong-kong-text.ts';
import type { Candidate } from './term-evidence.ts';
import { tokensOf, type Token } from './written-segment.ts';

/** The recognized text, with the syllables at each of its Chinese characters. */
export type Original = {
  tokens: readonly Token[];
  /** For each token, its index among the Chinese characters; −1 for others. */
  hanNumbers: readonly number[];
  hanCount: number;
  alignment: SyllableAlignment;
  syllables: readonly RecognizedSyllable[];
};

/**
 * The proposed text, token by token: as given; converted as if it were Simplified; as it is to be
 * written in Hong Kong characters; and with all possible readings of these.
 */
export type Proposal = {
  given: readonly Token[];
  converted: readonly Token[];
  written: readonly Token[];
  readings: readonly (readonly string[])[];
};

/** A character with a matching syllable is always cheaper to pair than one without. */
const MATCHING_COST = 0.3;
const MIN_OTHER_COST = 0.4;
/**
 * Corrections keep the position of a character, except for a few tokens added or removed before
 * it.
 */
const MAX_SHIFT = 12;

export function readOriginal(text: string, words: readonly Word[], syllables: readonly RecognizedSyllable[]): Original {
  const tokens = tokensOf(text);
  let count = 0;
  const hanNumbers = tokens.map(({ isHan }) => (isHan ? count++ : -1));
  return { tokens, hanNumbers, hanCount: count, alignment: alignSyllableIndexes(text, words, syllables), syllables };
}

export function readProposal(text: string): Proposal {
  const tokens = tokensOf(text);
  const inHongKong = toHongKongText(text);
  const [converted, written] = [tokensOf(inHongKong.converted), tokensOf(inHongKong.written)];
  // Conversions keep the number of characters; if one does not, the given text is used.
  if (written.length !== tokens.length || converted.length !== tokens.length) {
    return { given: tokens, converted: tokens, written: tokens, readings: readingsOf(text, tokens) };
  }
  return { given: tokens, converted, written, readings: readingsOf(inHongKong.written, written) };
}

/**
 * A character may have a reading in its word that it lacks alone (房 in 間房: fong2), and the
 * reverse.
 */
function readingsOf(text: string, tokens: readonly Token[]): string[][] {
  const inContext = textToJyutping(text).filter(({ char }) => /\p{Script=Han}/u.test(char));
  let han = 0;
  return tokens.map(({ text: token, isHan }) => {
    if (!isHan) return [];
    const here = inContext[han++]?.readings ?? [];
    const alone = textToJyutping(token)[0]?.readings ?? [];
    return [...new Set([...here, ...alone])];
  });
}

/** Whether a proposed token equals the original one. */
export function isSame(original: Original, proposal: Proposal, from: number, to: number): boolean {
  const token = original.tokens[from]?.text;
  const isHan = original.tokens[from]?.isHan ?? false;
  const givenText = proposal.given[to]?.text;
  if (token === undefined || givenText === undefined) return false;
  if (!isHan) return token.toLowerCase() === givenText.toLowerCase();
  return token === givenText || token === proposal.written[to]?.text || token === proposal.converted[to]?.text;
}

/**
 * For `editPath`: only Chinese characters can be replaced, more cheaply by characters with
 * matching syllables.
 */
export function pairCost(original: Original, proposal: Proposal, from: number, to: number): number {
  if (isSame(original, proposal, from, to)) return 0;
  if (original.tokens[from]?.isHan !== true || proposal.given[to]?.isHan !== true) return Infinity;
  // Far from its position it is a different character, whatever its sound.
  if (Math.abs(from - to) > MAX_SHIFT) return 1;
  const readings = proposal.readings[to] ?? [];
  const syllable = syllableAt(original, from);
  if (recognizedReading(syllable, readings) !== null) return MATCHING_COST;
  let minDistance = 1;
  for (const { reading: recognized, probability } of syllable?.alternatives ?? []) {
    if (probability < MIN_PROBABILITY) continue;
    for (const reading of readings) minDistance = Math.min(minDistance, soundDistance(recognized, reading));
  }
  return MIN_OTHER_COST + (1 - MIN_OTHER_COST) * minDistance;
}

/** The syllable at a token; null if there is none or the token is not a Chinese character. */
export function syllableAt({ alignment, hanNumbers, syllables }: Original, token: number): RecognizedSyllable | null {
  return syllables[alignment.indexes[hanNumbers[token] ?? -1] ?? -1] ?? null;
}

/**
 * Returns the one of a character's readings that was heard at the syllable; null if none was. Tries
 * the alternatives of the syllable in their order, leaves out improbable ones, and prefers the same
 * reading to a Hong Kong variant of it.
 */
export function recognizedReading(syllable: RecognizedSyllable | null, readings: readonly string[]): string | null {
  for (const { reading: recognized, probability } of syllable?.alternatives ?? []) {
    if (probability < MIN_PROBABILITY) continue;
    if (readings.includes(recognized)) return recognized;
    const variant = readings.find((reading) => isSameSyllable(reading, recognized));
    if (variant !== undefined) return variant;
  }
  return null;
}

/**
 * The syllables at the Chinese characters `from` to `to` (exclusive), with the adjacent ones that
 * belong to no character. Excludes adjacent syllables beside an English word, because they may be
 * part of it.
 */
export function candidatesAt(original: Original, from: number, to: number): Candidate[] {
  const { alignment, hanNumbers, syllables, tokens } = original;
  const ownIndexes = alignment.indexes.slice(from, to).filter((index) => index >= 0);
  const isLatin = (token: number) => tokens[token] !== undefined && !tokens[token].isHan;
  const before = alignment.indexes.slice(0, from).findLast((index) => index >= 0) ?? -1;
  const after = alignment.indexes.slice(to).find((index) => index >= 0) ?? syllables.length;
  const first = isLatin(hanNumbers.indexOf(from) - 1) ? (ownIndexes[0] ?? syllables.length) : before + 1;
  const end = isLatin(hanNumbers.indexOf(to - 1) + 1) ? (ownIndexes.at(-1) ?? -1) + 1 : after;
  return syllables.slice(first, Math.max(first, end)).flatMap((syllable, offset) => {
    const isFree = alignment.isFree[first + offset] === true;
    return isFree || ownIndexes.includes(first + offset) ? [{ syllable, isFree }] : [];
  });
}
