import { readFileSync } from 'node:fs';
import { languageOfText } from '@jyutsing/text/language-of-text';

const SENTENCES = new URL('languages.tsv', import.meta.url);

/** How many sentences of a class are taken for their language, and which are not. */
export type LanguageFigures = { name: string; sentences: number; wrong: string[] };

/** Guesses the language of everyday sentences that were written for the project. */
export function languageFigures(): LanguageFigures[] {
  const rows = readFileSync(SENTENCES, 'utf8').trim().split('\n').slice(1);
  return rows.map((row) => {
    const [name = '', language = '', sentences = ''] = row.split('\t');
    const texts = sentences.split('|');
    return { name, sentences: texts.length, wrong: texts.filter((text) => languageOfText(text) !== language) };
  });
}
