import { readFileSync } from 'node:fs';
import { AppError } from '@jyutsing/contracts/errors';
import { createWordTree, NONE, ROOT } from '#text/script/word-tree.ts';

/** A character of a text with its readings. */
type DictionaryReading = {
  char: string;
  /** The reading in this context; null if unknown. */
  reading: string | null;
  /**
   * Every reading that a word of the dictionary gives the character at this place, those of the
   * longest words first.
   */
  candidates: string[];
};

/**
 * Readings that replace those of the dictionary. `find` returns syllables separated by spaces, null
 * for a word without a reading, and undefined to keep the dictionary's; it is called for words of
 * at most `maxCharacters`.
 */
export type Overrides = { maxCharacters: number; find(word: string): string | null | undefined };

/**
 * The dictionary of the package to-jyutping: every reading of 100,000 words and characters. Gives
 * what the package gives, in a tenth of its memory: the package keeps a `Map` for every character
 * of every word, 25 MB.
 */
type JyutpingDictionary = { read(text: string, overrides?: Overrides): DictionaryReading[] };

const ONSETS = ['', 'b', 'p', 'm', 'f', 'd', 't', 'n', 'l', 'g', 'k', 'ng', 'gw', 'kw', 'w', 'h', 'z', 'c', 's', 'j'];
const VOWELS = ['aa', 'a', 'e', 'i', 'o', 'u'];
const CODAS = ['', 'i', 'u', 'm', 'n', 'ng', 'p', 't', 'k'];
const OTHER_RIMES = ['oe', 'oen', 'oeng', 'oet', 'oek', 'eoi', 'eon', 'eot', 'yu', 'yun', 'yut', 'm', 'ng'];
const RIMES = [...VOWELS.flatMap((vowel) => CODAS.map((coda) => vowel + coda)), ...OTHER_RIMES];
const TONES = 6;

/** Syllables are numbers of two digits in base 90; the digit 0 is this character. */
const FIRST_DIGIT = 33;
const BASE = 90;
/** The sign before a further syllable of the same character. */
const ALSO = '~';
const OPEN = '{';
const CLOSE = '}';
/** Characters from here on are signs; those below are digits. */
const FIRST_SIGN = 123;
/** The first character that belongs to a word. */
const FIRST_CHARACTER = 256;

/** Limit of nodes; the data has about 72,000. */
const MAX_NODES = 2 ** 17;

const NO_OVERRIDES: Overrides = { maxCharacters: 0, find: () => undefined };

let opened: JyutpingDictionary | null = null;

/** Opens the one dictionary of a process. Blocks for about 100 ms the first time. */
export function openJyutpingDictionary(): JyutpingDictionary {
  opened ??= createDictionary(dataOfPackage());
  return opened;
}

/** The text from which the package builds its dictionary when it is imported. */
function dataOfPackage(): string {
  const source = readFileSync(new URL(import.meta.resolve('to-jyutping')), 'utf8');
  const [, literal] = /Array\.from\(("\{(?:[^"\\]|\\.)*")\)/.exec(source) ?? [];
  if (literal === undefined) throw new AppError('internal_error', 'The dictionary of to-jyutping has another form.');
  return JSON.parse(literal) as string;
}

/**
 * The data is a tree: characters lead to a node, followed by its readings; braces enclose the words
 * that go on from there.
 */
function createDictionary(data: string): JyutpingDictionary {
  const tree = createWordTree(MAX_NODES);
  /** The place in the data where the readings of a node begin; 0 for a node without readings. */
  const starts = new Int32Array(MAX_NODES);

  const path: number[] = [ROOT];
  for (let at = 1; path.length > 0;) {
    let node = path.at(-1)!;
    for (let code = data.codePointAt(at)!; code >= FIRST_CHARACTER; code = data.codePointAt(at)!) {
      node = tree.add(node, code);
      at += code > 0xffff ? 2 : 1;
    }
    if (data.charCodeAt(at) < FIRST_SIGN) starts[node] = at;
    while (data.charCodeAt(at) < FIRST_SIGN || data[at] === ALSO) at += 1;
    if (data[at] === OPEN) path.push(node);
    else if (data[at] === CLOSE) path.pop();
    if (data[at] === OPEN || data[at] === CLOSE) at += 1;
  }

  return {
    read: (text, overrides = NO_OVERRIDES) => readText([...text], (chars, from) => wordsAt(chars, from, overrides)),
  };

  /** The words that begin at a character, shortest first, with their readings. */
  function wordsAt(chars: readonly string[], from: number, overrides: Overrides): Word[] {
    const words: Word[] = [];
    let node: number = ROOT;
    for (let to = from; to < chars.length; to += 1) {
      const length = to - from + 1;
      if (node !== NONE) node = tree.find(node, chars[to]!.codePointAt(0)!);
      if (node === NONE && length > overrides.maxCharacters) break;
      const other = length > overrides.maxCharacters ? undefined : overrides.find(chars.slice(from, to + 1).join(''));
      const readings = other === undefined && node !== NONE ? readingsAt(data, starts[node]!, length) : [other];
      const wordReadings = readings.filter((reading) => typeof reading === 'string');
      if (wordReadings.length > 0) words.push({ length, readings: wordReadings });
    }
    return words;
  }
}

/** A word at a place of a text; each of its readings has its syllables separated by spaces. */
type Word = { length: number; readings: string[] };

function readingsAt(data: string, start: number, length: number): string[] {
  const readings: string[] = [];
  for (let at = start; at > 0 && data.charCodeAt(at) < FIRST_SIGN;) {
    const syllables: string[] = [];
    for (let character = 0; character < length; at += 2) {
      syllables.push(syllableOf(BASE * (data.charCodeAt(at) - FIRST_DIGIT) + data.charCodeAt(at + 1) - FIRST_DIGIT));
      if (data[at + 2] === ALSO) at += 1;
      else character += 1;
    }
    readings.push(syllables.join(' '));
  }
  return readings;
}

function syllableOf(number: number): string {
  const rime = Math.floor(number / TONES);
  return `${ONSETS[Math.floor(rime / RIMES.length)]}${RIMES[rime % RIMES.length]}${(number % TONES) + 1}`;
}

/** Reads a text by its longest words from the left; collects the candidates of all its words. */
function readText(
  chars: readonly string[],
  wordsAt: (chars: readonly string[], from: number) => Word[],
): DictionaryReading[] {
  const read: DictionaryReading[] = chars.map((char) => ({ char, reading: null, candidates: [] }));
  /** For each character, its candidates by the length of the word. */
  const byLength = chars.map((): string[][] => []);
  let readUntil = 0;
  for (const from of chars.keys()) {
    const words = wordsAt(chars, from);
    for (const { length, readings } of words) {
      for (const reading of readings) {
        for (const [offset, syllable] of syllablesOf(reading, length).entries()) {
          (byLength[from + offset]![length] ??= []).push(syllable);
        }
      }
    }
    if (from < readUntil) continue;
    const longest = words.at(-1);
    readUntil = from + (longest?.length ?? 1);
    const syllables = longest === undefined ? [] : syllablesOf(longest.readings[0]!, longest.length);
    for (const [offset, syllable] of syllables.entries()) read[from + offset]!.reading = syllable;
  }
  for (const [at, lists] of byLength.entries())
    read[at]!.candidates = [...new Set(Object.values(lists).toReversed().flat())];
  return read;
}

/** A character by itself may have several syllables (卅: saa1 aa6); in a word each has one. */
function syllablesOf(reading: string, length: number): string[] {
  return length === 1 ? [reading] : reading.split(' ').slice(0, length);
}
