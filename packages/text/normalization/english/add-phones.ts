import type { SpokenWord } from '@jyutsing/contracts/spoken-text';
import type { AddWordReadings } from '#text/normalization/tokens.ts';
import { heteronymPhones } from './heteronyms.ts';
import { NAME_ROWS, PERSON_NAMES } from './local-names.ts';
import type { WordContext } from './word-context.ts';

const ONE_WORD = /^[\p{Script=Latin}\p{M}'’-]+$/u;

/**
 * Adds ARPAbet phones to ambiguous words: heteronyms by context, Hong Kong names and romanized
 * names of people, brands. Other words keep an empty reading, since engines know them, and so do
 * tokens of several words (`$12`).
 */
export const addPhones: AddWordReadings = (words) => {
  const all = words.map(({ spokenForm }) => spokenForm.toLowerCase().replaceAll('’', "'"));
  const read: SpokenWord[] = [];
  while (read.length < words.length) {
    const at = read.length;
    const named = nameAt(words, all, at);
    if (named.length > 0) {
      named.forEach((reading, index) => read.push({ ...words[at + index]!, reading }));
      continue;
    }
    const word = words[at]!;
    read.push({
      ...word,
      reading: ONE_WORD.test(word.spokenForm) ? (heteronymPhones(contextOf(words, all, at)) ?? []) : [],
    });
  }
  return read;
};

/** The phones of each word of a name that begins here; empty: there is no name. */
function nameAt(words: readonly SpokenWord[], all: readonly string[], at: number): readonly (readonly string[])[] {
  const first = all[at]!;
  for (const row of NAME_ROWS.get(first) ?? []) {
    if (row.words.every((word, index) => all[at + index] === word)) return row.phones;
  }
  const person = /^\p{Lu}/u.test(words[at]!.spokenForm) ? PERSON_NAMES.get(first) : undefined;
  return person === undefined ? [] : [person];
}

function contextOf(words: readonly SpokenWord[], all: readonly string[], at: number): WordContext {
  return {
    word: all[at]!,
    written: words[at]!.written,
    before: all[at - 1] ?? '',
    beforeThat: all[at - 2] ?? '',
    next: all[at + 1] ?? '',
    nextButOne: all[at + 2] ?? '',
    all,
    at,
  };
}
