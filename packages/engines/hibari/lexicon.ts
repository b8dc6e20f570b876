import { readFile } from 'node:fs/promises';

/** How a word is said, in the voice's alphabet: within a clause, and as its last word. */
export type Entry = { within: string; last: string };

/** Finds a word as it is written; capitals count. Null: the word is unknown. */
export type Lexicon = (word: string) => Entry | null;

const TAB = 9;
const NEWLINE = 10;

/**
 * Reads a lexicon of lines `word<tab>letters` and sometimes `<tab>letters of the last word of a
 * clause`, sorted by the bytes of the word. The file stays as it is in memory, 5 MB instead of the
 * 40 MB of a map, and is searched by halves.
 */
export async function readLexicon(path: string): Promise<Lexicon> {
  const bytes = await readFile(path);
  return (word) => {
    const key = Buffer.from(`${word}\t`);
    let low = 0;
    let high = bytes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const start = middle === 0 ? 0 : bytes.lastIndexOf(NEWLINE, middle - 1) + 1;
      const end = bytes.indexOf(NEWLINE, start);
      const order = key.compare(bytes, start, bytes.indexOf(TAB, start) + 1);
      if (order === 0) {
        const [, within = '', last = within] = bytes.toString('utf8', start, end).split('\t');
        return { within, last };
      }
      if (order < 0) high = start;
      else low = end + 1;
    }
    return null;
  };
}
