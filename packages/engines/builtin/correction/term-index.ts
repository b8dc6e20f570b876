import { createHash } from 'node:crypto';
import type { Term } from '@jyutsing/contracts/corrector';
import { MAX_TERM_CHARACTERS, whyNoTerm } from '@jyutsing/text/corpora/entry-note';
import type { Vocabulary } from './vocabulary.ts';
import { syllableCode, type RankedCodes } from './sound-likeness.ts';

/** A term of the request as the search needs it. */
export type KnownTerm = {
  characters: readonly string[];
  /** Weight of the term, above 0 and at most 10. */
  weight: number;
  /** Numbers of its words in the language model. */
  words: readonly number[];
  /** Log-probability of the words after the first, given the preceding ones. */
  restLogp: number;
};

/** A node of the tree of terms by their syllables. */
export type TermNode = {
  /** The syllables that may follow, and the nodes to which they lead. */
  next: RankedCodes & { codes: number[] };
  children: TermNode[];
  /** Terms that end here. */
  terms: KnownTerm[];
};

/**
 * Largest number of homophonous terms that are tried, by weight: each costs time at every position
 * where it may fit.
 */
const MAX_HOMOPHONES = 16;

/**
 * Builds the tree of terms by their readings. Includes only terms of at least two Chinese
 * characters and nothing else: single ones match too much. Skips readings that do not fit the
 * characters, because terms are user input.
 */
function buildTermTree(terms: readonly Term[], vocabulary: Vocabulary): TermNode {
  const root = growingNode();
  for (const { text, readings, weight } of terms) {
    // A long text is not even looked at.
    if (text.length > 2 * MAX_TERM_CHARACTERS || whyNoTerm(text) !== null) continue;
    const characters = [...text];
    let term: KnownTerm | null = null;
    for (const reading of readings) {
      const codes = reading.map(syllableCode);
      if (codes.length !== characters.length || codes.includes(-1)) continue;
      term ??= toKnownTerm(characters, weight, vocabulary);
      insert(root, codes, term);
    }
  }
  return root;
}

/** A node under construction; `byCode` finds a child by the code of its syllable. */
type Growing = TermNode & { byCode: Map<number, Growing> };

const growingNode = (): Growing => ({ next: { codes: [], nearTo: null }, children: [], terms: [], byCode: new Map() });

function insert(root: Growing, codes: readonly number[], term: KnownTerm): void {
  let node = root;
  for (const code of codes) {
    let child = node.byCode.get(code);
    if (child === undefined) {
      child = growingNode();
      node.byCode.set(code, child);
      node.next.codes.push(code);
      node.children.push(child);
    }
    node = child;
  }
  node.terms.push(term);
  if (node.terms.length > MAX_HOMOPHONES) {
    const lightest = node.terms.reduce((least, entry) => (entry.weight < least.weight ? entry : least));
    node.terms.splice(node.terms.indexOf(lightest), 1);
  }
}

function toKnownTerm(characters: readonly string[], weight: number, vocabulary: Vocabulary): KnownTerm {
  const { model, unknown } = vocabulary;
  const words = vocabulary.wordsOf(characters);
  let restLogp = 0;
  for (let i = 1; i < words.length; i += 1) {
    const word = words[i] ?? unknown;
    // The words before the term are unknown at this point.
    const context = model.context(words[i - 2] ?? unknown, words[i - 1] ?? unknown);
    restLogp += word === unknown ? -Infinity : model.logp(context, word);
  }
  return { characters, weight: weight > 0 ? Math.min(10, weight) : 1, words, restLogp };
}

/** Number of cached trees: the parts of one recording are corrected with the same terms. */
const KEPT_TREES = 4;

/**
 * Returns the tree of a list of terms, cached by the content of the list.
 */
export function createTermIndex(vocabulary: Vocabulary): (terms: readonly Term[]) => TermNode {
  const trees = new Map<string, TermNode>();
  // Look up the list object first, which avoids hashing its content.
  const treeOf = new WeakMap<readonly Term[], TermNode>();
  return (terms) => {
    const cachedTree = treeOf.get(terms);
    if (cachedTree !== undefined) return cachedTree;
    const key = createHash('sha256').update(JSON.stringify(terms)).digest('base64');
    const tree = trees.get(key) ?? buildTermTree(terms, vocabulary);
    // Move it to the end: the map is ordered by last use.
    trees.delete(key);
    trees.set(key, tree);
    treeOf.set(terms, tree);
    for (const oldest of [...trees.keys()].slice(0, -KEPT_TREES)) trees.delete(oldest);
    return tree;
  };
}
