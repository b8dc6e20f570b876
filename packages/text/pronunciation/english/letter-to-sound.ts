import { readFileSync } from 'node:fs';

const TABLE = new URL('../../../../models/english-letters/rules.tsv', import.meta.url);
/** The sign for positions beyond the ends of a word. */
const EDGE = '#';
const MAX_READINGS = 4;
const SILENT = '-';

/**
 * Contexts of a letter as numbers of letters to its left and to its right, from the most general to
 * the most specific.
 */
const SIZES: readonly (readonly [number, number])[] = [
  [0, 0],
  [0, 1],
  [1, 0],
  [1, 1],
  [0, 2],
  [1, 2],
  [2, 1],
  [2, 2],
  [1, 3],
  [3, 1],
  [2, 3],
  [3, 3],
];

/** The key of a letter's rule for each size of context. */
export const CONTEXTS: readonly ((word: string, at: number) => string)[] = SIZES.map(([left, right]) => {
  return (word: string, at: number) => {
    const before = (EDGE.repeat(left) + word.slice(Math.max(0, at - left), at)).slice(-left);
    const after = (word.slice(at + 1, at + 1 + right) + EDGE.repeat(right)).slice(0, right);
    return `${left === 0 ? '' : before}.${word.charAt(at)}.${after}`;
  };
});

/** The sounds of a letter in a context: groups of phones, the likelier first. */
export type LetterRules = ReadonlyMap<string, readonly string[]>;

/** Parses rules as written by `training/pronunciation/readings/build-letters.ts`. */
export function parseLetterRules(table: string): LetterRules {
  return new Map(
    table
      .trim()
      .split('\n')
      .map((row): [string, string[]] => {
        const [key = '', ...chunks] = row.split('\t');
        return [key, chunks];
      }),
  );
}

export const loadLetterRules = (): LetterRules => parseLetterRules(readFileSync(TABLE, 'utf8'));

/**
 * Predicts pronunciations of an unknown word of the letters a–z, the likeliest first: each letter
 * by the most specific rule for its context; both if a rule leaves two. Empty if all letters are
 * silent.
 */
export function sayLetters(word: string, rules: LetterRules): string[][] {
  let readings: string[][] = [[]];
  for (let at = 0; at < word.length; at += 1) {
    // Repeated letters (sooo) sound once.
    if (
      at > 0 &&
      word.charAt(at) === word.charAt(at - 1) &&
      isSaidAgain(readings[0] ?? [], chunksAt(word, at, rules)[0])
    )
      continue;
    const [best, second] = chunksAt(word, at, rules)
      // A silent e is likely, any other silent vowel is a mistake of the rules.
      .filter((chunk, rank) => rank === 0 || chunk !== SILENT || !/[aiou]/.test(word.charAt(at)))
      .map((chunk) => (chunk === SILENT ? [] : chunk.split('+')));
    const alternatives = second === undefined ? [] : readings.map((phones) => [...phones, ...second]);
    readings = [...readings.map((phones) => [...phones, ...(best ?? [])]), ...alternatives].slice(0, MAX_READINGS);
  }
  return readings.filter((phones) => phones.length > 0);
}

const isSaidAgain = (phones: readonly string[], chunk: string | undefined) =>
  chunk !== undefined && phones.at(-1) === chunk;

function chunksAt(word: string, at: number, rules: LetterRules): readonly string[] {
  for (let index = CONTEXTS.length - 1; index >= 0; index -= 1) {
    const found = rules.get(CONTEXTS[index]?.(word, at) ?? '');
    if (found !== undefined) return found;
  }
  return [];
}
