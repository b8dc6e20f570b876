import { readFileSync } from 'node:fs';
import { AppError } from '@jyutsing/contracts/errors';
import { createWordTree, NONE, ROOT, type WordTree } from '#text/script/word-tree.ts';
import { normalizeSyllable } from '#text/syllables/jyutping.ts';
import { COST_STEP, loadWordList, UNLISTED_COST, type WordList } from './word-list.ts';

/** A word of the dictionary. */
export type DictionaryWord = {
  /** In characters. */
  length: number;
  /** −ln of its probability. */
  cost: number;
  /** Its readings, the most usual first, with one syllable for each character. */
  readings: readonly (readonly string[])[];
};

/**
 * The words that Cantonese texts are read by: those of the package to-jyutping, every reading of
 * 100,000 words and characters, with the frequency of words and our corrections. Gives what the
 * package gives in a tenth of its memory: the package keeps a `Map` for every character of every
 * word, 25 MB.
 */
export type JyutpingDictionary = {
  /** The words that begin at a character of a text, shortest first. */
  wordsAt(characters: readonly string[], from: number): DictionaryWord[];
};

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

/** Limit of nodes; the data and the list of words have about 160,000. */
const MAX_NODES = 2 ** 18;

/** Limit of remembered words, of which texts have far fewer. */
const MAX_REMEMBERED = 10_000;

let opened: JyutpingDictionary | null = null;

/** Opens the one dictionary of a process. Blocks for about 150 ms the first time. */
export function openJyutpingDictionary(): JyutpingDictionary {
  opened ??= createDictionary(dataOfPackage(), loadWordList());
  return opened;
}

/** The text from which the package builds its dictionary when it is imported. */
export function dataOfPackage(): string {
  const source = readFileSync(new URL(import.meta.resolve('to-jyutping')), 'utf8');
  const [, literal] = /Array\.from\(("\{(?:[^"\\]|\\.)*")\)/.exec(source) ?? [];
  if (literal === undefined) throw new AppError('internal_error', 'The dictionary of to-jyutping has another form.');
  return JSON.parse(literal) as string;
}

/** The words of the data and of the list, by their node in a tree. */
type Nodes = {
  tree: WordTree;
  data: string;
  /** The place in the data where the readings of a node begin; 0 for a node without readings. */
  starts: Int32Array;
  /** The cost of the word at each node, in steps; 0 for one that is not listed. */
  costs: Uint8Array;
  /** The rows of all tables, and the place where the reading of a node begins; 0 for none. */
  rows: string;
  corrections: Int32Array;
};

/** Makes a dictionary of the data of the package and a list of words. */
export function createDictionary(data: string, list: WordList): JyutpingDictionary {
  const nodes: Nodes = {
    tree: createWordTree(MAX_NODES),
    data,
    starts: new Int32Array(MAX_NODES),
    costs: new Uint8Array(MAX_NODES),
    rows: list.readings.map(({ table }) => table).join(''),
    corrections: new Int32Array(MAX_NODES),
  };
  addData(nodes);
  addCosts(nodes, list.costs);
  addRows(nodes, list.readings);
  const remembered = new Map<number, DictionaryWord | null>();
  return {
    wordsAt: (characters, from) => {
      const words: DictionaryWord[] = [];
      visit(nodes, characters, from, (node, to) => {
        let word = remembered.get(node);
        if (word === undefined) {
          word = wordOf(nodes, node, characters.slice(from, to));
          if (remembered.size < MAX_REMEMBERED) remembered.set(node, word);
        }
        if (word !== null) words.push(word);
      });
      return words;
    },
  };
}

/**
 * The data is a tree: characters lead to a node, followed by its readings; braces enclose the words
 * that go on from there.
 */
function addData({ tree, data, starts }: Nodes): void {
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
}

