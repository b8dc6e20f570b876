import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { type NamedModel, bigramNode, emptyModel } from './named-model.ts';

/** Bytes before the word list: counts of nodes and words, offsets of words and spellings. */
const SPELLINGS_OFFSET_FIELD = 8;

/**
 * Reads open-gram trigrams as printed by `tslminfo -v -p` (Debian packages sunpinyin-data and
 * sunpinyin-utils) with the spellings of `pydict_sc.bin`: UTF-32 strings terminated by 0 in the
 * order of word numbers. Words without a spelling (numbers, Latin letters, the unknown word) are
 * ''. Clause boundaries are punctuation words.
 */
export async function readOpenGram(modelText: string, dictionary: string): Promise<NamedModel> {
  const words = readSpellings(dictionary);
  const model = emptyModel(words.length);
  let order = 0;
  for await (const line of createInterface({ input: createReadStream(modelText) })) {
    if (line.startsWith('\\')) {
      order = Number(line[1]);
      continue;
    }
    const fields = line.trim().split(/\s+/);
    const [first = 0, second = 0, third = 0] = fields.map(Number);
    const logp = Math.log(Number(fields[order]));
    const backoff = Math.log(Number(fields[order + 1]));
    if (order === 1) {
      model.unigramLogp[first] = logp;
      model.unigramBackoff[first] = backoff;
    } else if (order === 2) {
      const node = bigramNode(model, first, second);
      node.logp = logp;
      node.backoff = backoff;
    } else if (order === 3) {
      bigramNode(model, first, second).next.set(third, logp);
    }
  }
  return { words, model };
}

function readSpellings(path: string): string[] {
  const bytes = readFileSync(path);
  const start = bytes.readUInt32LE(SPELLINGS_OFFSET_FIELD);
  const words: string[] = [];
  let word = '';
  for (let at = start; at + 4 <= bytes.length; at += 4) {
    const code = bytes.readUInt32LE(at);
    if (code === 0) {
      words.push(word);
      word = '';
    } else {
      word += String.fromCodePoint(code);
    }
  }
  return words;
}
