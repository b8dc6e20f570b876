import { readFile } from 'node:fs/promises';
import { AppError } from '@jyutsing/contracts/errors';

/** The words of a pronunciation dictionary, in lower case. */
export type Lexicon = ReadonlySet<string>;

/**
 * Punctuation with a pause, mapped to the nearest mark of the voice. Its token table only has ASCII
 * marks: the library drops all others, and the voice would neither pause nor end its sentence.
 */
const MARKS: Readonly<Record<string, string>> = {
  '，': ',',
  ',': ',',
  '、': ',',
  '；': ',',
  ';': ',',
  '：': ',',
  ':': ',',
  '。': '.',
  '.': '.',
  '！': '!',
  '!': '!',
  '？': '?',
  '?': '?',
  '…': '.',
  '⋯': '.',
};
const UNITS = /[\p{Script=Latin}]+(?:['’][\p{Script=Latin}]+)*|\P{Script=Latin}/gu;

/**
 * Reads the words of a dictionary file. Throws `engine_failed` when it cannot be read or has no
 * word.
 */
export async function readLexicon(path: string): Promise<Lexicon> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new AppError('engine_failed', 'The pronunciation dictionary of this voice cannot be read.', { cause });
  });
  const words = new Set<string>();
  // An entry has a word and at least one phone.
  for (const [, word = ''] of text.matchAll(/^(\S+)[ \t]+\S/gmu)) words.add(word.toLowerCase());
  if (words.size === 0) throw new AppError('engine_failed', 'The pronunciation dictionary of this voice is damaged.');
  return words;
}

/**
 * Returns the part of a text that a voice can speak. The library logs every unknown word, and user
 * text must not be logged. A missing character is replaced by its Hong Kong or Simplified form, a
 * Latin word by its letters unless the voice reads any (`readsLatin`). Empty when nothing is left.
 */
export async function speakableText(text: string, lexicon: Lexicon, readsLatin = false): Promise<string> {
  const otherForms = await otherFormsFor(text, lexicon);
  let speakable = '';
  for (const [unit] of text.matchAll(UNITS)) {
    const mark = MARKS[unit];
    if (mark !== undefined) {
      // Repeated or leading punctuation would be an empty pause.
      if (speakable !== '' && !/[,.!?]$/u.test(speakable)) speakable += mark;
      continue;
    }
    const isRead = readsLatin && /^\p{Script=Latin}/u.test(unit);
    const word = isRead ? plainLatin(unit) : wordFor(unit.toLowerCase(), lexicon, otherForms);
    // The library would read adjacent letters as one word.
    speakable += /[a-z]$/iu.test(speakable) && /^[a-z]/iu.test(word) ? ` ${word}` : word;
  }
  return speakable;
}

type OtherForms = (character: string) => readonly string[];

/** Load the script tables only when they are needed, because they take 100 MB. */
async function otherFormsFor(text: string, lexicon: Lexicon): Promise<OtherForms> {
  const isNeeded = Array.from(text.matchAll(/\p{Script=Han}/gu)).some(([character]) => !lexicon.has(character));
  if (!isNeeded) return () => [];
  const { toHongKong, toSimplified } = await import('@jyutsing/text/script/convert-script');
  return (character) => [toHongKong(character), toSimplified(character)];
}

/** Converts letters with marks to those without: the library splits them by its own rule. */
function plainLatin(word: string): string {
  return word
    .normalize('NFD')
    .replaceAll('’', "'")
    .replaceAll(/[^a-z']/giu, '');
}

function wordFor(unit: string, lexicon: Lexicon, otherForms: OtherForms): string {
  if (/^\p{Script=Latin}/u.test(unit)) {
    // The letters are ASCII only, because the library splits others by its own rule.
    const letters = unit.normalize('NFD').replaceAll(/[^a-z]/gu, '');
    if (lexicon.has(letters)) return letters;
    return Array.from(letters)
      .filter((letter) => lexicon.has(letter))
      .join(' ');
  }
  return [unit, ...otherForms(unit)].find((form) => lexicon.has(form)) ?? '';
}
