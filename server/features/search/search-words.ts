import { toSimplified } from '@jyutsing/text/script/convert-script';

/** A Chinese character, or a run of other letters and digits. An apostrophe is inside a word. */
const WORD =
  /\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{M}\p{N}])+(?:['’](?:(?!\p{Script=Han})[\p{L}\p{M}\p{N}])+)*/gu;
const HAN = /^\p{Script=Han}$/u;

/** A word of a text: its place in UTF-16 units, and the form in which it is searched. */
export type SearchWord = { word: string; start: number; end: number; isHan: boolean };

const forms = new Map<string, string>();

/**
 * A character in the form that both scripts and all regional forms share. Alone, so that the words
 * around it do not matter: a query has other ones than the text.
 */
function formOf(character: string): string {
  const remembered = forms.get(character);
  if (remembered !== undefined) return remembered;
  const form = toSimplified(toSimplified(character.normalize('NFKC')));
  forms.set(character, form);
  return form;
}

/** The words of a text in order: characters of Chinese, words of other languages. */
export function searchWords(text: string): SearchWord[] {
  const words: SearchWord[] = [];
  for (const match of text.matchAll(WORD)) {
    const [written] = match;
    const isHan = HAN.test(written);
    const word = isHan ? formOf(written) : plainWord(written);
    if (word !== '') words.push({ word, start: match.index, end: match.index + written.length, isHan });
  }
  return words;
}

/** In lower case, without accents and apostrophes. Wide letters become narrow ones. */
function plainWord(written: string): string {
  return written
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}
