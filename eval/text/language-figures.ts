import { readFileSync } from 'node:fs';
import { languageOfText } from '@jyutsing/text/language-of-text';
import { answersOfPackages } from './python-packages.ts';

const SENTENCES = new URL('languages.tsv', import.meta.url);
/** The answer of a package that a text may be either. */
const UNDECIDED = 'neutral';

/** How many sentences of a class are taken for another language, and which are. */
export type LanguageFigures = {
  name: string;
  sentences: number;
  wrong: string[];
  /** The same by packages of PyPI, with the sentences that they leave undecided. */
  packages: { name: string; wrong: number; undecided: number }[];
};

/**
 * Guesses the language of everyday sentences that were written for the project. `python`, where it
 * is not null, is an interpreter with other packages.
 */
export function languageFigures(python: string | null): LanguageFigures[] {
  const rows = readFileSync(SENTENCES, 'utf8').trim().split('\n').slice(1);
  return rows.map((row) => {
    const [name = '', language = '', sentences = ''] = row.split('\t');
    const texts = sentences.split('|');
    const answers = python === null ? [] : answersOfPackages<string>(python, 'other_detectors.py', texts);
    return {
      name,
      sentences: texts.length,
      wrong: texts.filter((text) => languageOfText(text) !== language),
      packages: answers.map(([other, languages]) => {
        const undecided = languages.filter((answer) => answer === UNDECIDED).length;
        const right = languages.filter((answer) => answer === language).length;
        return { name: other, wrong: texts.length - undecided - right, undecided };
      }),
    };
  });
}
