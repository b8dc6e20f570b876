import type { Row } from './check-entry.ts';

type Fields = Omit<Row, 'key'>;
const SYLLABLES = /^[a-z]{1,6}[1-6](?:[\s,]+[a-z]{1,6}[1-6])*$/i;
const WEIGHT = /^\d+(?:\.\d+)?$/;

/**
 * Reads rows that were copied from a spreadsheet or a list: a word on each line, then its jyutping
 * and its weight in any order, between tabs. Returns null for a text that is a single word.
 */
export function pastedRows(pasted: string): Fields[] | null {
  const lines = pasted.split(/\r?\n/).filter((line) => line.trim() !== '');
  if (lines.length < 2 && !pasted.includes('\t')) return null;
  return lines.map((line) => {
    const [text = '', ...rest] = line.split('\t').map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
    const jyutping = rest.find((cell) => SYLLABLES.test(cell)) ?? '';
    const weight = rest.find((cell) => WEIGHT.test(cell)) ?? '';
    // A cell that is neither is shown where a reading stands, so that its fault is seen.
    const unread = rest.find((cell) => cell !== '' && cell !== jyutping && cell !== weight) ?? '';
    return { text, jyutping: jyutping === '' ? unread : jyutping.replaceAll(',', ' '), weight };
  });
}
