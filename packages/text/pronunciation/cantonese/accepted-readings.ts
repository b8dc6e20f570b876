import { readFileSync } from 'node:fs';
import { chooseReadings } from '#text/readings/choose-readings.ts';
import { isSecondBeforeDei } from '#text/readings/doubled-adjectives.ts';
import { openJyutpingDictionary } from '#text/readings/jyutping-dictionary.ts';
import { parseSyllable, pronunciationVariants } from '#text/syllables/jyutping.ts';

const TABLE = new URL('../../../../models/cantonese-readings/readings-in-use.tsv', import.meta.url);
const FURTHER = new URL('../../../../models/cantonese-readings/further-readings.tsv', import.meta.url);

/**
 * Literary and colloquial rimes that speakers use interchangeably: 生 sang1 and saang1. With -ing
 * and -eng the word decides (公平, 好平).
 */
const DOUBLETS = new Set(['ang aang', 'ak aak']);
/** A character whose two readings are different words: haang4 "to walk", hang4 "to go". */
const TWO_WORDS = '行';

const DIGITS = '一二三四五六七八九';

type Usage = { alone: readonly string[]; inSentence: readonly string[] };

/** A character in its clause. */
export type ReadCharacter = {
  char: string;
  /** Its reading in this context; null if unknown. */
  reading: string | null;
  /** Whether it is in a word of several characters, which determines its reading. */
  isInWord: boolean;
  /** Whether it is part of a number, whose characters have one reading. */
  isNumeral: boolean;
};

/**
 * Returns every accepted reading of each character of a clause, the reading in context first; none
 * for an unknown character.
 */
export type AcceptReadings = (characters: readonly ReadCharacter[]) => string[][];

let inUse: ReadonlySet<string> | null = null;

/**
 * Whether any character in use has a syllable with its tone. The first call reads the table of
 * readings.
 */
export function isInUse(syllable: string): boolean {
  inUse ??= new Set(Array.from(loadUsage().values(), ({ alone }) => alone).flat());
  return inUse.has(syllable);
}

/**
 * Returns which Cantonese readings are accepted beside the one in context. In a word of several
 * characters: those of the dictionary for the character in that word, and the counterpart of a
 * literary and colloquial pair with the same onset and tone (生 sang1, saang1); 行 in 銀行 is hong4
 * only. For a character that is a word by itself within a sentence: its readings in conversation
 * (readings-in-use.tsv, by frequency in HKCanCor; further-readings.tsv), and those that its
 * neighbors do not exclude. For a character that is a whole clause: all
 * readings in use (行 hang4, haang4, hong4). Rare dictionary readings are excluded, because they
 * would let wrong tones pass. Changed tones are included if the dictionary or conversation has
 * them. Mergers (n/l, ng/zero and the like) are left to the scorer.
 */
export function createAcceptReadings(): AcceptReadings {
  const usage = loadUsage();
  const further = loadFurtherReadings();
  return (characters) => {
    const chars = characters.map(({ char }) => char);
    const inWords = readWords(chars, further);
    const inContext = chooseReadings(chars.join(''));
    const isAlone = characters.length === 1;
    return characters.map(({ char, reading, isInWord, isNumeral }, index) => {
      const usualReadings = usage.get(char);
      const first = reading ?? usualReadings?.alone[0] ?? null;
      if (first === null) return [];
      const accepted = [first, ...numeralReadings(characters, index)];
      if (isNumeral) return accepted;
      if (isInWord) accepted.push(...inWords[index]!.listed, ...doubletsOf(char, first, usualReadings?.alone ?? []));
      else accepted.push(...((isAlone ? usualReadings?.alone : usualReadings?.inSentence) ?? []));
      // The words of another dictionary end elsewhere: 成家 of 成家人 says nothing about 成.
      if (!isInWord || inWords[index]!.listed.length === 0) accepted.push(...(further.get(char)?.flat() ?? []));
      // Many speakers keep the tone of an adjective that is doubled: hung4 hung4 dei2.
      if (isSecondBeforeDei(chars, index)) accepted.push(characters[index - 1]!.reading ?? first);
      accepted.push(...inWords[index]!.further);
      if (!isInWord) accepted.push(...inContext[index]!.likely);
      // Many speakers use another vowel in the demonstrative.
      if (first === 'ni1') accepted.push('nei1');
      return withoutLazySounds(accepted);
    });
  };
}

