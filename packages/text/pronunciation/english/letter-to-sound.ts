import { readFileSync } from 'node:fs';

const TABLE = new URL('./letter-rules.tsv', import.meta.url);
/** Stands for what is beyond the ends of a word. */
const EDGE = '#';
const MOST_READINGS = 4;
const SILENT = '-';

/** Letters to the left, the letter, letters to the right, from the general to the special. */
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

/** What a letter says in a context: chunks of phones, the likelier first. */
export type LetterRules = ReadonlyMap<string, readonly string[]>;

/** Rules as `training/pronunciation/readings/build-letters.ts` writes them. */
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
 * How a word of lower-case letters a–z that no dictionary has may be said, the likeliest first: each letter by the most special rule for
 * what is around it; where one leaves two open, both. Empty where the letters say nothing at all.
 */
export function sayLetters(word: string, rules: LetterRules): string[][] {
  let readings: string[][] = [[]];
  for (let at = 0; at < word.length; at += 1) {
    // Letters that are doubled, or held on (sooo), say once what they say.
    if (
      at > 0 &&
      word.charAt(at) === word.charAt(at - 1) &&
      isSaidAgain(readings[0] ?? [], chunksAt(word, at, rules)[0])
    )
      continue;
    const [best, second] = chunksAt(word, at, rules)
      // No vowel but e may as well be silent.
      .filter((chunk, rank) => rank === 0 || chunk !== SILENT || !/[aiou]/.test(word.charAt(at)))
      .map((chunk) => (chunk === SILENT ? [] : chunk.split('+')));
    const others = second === undefined ? [] : readings.map((phones) => [...phones, ...second]);
    readings = [...readings.map((phones) => [...phones, ...(best ?? [])]), ...others].slice(0, MOST_READINGS);
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
