import type { Language } from '@jyutsing/contracts/transcript';
import { readTarget } from '@jyutsing/text/pronunciation/read-target';

/**
 * Readings of each unit separated by `/`, words of other languages in brackets, `|` for a possible
 * pause.
 */
export async function spokenSyllables(text: string, language: Exclude<Language, 'english'>): Promise<string> {
  const target = await readTarget(text, language);
  if (target.language === 'english') return '';
  return target.units
    .map((unit) => (unit.afterPause ? '| ' : '') + (unit.kind === 'other' ? `(${unit.text})` : unit.readings.join('/')))
    .join(' ');
}

/** The rows of a table with lines `text: expected units`. */
export function rowsOf(table: string): [text: string, expected: string][] {
  return table
    .trim()
    .split('\n')
    .map((line) => {
      const at = line.lastIndexOf(': ');
      return [line.slice(0, at), line.slice(at + 2)];
    });
}
