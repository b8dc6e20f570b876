import { readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { AppError } from '@jyutsing/contracts/errors';
import { type NamedModel, bigramNode, emptyModel } from './named-model.ts';

/** Byte offsets in the dictionary: the number of its words, and the start of their spellings. */
const WORDS_FIELD = 0;
const SPELLINGS_OFFSET_FIELD = 8;
const HIGHEST_ORDER = 3;

/**
 * Reads open-gram trigrams as printed by `tslminfo -v -p` (Debian packages sunpinyin-data and
 * sunpinyin-utils) with the spellings of `pydict_sc.bin`: UTF-32 strings terminated by 0 in the
 * order of word numbers. Words without a spelling (numbers, Latin letters, the unknown word) are
 * ''. Clause boundaries are punctuation words. Throws `invalid_request` if either file ends early,
 * as after a full disk: the model would lack words or trigrams without a sign of it.
 */
export async function readOpenGram(modelText: string, dictionary: string): Promise<NamedModel> {
  const words = readSpellings(dictionary);
  const model = emptyModel(words.length);
  let order = -1;
  /** N-grams of this order that are still to come. */
  let left = 0;
  const file = await open(modelText);
  for await (const line of file.readLines()) {
    if (line.startsWith('\\')) {
      const [, named, count] = /^\\(\d)-gram\\(\d+)$/.exec(line) ?? [];
      if (left > 0 || count === undefined) throw cutOff(modelText);
      [order, left] = [Number(named), Number(count)];
      continue;
    }
    if (line === '') continue;
    if (!line.endsWith(')')) throw cutOff(modelText);
    left -= 1;
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
  if (order !== HIGHEST_ORDER || left > 0) throw cutOff(modelText);
  return { words, model };
}

function cutOff(path: string): AppError {
  return new AppError('invalid_request', `${path} is cut off.`);
}

function readSpellings(path: string): string[] {
  const bytes = readFileSync(path);
  if (bytes.length < SPELLINGS_OFFSET_FIELD + 4) throw cutOff(path);
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
  if (words.length !== bytes.readUInt32LE(WORDS_FIELD)) throw cutOff(path);
  return words;
}
