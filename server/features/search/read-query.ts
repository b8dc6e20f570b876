import { AppError } from '@jyutsing/contracts/errors';
import { isSyllable, normalizeSyllable } from '@jyutsing/text/syllables/jyutping';
import type { SearchPhrase, SearchQuery } from '#store/repositories/transcript-search.ts';
import { searchWords } from './search-words.ts';

/** `any` looks in the texts, and in the readings if the query can be jyutping. */
export type SearchIn = 'any' | 'text' | 'jyutping';

/** More would only take time. */
const MAX_WORDS = 50;
/** The longest syllables have six letters, such as `gwaang`, and a tone. */
const MAX_SYLLABLE_LENGTH = 7;

/** Quoted words, or those between spaces. */
const PART = /"([^"]*)"|“([^”]*)”|「([^」]*)」|([^\s"“「]+)/gu;

/**
 * Reads a query: every part between spaces must occur; quotes keep words together. In jyutping all
 * syllables follow each other. Throws `invalid_parameter`.
 */
export function readQuery(query: string, where: SearchIn): SearchQuery {
  const jyutping = where === 'text' ? null : readJyutping(query);
  if (where === 'jyutping' && jyutping === null) {
    throw new AppError(
      'invalid_parameter',
      'The field "query" is not jyutping, such as "zou2 san4" or, for any tone, "zou san".',
    );
  }
  const hasTones = jyutping !== null && jyutping.words.some(isSyllable);
  const text = where === 'jyutping' || hasTones ? [] : readParts(query);
  if (text.length === 0 && jyutping === null) {
    throw new AppError('invalid_parameter', 'The field "query" has no word that can be looked for.');
  }
  return { text, jyutping };
}

function readParts(query: string): SearchPhrase[] {
  let left = MAX_WORDS;
  return [...query.matchAll(PART)].flatMap((match) => {
    const words = searchWords(match.slice(1).find((part) => part !== undefined) ?? '').map(({ word }) => word);
    const taken = words.slice(0, left);
    left -= taken.length;
    return taken.length === 0 ? [] : [{ words: taken }];
  });
}

/** Syllables with or without tones, also raised, or written together; null: something else. */
function readJyutping(query: string): SearchPhrase | null {
  const words: string[] = [];
  for (const part of query
    .normalize('NFKC')
    .toLowerCase()
    .match(/[^\s"“”,'-]+/g) ?? []) {
    if (!/^[a-z]+(?:[1-6][a-z]+)*[1-6]?$/.test(part)) return null;
    for (const run of part.match(/[a-z]+[1-6]?/g) ?? []) {
      const syllables = divide(run);
      if (syllables === null) return null;
      words.push(...syllables);
    }
  }
  return words.length === 0 || words.length > MAX_WORDS ? null : { words };
}

/**
 * Divides letters, of which the last syllable may have a tone, into syllables, long ones first.
 * Every place is tried once: letters such as `aaaa…` can be divided in millions of ways.
 */
function divide(run: string): string[] | null {
  /** Syllables from each place to the end, null for none. */
  const from: (string[] | null)[] = Array.from({ length: run.length + 1 }, () => null);
  from[run.length] = [];
  for (let at = run.length - 1; at >= 0; at -= 1) {
    const longest = Math.min(MAX_SYLLABLE_LENGTH, run.length - at);
    for (let length = longest; length > 0 && from[at] === null; length -= 1) {
      const rest = from[at + length] ?? null;
      const first = rest === null ? null : asSyllable(run.slice(at, at + length));
      if (first !== null && rest !== null) from[at] = [first, ...rest];
    }
  }
  return from[0] ?? null;
}

/** The syllable in its usual spelling, with the tone if it has one. */
function asSyllable(letters: string): string | null {
  if (/[1-6]$/.test(letters)) return normalizeSyllable(letters);
  return normalizeSyllable(`${letters}1`)?.slice(0, -1) ?? null;
}
