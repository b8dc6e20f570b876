import type { RecognizedSyllable, Word } from '@jyutsing/contracts/transcript';
import { isSameTone, soundDistance } from './sound-distance.ts';
import { textToJyutping } from './text-to-jyutping.ts';

/** What a character or a syllable costs that stands alone; two of them must cost more than a likely pair, and less than an absurd one. */
const UNTIMED_GAP_COST = 0.6;
const TIMED_GAP_COST = 0.4;
/** Times of recognisers are true to some 80 ms; syllables farther apart than this are not the same one. */
const MOST_APART_MS = 150;
/** How much the time tells where there is one; the rest is told by the sound. */
const TIME_SHARE = 0.65;
const TONE_COST = 0.05;
/** What an alternative costs beside the best one, when it is all but impossible. */
const UNLIKELY_COST = 0.15;

/** A Chinese character of a text: each has one syllable. */
const HAN = /\p{Script=Han}/gu;
const HAS_HAN = /\p{Script=Han}/u;

type Span = { startMs: number; endMs: number };

/** Which syllable belongs to which Chinese character, by their numbers. */
export type SyllableAlignment = {
  /** For each Chinese character of the text, the number of the heard syllable; −1: none is at its place. */
  indexes: number[];
  /** For each heard syllable, whether it is that of no character and of no Latin word either. */
  isFree: boolean[];
};

/** The Chinese characters of a text, in order. */
export function hanCharacters(text: string): string[] {
  return text.match(HAN) ?? [];
}

/**
 * What was heard at the place of each Chinese character of a text: one entry for each, null where nothing was. By time where the words
 * have times (a little by sound as well: times are not exact), else by sound alone. Both run forwards, and no syllable is used twice.
 */
export function alignSyllables(
  text: string,
  words: readonly Word[],
  heard: readonly RecognizedSyllable[],
): (RecognizedSyllable | null)[] {
  return alignSyllableIndexes(text, words, heard).indexes.map((index) => heard[index] ?? null);
}

/** `alignSyllables` by numbers, with what is left over. */
export function alignSyllableIndexes(
  text: string,
  words: readonly Word[],
  heard: readonly RecognizedSyllable[],
): SyllableAlignment {
  const characters = charactersOf(text, words);
  const isLatin = heard.map((syllable) => belongsToLatin(syllable, words));
  const candidates = heard.map((_, index) => index).filter((index) => isLatin[index] !== true);
  const pairs = align(
    characters,
    candidates.flatMap((index) => heard[index] ?? []),
  );
  const indexes = pairs.map((pair) => candidates[pair] ?? -1);
  const used = new Set(indexes);
  return { indexes, isFree: heard.map((_, index) => !used.has(index) && isLatin[index] !== true) };
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
  // Words that are not those of the text tell nothing about when its characters were said.
  const isTimed = timed.length === readings.length && timed.some(({ span }) => span.endMs > span.startMs);
  return readings.map((each, index) => {
    const word = isTimed ? timed[index] : undefined;
    const said = word?.reading ?? null;
    return { readings: said === null ? each : [said, ...each], span: word?.span ?? null };
  });
}

/** The English words of a Cantonese sentence are heard as syllables, too; those belong to no character. */
function belongsToLatin(syllable: RecognizedSyllable, words: readonly Word[]): boolean {
  let most = 0;
  let isLatin = false;
  for (const word of words) {
    const ms = overlapMs(syllable, word);
    if (ms > most) [most, isLatin] = [ms, !HAS_HAN.test(word.text)];
  }
  return isLatin;
}

/** The cheapest way to pair characters with syllables (Needleman and Wunsch, 1970): the number of a syllable for each, −1 for none. */
function align(characters: readonly Character[], heard: readonly RecognizedSyllable[]): number[] {
  const gap = characters.some(({ span }) => span !== null) ? TIMED_GAP_COST : UNTIMED_GAP_COST;
  const width = heard.length + 1;
  const costs = new Float64Array((characters.length + 1) * width);
  const at = (i: number, j: number) => costs[i * width + j] ?? 0;
  for (let j = 1; j < width; j += 1) costs[j] = j * gap;
  const pairCosts = characters.map((character) => heard.map((syllable) => pairCost(character, syllable)));
  for (let i = 1; i <= characters.length; i += 1) {
    costs[i * width] = i * gap;
    for (let j = 1; j < width; j += 1) {
      const paired = at(i - 1, j - 1) + (pairCosts[i - 1]?.[j - 1] ?? 0);
      costs[i * width + j] = Math.min(paired, at(i - 1, j) + gap, at(i, j - 1) + gap);
    }
  }
  const pairs = characters.map(() => -1);
  let j = heard.length;
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
  // Before the sounds are compared, which takes far longer: most pairs of a segment are this far apart.
  if (sharedMs < -MOST_APART_MS) return Infinity;
  const sound = soundCost(readings, syllable);
  const shortestMs = Math.min(span.endMs - span.startMs, syllable.endMs - syllable.startMs);
  const time = 1 - Math.min(1, Math.max(0, sharedMs) / Math.max(1, shortestMs));
  return TIME_SHARE * time + (1 - TIME_SHARE) * sound;
}

/** How unlike a character's readings what was heard is, 0 to about 1. */
function soundCost(readings: readonly string[], { alternatives }: RecognizedSyllable): number {
  const best = alternatives[0]?.probability ?? 0;
  let least = 1;
  for (const { reading: heard, probability } of alternatives) {
    const unlikely = UNLIKELY_COST * (1 - (best > 0 ? probability / best : 1));
    if (unlikely >= least) continue;
    for (const reading of readings) {
      const tone = isSameTone(reading, heard) ? 0 : TONE_COST;
      least = Math.min(least, soundDistance(reading, heard) + tone + unlikely);
    }
  }
  return least;
}

/** Milliseconds that two stretches share; below 0, how far they are apart. */
function overlapMs(a: Span, b: Span): number {
  return Math.min(a.endMs, b.endMs) - Math.max(a.startMs, b.startMs);
}
