import type { RecognizedSyllable, Word } from '@jyutsing/contracts/transcript';
import { isSameTone, soundDistance } from '#text/syllables/sound-distance.ts';
import { textToJyutping } from './text-to-jyutping.ts';

/**
 * The cost of an unaligned character or syllable; two of them must cost more than a likely pair and
 * less than a very unlikely one.
 */
const UNTIMED_GAP_COST = 0.6;
const TIMED_GAP_COST = 0.4;
/**
 * Recognizers' times are accurate to about 80 ms; syllables farther apart than this do not match.
 */
const MAX_DISTANCE_MS = 150;
/** The weight of time if the words have times; the rest is the weight of sound. */
const TIME_SHARE = 0.65;
const TONE_COST = 0.05;
/** The cost of a very unlikely alternative, compared with the best one. */
const UNLIKELY_COST = 0.15;

/** A Chinese character, which has one syllable. */
const HAN = /\p{Script=Han}/gu;
const HAS_HAN = /\p{Script=Han}/u;

type Span = { startMs: number; endMs: number };

/** The alignment of Chinese characters and recognized syllables, by index. */
export type SyllableAlignment = {
  /** The index of the syllable of each Chinese character; −1 for a character without one. */
  indexes: number[];
  /** For each syllable, true if it belongs to no character and to no Latin word. */
  isFree: boolean[];
};

/** The Chinese characters of a text, in order. */
export function hanCharacters(text: string): string[] {
  return text.match(HAN) ?? [];
}

/**
 * Aligns recognized syllables with the Chinese characters of a text. By time if the words have
 * times (with some weight on sound, since times are inexact), else by sound alone. Keeps the order
 * and uses no syllable twice.
 */
export function alignSyllableIndexes(
  text: string,
  words: readonly Word[],
  recognized: readonly RecognizedSyllable[],
): SyllableAlignment {
  const characters = charactersOf(text, words);
  const isLatin = recognized.map((syllable) => belongsToLatin(syllable, words));
  const candidates = recognized.map((_, index) => index).filter((index) => isLatin[index] !== true);
  const pairs = align(
    characters,
    candidates.flatMap((index) => recognized[index] ?? []),
  );
  const indexes = pairs.map((pair) => candidates[pair] ?? -1);
  const used = new Set(indexes);
  return { indexes, isFree: recognized.map((_, index) => !used.has(index) && isLatin[index] !== true) };
}

type Character = { readings: readonly string[]; span: Span | null };

function charactersOf(text: string, words: readonly Word[]): Character[] {
  const readings = textToJyutping(text)
    .filter(({ char }) => HAS_HAN.test(char))
    .map((character) => character.readings);
  const timed = words.flatMap(({ text: written, reading, startMs, endMs }) => {
    const count = hanCharacters(written).length;
    const share = (endMs - startMs) / Math.max(1, count);
    return Array.from({ length: count }, (_, index) => ({
      span: { startMs: startMs + share * index, endMs: startMs + share * (index + 1) },
      reading: count === 1 ? reading : null,
    }));
  });
  // The times of words say nothing about these characters if the words are those of another text.
  const isTimed = timed.length === readings.length && timed.some(({ span }) => span.endMs > span.startMs);
  return readings.map((charReadings, index) => {
    const word = isTimed ? timed[index] : undefined;
    const reading = word?.reading ?? null;
    return { readings: reading === null ? charReadings : [reading, ...charReadings], span: word?.span ?? null };
  });
}

/** Whether a syllable belongs to a Latin word: recognizers hear syllables in English words too. */
function belongsToLatin(syllable: RecognizedSyllable, words: readonly Word[]): boolean {
  let most = 0;
  let isLatin = false;
  for (const word of words) {
    const ms = overlapMs(syllable, word);
    if (ms > most) [most, isLatin] = [ms, !HAS_HAN.test(word.text)];
  }
  return isLatin;
}

/**
 * The cheapest global alignment (Needleman and Wunsch, 1970): the index of a syllable for each
 * character, −1 for none.
 */
function align(characters: readonly Character[], recognized: readonly RecognizedSyllable[]): number[] {
  const gap = characters.some(({ span }) => span !== null) ? TIMED_GAP_COST : UNTIMED_GAP_COST;
  const width = recognized.length + 1;
  const costs = new Float64Array((characters.length + 1) * width);
  const at = (i: number, j: number) => costs[i * width + j] ?? 0;
  for (let j = 1; j < width; j += 1) costs[j] = j * gap;
  const pairCosts = characters.map((character) => recognized.map((syllable) => pairCost(character, syllable)));
  for (let i = 1; i <= characters.length; i += 1) {
    costs[i * width] = i * gap;
    for (let j = 1; j < width; j += 1) {
      const paired = at(i - 1, j - 1) + (pairCosts[i - 1]?.[j - 1] ?? 0);
      costs[i * width + j] = Math.min(paired, at(i - 1, j) + gap, at(i, j - 1) + gap);
    }
  }
  const pairs = characters.map(() => -1);
  let j = recognized.length;
  for (let i = characters.length; i > 0;) {
    const here = at(i, j);
    if (j > 0 && here === at(i - 1, j - 1) + (pairCosts[i - 1]?.[j - 1] ?? 0)) {
      pairs[i - 1] = j - 1;
      [i, j] = [i - 1, j - 1];
    } else if (j > 0 && here === at(i, j - 1) + gap) j -= 1;
    else i -= 1;
  }
  return pairs;
}

function pairCost({ readings, span }: Character, syllable: RecognizedSyllable): number {
  if (span === null) return soundCost(readings, syllable);
  const sharedMs = overlapMs(span, syllable);
  // Times are compared before sounds, which takes far longer: most pairs of a segment are this far
  // apart.
  if (sharedMs < -MAX_DISTANCE_MS) return Infinity;
  const sound = soundCost(readings, syllable);
  const shortestMs = Math.min(span.endMs - span.startMs, syllable.endMs - syllable.startMs);
  const time = 1 - Math.min(1, Math.max(0, sharedMs) / Math.max(1, shortestMs));
  return TIME_SHARE * time + (1 - TIME_SHARE) * sound;
}

/** The distance of the syllable from a character's readings, 0 to about 1. */
function soundCost(readings: readonly string[], { alternatives }: RecognizedSyllable): number {
  const best = alternatives[0]?.probability ?? 0;
  let least = 1;
  for (const { reading: recognized, probability } of alternatives) {
    const unlikely = UNLIKELY_COST * (1 - (best > 0 ? probability / best : 1));
    if (unlikely >= least) continue;
    for (const reading of readings) {
      const tone = isSameTone(reading, recognized) ? 0 : TONE_COST;
      least = Math.min(least, soundDistance(reading, recognized) + tone + unlikely);
    }
  }
  return least;
}

/** The overlap of two time spans in milliseconds; negative: the gap between them. */
function overlapMs(a: Span, b: Span): number {
  return Math.min(a.endMs, b.endMs) - Math.max(a.startMs, b.startMs);
}
