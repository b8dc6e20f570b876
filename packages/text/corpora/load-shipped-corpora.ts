import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Corpus } from '@jyutsing/contracts/corpus';
import { AppError } from '@jyutsing/contracts/errors';
import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';
import { parseCorpusTsv } from './parse-corpus.ts';

const SUFFIX = '.tsv';

/**
 * Loads the public corpora of a folder, by id (the file name). Each file begins with the comment
 * lines `# name: …`, `# description: …`, `# language: …` and `# version: …`, an integer that is
 * raised with every change because it is part of cache keys. Blocks for some milliseconds: call it
 * at start. Throws `internal_error` for a malformed file.
 */
export function loadShippedCorpora(folder: string): Corpus[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(SUFFIX))
    .toSorted()
    .map((file) => readCorpus(join(folder, file)));
}

function readCorpus(path: string): Corpus {
  const text = readFileSync(path, 'utf8');
  const id = basename(path, SUFFIX);
  const header = headerOf(text);
  const [name, description] = [header.get('name'), header.get('description')];
  const language = languageOf(header.get('language'));
  const version = Number(header.get('version'));
  if (
    name === undefined ||
    description === undefined ||
    language === null ||
    !(Number.isInteger(version) && version > 0)
  ) {
    throw new AppError('internal_error', `The header of the shipped corpus "${id}" is incomplete.`);
  }
  try {
    return { id, accountId: null, name, description, language, version, entries: parseCorpusTsv(text).entries };
  } catch (cause) {
    throw new AppError('internal_error', `The shipped corpus "${id}" is not well-formed.`, { cause });
  }
}

/** The fields in the comments before the first entry. */
function headerOf(text: string): Map<string, string> {
  const header = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    if (!line.startsWith('#')) break;
    const [, key, value] = /^#\s*([a-z]+):\s*(.+?)\s*$/u.exec(line) ?? [];
    if (key !== undefined && value !== undefined) header.set(key, value);
  }
  return header;
}

function languageOf(text: string | undefined): Language | null {
  return LANGUAGES.find((language) => language === text) ?? null;
}