/** Adds the word at a place of a text, up to a sign or the end of the line. */
function addWord(tree: WordTree, text: string, start: number): { node: number; end: number; length: number } {
  let node: number = ROOT;
  let at = start;
  let length = 0;
  for (let code = text.codePointAt(at)!; code >= FIRST_CHARACTER; code = text.codePointAt(at)!) {
    node = tree.add(node, code);
    at += code > 0xffff ? 2 : 1;
    length += 1;
  }
  return { node, end: at, length };
}

function addCosts({ tree, costs }: Nodes, text: string): void {
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start);
    let at = text.indexOf(' ', start);
    const steps = Number(text.slice(start, at));
    while (at < end) {
      const word = addWord(tree, text, at + 1);
      costs[word.node] = steps;
      at = word.end;
    }
    start = end + 1;
  }
}

function addRows({ tree, costs, corrections }: Nodes, tables: WordList['readings']): void {
  let offset = 0;
  for (const { table, cost } of tables) {
    for (let at = table.indexOf('\n') + 1; at < table.length; at = table.indexOf('\n', at) + 1) {
      const { node, end, length } = addWord(tree, table, at);
      corrections[node] = offset + end + 1;
      if (cost !== null && length > 1) costs[node] = cost / COST_STEP;
      at = end;
    }
    offset += table.length;
  }
}

/** Calls `found` with the node of all characters from one to another. */
function visit(
  { tree }: Nodes,
  characters: readonly string[],
  from: number,
  found: (node: number, to: number) => void,
): void {
  let node: number = ROOT;
  for (let at = from; at < characters.length; at += 1) {
    node = tree.find(node, characters[at]!.codePointAt(0)!);
    if (node === NONE) return;
    found(node, at + 1);
  }
}

function wordOf(nodes: Nodes, node: number, characters: readonly string[]): DictionaryWord | null {
  const { length } = characters;
  const steps = nodes.costs[node]!;
  const cost = steps === 0 ? UNLISTED_COST : steps * COST_STEP;
  const readings = ownReadings(nodes, node, length);
  if (readings.length > 0) return { length, cost, readings };
  const composed = steps === 0 ? null : composedReading(nodes, characters);
  return composed === null ? null : { length, cost, readings: [composed] };
}

function ownReadings({ data, starts, rows, corrections }: Nodes, node: number, length: number): string[][] {
  const row = corrections[node]!;
  const corrected = row === 0 ? [] : [rows.slice(row, rows.indexOf('\n', row)).split(' ')];
  return corrected.length > 0 && length > 1 ? corrected : [...corrected, ...readingsAt(data, starts[node]!, length)];
}

/** The data leaves out words that are read like their longest parts from the left. */
function composedReading(nodes: Nodes, characters: readonly string[]): string[] | null {
  const syllables: string[] = [];
  while (syllables.length < characters.length) {
    let longest: readonly string[] | undefined;
    visit(nodes, characters, syllables.length, (node, to) => {
      longest = ownReadings(nodes, node, to - syllables.length)[0] ?? longest;
    });
    if (longest === undefined) return null;
    syllables.push(...longest);
  }
  return syllables;
}

/**
 * The readings of a word of the data, without those of several syllables for a character (卅: saa1
 * aa6).
 */
function readingsAt(data: string, start: number, length: number): string[][] {
  const readings: string[][] = [];
  for (let at = start; at > 0 && data.charCodeAt(at) < FIRST_SIGN;) {
    const syllables: (string | null)[] = [];
    for (let character = 0; character < length; at += 2) {
      const number = BASE * (data.charCodeAt(at) - FIRST_DIGIT) + data.charCodeAt(at + 1) - FIRST_DIGIT;
      syllables.push(normalizeSyllable(syllableOf(number)));
      if (data[at + 2] === ALSO) at += 1;
      else character += 1;
    }
    if (syllables.length === length && syllables.every((syllable) => syllable !== null)) readings.push(syllables);
  }
  return readings;
}

function syllableOf(number: number): string {
  const rime = Math.floor(number / TONES);
  return `${ONSETS[Math.floor(rime / RIMES.length)]}${RIMES[rime % RIMES.length]}${(number % TONES) + 1}`;
}
