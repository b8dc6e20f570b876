import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { yieldToEventLoop } from '@jyutsing/concurrency/yield-to-event-loop';
import { AppError } from '@jyutsing/contracts/errors';
import { createWordTree, NONE, ROOT } from './word-tree.ts';

const MODEL = new URL('../../../models/traditional-words/words.txt', import.meta.url);
/** Limits of the model, which has about 140,000 nodes and 90,000 words. */
const MAX_NODES = 170_000;
const MAX_WORDS = 120_000;
/** The unit of the costs in the file, in nats. */
const STEP = 0.25;

/** Words that are added in a stretch, a few milliseconds. */
const WORDS_AT_ONCE = 4_096;

const SPACE = ' '.charCodeAt(0);
const NEWLINE = '\n'.charCodeAt(0);

/** The words among which Simplified writing leaves the choice. */
export type TraditionalWords = {
  /** The usual form of a Traditional variant (說 of 説), or the character itself. */
  usualForm(character: string): string;
  /** The Traditional form of a Japanese character, or the character itself. */
  chineseForm(character: string): string;
  /** The Simplified form of a Traditional character; undefined where they do not differ. */
  simplifiedForm(character: string): string | undefined;
  /** The characters that one of a Simplified text may stand for; empty where there is no choice. */
  candidates(simplified: string): readonly string[];
  /**
   * Calls `found` with the number of every word that Simplified writing writes as the characters
   * (code points) from `from` on, and its length in characters.
   */
  findWords(simplified: readonly number[], from: number, found: (word: number, length: number) => void): void;
  /** The cost of a word in nats: −ln of its probability. */
  costOf(word: number): number;
  /** The characters of a word as code points. */
  charactersOf(word: number): readonly number[];
};

let opened: TraditionalWords | null = null;

/** Opens the one list of a process. Blocks for about 100 ms the first time, and takes 8 MB. */
export function openTraditionalWords(): TraditionalWords {
  if (opened !== null) return opened;
  const creation = createWords(readFileSync(MODEL, 'utf8'));
  let step = creation.next();
  while (step.done !== true) step = creation.next();
  return (opened = step.value);
}

/**
 * Opens it without blocking for more than some 20 ms; `openTraditionalWords` does not block after
 * it.
 */
export async function openTraditionalWordsInTurns(): Promise<void> {
  if (opened !== null) return;
  const creation = createWords(await readFile(MODEL, 'utf8'));
  let step = creation.next();
  for (; step.done !== true; step = creation.next()) await yieldToEventLoop();
  opened ??= step.value;
}

/**
 * Yields after some milliseconds of work each. The file has three lines with pairs of characters:
 * Traditional and Simplified, a variant and the usual form, Japanese and Traditional; then a line
 * for every cost with its words.
 */
function* createWords(text: string): Generator<undefined, TraditionalWords> {
  const [[simplified, variants, shinjitai], start] = readPairs(text);
  const tree = createWordTree(MAX_NODES);
  /** For each node, the last of its words; each word leads to another one of its node. */
  const lastWords = new Int32Array(MAX_NODES).fill(NONE);
  const previousWords = new Int32Array(MAX_WORDS);
  /** The place of each word in the text. */
  const starts = new Int32Array(MAX_WORDS);
  const ends = new Int32Array(MAX_WORDS);
  const costs = new Uint8Array(MAX_WORDS);

  let count = 0;
  let cost = NONE;
  for (let at = start; at < text.length;) {
    let node: number = ROOT;
    let end = at;
    for (let code = text.codePointAt(end)!; code !== SPACE && code !== NEWLINE; code = text.codePointAt(end)!) {
      const character = String.fromCodePoint(code);
      if (cost !== NONE) node = tree.add(node, (simplified.get(character) ?? character).codePointAt(0)!);
      end += character.length;
    }
    if (cost === NONE) cost = Number(text.slice(at, end));
    else {
      [previousWords[count], starts[count], ends[count], costs[count]] = [lastWords[node]!, at, end, cost];
      lastWords[node] = count++;
    }
    if (text.charCodeAt(end) === NEWLINE) cost = NONE;
    if (count % WORDS_AT_ONCE === 0) yield;
    at = end + 1;
  }

  /** The characters of the words that were asked for. */
  const characters: (readonly number[] | undefined)[] = [];
  const charactersOf = (word: number) =>
    (characters[word] ??= Array.from(text.slice(starts[word], ends[word]), (character) => character.codePointAt(0)!));
  return {
    usualForm: (character) => variants.get(character) ?? character,
    chineseForm: (character) => shinjitai.get(character) ?? character,
    simplifiedForm: (character) => simplified.get(character),
    candidates: (character) => {
      const found: string[] = [];
      const node = tree.find(ROOT, character.codePointAt(0)!);
      if (node === NONE) return found;
      for (let word = lastWords[node]!; word !== NONE; word = previousWords[word]!) {
        found.push(text.slice(starts[word], ends[word]));
      }
      return found;
    },
    findWords: (written, from, found) => {
      let node: number = ROOT;
      for (let at = from; at < written.length; at += 1) {
        node = tree.find(node, written[at]!);
        if (node === NONE) return;
        for (let word = lastWords[node]!; word !== NONE; word = previousWords[word]!) found(word, at - from + 1);
      }
    },
    costOf: (word) => costs[word]! * STEP,
    charactersOf,
  };
}

/** The pairs of the first lines, and the place where the words begin. */
function readPairs(text: string) {
  let start = 0;
  const pairsOf = (name: string) => {
    const end = text.indexOf('\n', start);
    const [title, ...pairs] = text.slice(start, end).split(' ');
    if (title !== name) throw new AppError('internal_error', 'The list of Traditional words is damaged.');
    start = end + 1;
    return new Map(pairs.map((pair) => Array.from(pair) as [string, string]));
  };
  const pairs = [pairsOf('simplified'), pairsOf('variants'), pairsOf('shinjitai')] as const;
  return [pairs, start] as const;
}