function loadUsage(): ReadonlyMap<string, Usage> {
  const rows = readFileSync(TABLE, 'utf8').trim().split('\n').slice(1);
  return new Map(
    rows.map((row): [string, Usage] => {
      const [char = '', alone = '', inSentence = alone] = row.split('\t');
      return [char, { alone: alone.split(' '), inSentence: inSentence.split(' ') }];
    }),
  );
}

/** Further readings of words: word → readings, with a syllable for each character. */
function loadFurtherReadings(): ReadonlyMap<string, string[][]> {
  const rows = readFileSync(FURTHER, 'utf8').trim().split('\n').slice(1);
  return new Map(
    rows.map((row) => {
      const [word = '', ...readings] = row.split('\t');
      return [word, readings.map((reading) => reading.split(' '))];
    }),
  );
}

/** The readings of a character in words of several: the dictionary's, longest first, and others. */
type WordReadings = { listed: string[]; further: string[] };

/** For each character, its readings in the words of several characters that it may be part of. */
function readWords(characters: readonly string[], further: ReadonlyMap<string, string[][]>): WordReadings[] {
  const dictionary = openJyutpingDictionary();
  const byLength = characters.map((): string[][] => []);
  const furtherAt = characters.map((): string[] => []);
  for (const from of characters.keys()) {
    for (const { length, readings } of dictionary.wordsAt(characters, from)) {
      if (length === 1) continue;
      for (const [offset, syllable] of readings.flatMap((syllables) => [...syllables.entries()])) {
        (byLength[from + offset]![length] ??= []).push(syllable);
      }
      const accepted = further.get(characters.slice(from, from + length).join('')) ?? [];
      for (const [offset, syllable] of accepted.flatMap((syllables) => [...syllables.entries()])) {
        furtherAt[from + offset]!.push(syllable);
      }
    }
  }
  return byLength.map((lists, at) => ({
    listed: Object.values(lists).toReversed().flat(),
    further: furtherAt[at]!,
  }));
}

/** Readings of 二十一 and 三十一 as the fused numerals 廿一 and 卅一: jaa6 aa6 jat1, saa1 aa6 jat1. */
function numeralReadings(characters: readonly ReadCharacter[], index: number): string[] {
  const char = characters[index]?.char ?? '';
  const before = characters[index - 1]?.char ?? '';
  const next = characters[index + 1]?.char ?? '';
  if (next === '十' && char === '二') return ['jaa6'];
  if (next === '十' && char === '三' && isDigit(characters[index + 2]?.char)) return ['saa1'];
  return char === '十' && isDigit(before) && isDigit(next) ? ['aa6'] : [];
}

const isDigit = (char: string | undefined) => char !== undefined && char !== '' && DIGITS.includes(char);

function doubletsOf(char: string, reading: string, candidates: readonly string[]): string[] {
  if (char === TWO_WORDS) return [];
  const parsed = parseSyllable(reading);
  return candidates.filter((other) => {
    const syllable = parseSyllable(other);
    if (parsed === null || syllable === null || parsed.onset !== syllable.onset || parsed.tone !== syllable.tone)
      return false;
    return DOUBLETS.has(`${parsed.rime} ${syllable.rime}`) || DOUBLETS.has(`${syllable.rime} ${parsed.rime}`);
  });
}

function withoutLazySounds(readings: readonly string[]): string[] {
  const kept: string[] = [];
  for (const reading of readings) {
    if (!kept.some((better) => better === reading || pronunciationVariants(better).includes(reading)))
      kept.push(reading);
  }
  return kept;
}
