import type { SpokenWord } from '@jyutsing/contracts/spoken-text';
import { createPronouncer } from '@jyutsing/text/pronunciation/english/pronounce-word';
import type { Entry, Lexicon } from './lexicon.ts';
import { isVowelLetter, lettersOf, phonesOf } from './phonemes.ts';

/** The sound that follows a word; null: a pause. */
export type Following = 'vowel' | 'consonant' | null;

/**
 * Spells a word in the voice's alphabet, with spaces between the words of a form such as `twenty
 * four`; empty when it has no letter. `isBeforeTo` says that the next word is "to".
 */
export type SpellWord = (word: SpokenWord, following: Following, isBeforeTo: boolean) => string;

type InContext = (following: Following, isBeforeTo: boolean) => string;

/** Words whose sound depends on what follows (after misaki, hexgrad, Apache-2.0). */
const BY_CONTEXT: ReadonlyMap<string, InContext> = new Map<string, InContext>([
  ['a', () => 'ɐ'],
  ['an', () => 'ɐn'],
  ['i', () => 'ˌI'],
  ['am', (following) => (following === null ? 'ˈæm' : 'ɐm')],
  ['the', (following) => (following === 'vowel' ? 'ði' : 'ðə')],
  ['to', (following) => (following === null ? 'tu' : following === 'vowel' ? 'tʊ' : 'tə')],
  ['in', (following) => (following === null ? 'ˈɪn' : 'ɪn')],
  ['used', (_, isBeforeTo) => (isBeforeTo ? 'jˈust' : 'jˈuzd')],
]);

const PARTS = /\p{Script=Latin}[\p{Script=Latin}\p{M}'’.]*|\d+/gu;
const SINGLE = /^[A-Z]\.?$/;

/** Returns the speller of a lexicon; words that it does not have are read by rules. */
export function createSpeller(lexicon: Lexicon): SpellWord {
  const find = (word: string): Entry | null => {
    const small = word.toLowerCase();
    return lexicon(word) ?? lexicon(small) ?? lexicon(`${small.charAt(0).toUpperCase()}${small.slice(1)}`);
  };
  const { pronounce } = createPronouncer((word) => {
    const found = find(word);
    return found === null ? [] : [phonesOf(found.within)];
  });
  const spellPart = (part: string, following: Following, isBeforeTo: boolean): string => {
    const plain = part.replaceAll('’', "'").replace(/[.']+$/, (end) => (end.includes("'") ? "'" : ''));
    const special = BY_CONTEXT.get(plain.toLowerCase());
    if (special !== undefined) return special(following, isBeforeTo);
    const found = find(plain);
    if (found !== null) return following === null ? found.last : found.within;
    return lettersOf(pronounce(plain)[0] ?? []) ?? '';
  };
  return ({ spokenForm, reading }, following, isBeforeTo) => {
    const fromReading = reading.length > 0 ? lettersOf(reading) : null;
    if (fromReading !== null) return fromReading;
    const parts = spokenForm.normalize('NFC').match(PARTS) ?? [];
    const spelled: string[] = [];
    for (let at = parts.length - 1; at >= 0; at -= 1) {
      const run = lettersEndingAt(parts, at);
      if (run.length > 1) {
        spelled.unshift(spellLetters(run.map((letter) => find(letter.charAt(0))?.within ?? '')));
        at -= run.length - 1;
        continue;
      }
      const next = spelled[0];
      spelled.unshift(
        spellPart(parts[at]!, next === undefined ? following : startOf(next), isBeforeTo && at === parts.length - 1),
      );
    }
    return spelled.filter((letters) => letters !== '').join(' ');
  };
}

/** The single capital letters up to a part: M T R is one word. */
function lettersEndingAt(parts: readonly string[], at: number): readonly string[] {
  let from = at + 1;
  while (from > 0 && SINGLE.test(parts[from - 1]!)) from -= 1;
  return parts.slice(from, at + 1);
}

/** Joins the names of letters to one word, whose stress is on the last. */
function spellLetters(names: readonly string[]): string {
  return names.map((name, index) => name.replace(/[ˈˌ]/g, index === names.length - 1 ? 'ˈ' : 'ˌ')).join('');
}

/** The kind of sound with which spelled words begin. */
export function startOf(spelled: string): Exclude<Following, null> {
  return isVowelLetter(spelled.replace(/^[ˈˌ]/, '').charAt(0)) ? 'vowel' : 'consonant';
}
