import type { RecognizedSyllable, Word } from '@jyutsing/contracts/transcript';
import { alignSyllableIndexes, type SyllableAlignment } from '@jyutsing/text/align-readings';
import { isSameSyllable, soundDistance } from '@jyutsing/text/sound-distance';
import { MIN_PROBABILITY } from '@jyutsing/text/term-thresholds';
import { textToJyutping } from '@jyutsing/text/text-to-jyutping';
import { toHongKongText } from './hong-kong-text.ts';
import type { Candidate } from './term-evidence.ts';
import { tokensOf, type Token } from './written-segment.ts';

/** What was recognised, with what was heard at the place of each of its Chinese characters. */
export type Original = {
  tokens: readonly Token[];
  /** For each token, its number among the Chinese characters; −1 for others. */
  hanNumbers: readonly number[];
  hanCount: number;
  alignment: SyllableAlignment;
  syllables: readonly RecognizedSyllable[];
};

/**
 * What was proposed, token for token: as it came; as it would be if it were Simplified; as it is to be written, in Hong Kong's characters;
 * and with every reading that these may have.
 */
export type Proposal = {
  given: readonly Token[];
  converted: readonly Token[];
  written: readonly Token[];
  readings: readonly (readonly string[])[];
};

/** A character that was heard is always the cheaper pair than one that was not. */
const HEARD_COST = 0.3;
const LEAST_UNHEARD_COST = 0.4;
/** Corrections keep the place of a character but for some tokens before it that were added or left out. */
const MOST_SHIFT = 12;

export function readOriginal(text: string, words: readonly Word[], heard: readonly RecognizedSyllable[]): Original {
  const tokens = tokensOf(text);
  let count = 0;
  const hanNumbers = tokens.map(({ isHan }) => (isHan ? count++ : -1));
  return { tokens, hanNumbers, hanCount: count, alignment: alignSyllableIndexes(text, words, heard), syllables: heard };
}

export function readProposal(text: string): Proposal {
  const given = tokensOf(text);
  const inHongKong = toHongKongText(text);
  const [converted, written] = [tokensOf(inHongKong.converted), tokensOf(inHongKong.written)];
  // Conversions give one character for each; should they ever not, what came is the only text there is.
  if (written.length !== given.length || converted.length !== given.length) {
    return { given, converted: given, written: given, readings: readingsOf(text, given) };
  }
  return { given, converted, written, readings: readingsOf(inHongKong.written, written) };
}

/** In its word a character may have a reading that it has not alone (房 in 間房: fong2), and the other way round. */
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

/** Whether a proposed token is the original one: nothing changes there. */
export function isSame(original: Original, proposal: Proposal, from: number, to: number): boolean {
  const token = original.tokens[from]?.text;
  const isHan = original.tokens[from]?.isHan ?? false;
  const given = proposal.given[to]?.text;
  if (token === undefined || given === undefined) return false;
  if (!isHan) return token.toLowerCase() === given.toLowerCase();
  return token === given || token === proposal.written[to]?.text || token === proposal.converted[to]?.text;
}

/** For `editPath`: only Chinese characters can be replaced, and more cheaply by what was heard. */
export function pairCost(original: Original, proposal: Proposal, from: number, to: number): number {
  if (isSame(original, proposal, from, to)) return 0;
  if (original.tokens[from]?.isHan !== true || proposal.given[to]?.isHan !== true) return Infinity;
  // Far from its place, a character is another one, whatever it sounds like.
  if (Math.abs(from - to) > MOST_SHIFT) return 1;
  const readings = proposal.readings[to] ?? [];
  const syllable = syllableAt(original, from);
  if (recognizedReading(syllable, readings) !== null) return HEARD_COST;
  let least = 1;
  for (const { reading: heard, probability } of syllable?.alternatives ?? []) {
    if (probability < MIN_PROBABILITY) continue;
    for (const reading of readings) least = Math.min(least, soundDistance(heard, reading));
  }
  return LEAST_UNHEARD_COST + (1 - LEAST_UNHEARD_COST) * least;
}

/** What was heard at the place of a token; null when nothing was, or it is no Chinese character. */
export function syllableAt(
  { alignment, hanNumbers, syllables: heard }: Original,
  token: number,
): RecognizedSyllable | null {
  return heard[alignment.indexes[hanNumbers[token] ?? -1] ?? -1] ?? null;
}

/** The one of a character's readings that was heard: the likeliest alternative first, itself before its Hong Kong variants; or null. */
export function recognizedReading(syllable: RecognizedSyllable | null, readings: readonly string[]): string | null {
  for (const { reading: heard, probability } of syllable?.alternatives ?? []) {
    if (probability < MIN_PROBABILITY) continue;
    if (readings.includes(heard)) return heard;
    const variant = readings.find((reading) => isSameSyllable(reading, heard));
    if (variant !== undefined) return variant;
  }
  return null;
}

/**
 * What was heard where the Chinese characters `from` to `to` (exclusive, numbers among the Chinese characters) stand, with the syllables
 * beside and between them that belong to no character. Beside an English word there is none: it may have been heard as part of that.
 */
export function candidatesAt(original: Original, from: number, to: number): Candidate[] {
  const { alignment, hanNumbers, syllables: heard, tokens } = original;
  const own = alignment.indexes.slice(from, to).filter((index) => index >= 0);
  const isLatin = (token: number) => tokens[token] !== undefined && !tokens[token].isHan;
  const before = alignment.indexes.slice(0, from).findLast((index) => index >= 0) ?? -1;
  const after = alignment.indexes.slice(to).find((index) => index >= 0) ?? heard.length;
  const first = isLatin(hanNumbers.indexOf(from) - 1) ? (own[0] ?? heard.length) : before + 1;
  const end = isLatin(hanNumbers.indexOf(to - 1) + 1) ? (own.at(-1) ?? -1) + 1 : after;
  return heard.slice(first, Math.max(first, end)).flatMap((syllable, offset) => {
    const isFree = alignment.isFree[first + offset] === true;
    return isFree || own.includes(first + offset) ? [{ syllable, isFree }] : [];
  });
}
