import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { AppError } from '@jyutsing/contracts/errors';
import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';
import { parseUnit, UNIT_COLUMNS } from './tokens.ts';

/** One recording. `text` is what is said in it and `units` how it sounds, in the spelling of `parseUnit`; null where the set does not say. */
export type Item = {
  path: string;
  language: Language;
  text: string | null;
  units: string[] | null;
  speaker: string | null;
};

/** Recordings that are measured together; there is at least one. */
export type EvaluationSet = { name: string; items: Item[] };

/** So many wrong lines of one file are told; a file of another kind has nothing but wrong lines. */
const MOST_COMPLAINTS = 20;

/**
 * Reads a set: a TSV in UTF-8 with a header. Columns: `file` (relative to the TSV, or absolute); optional are `text`, the units
 * (`jyutping`, `pinyin` or `phones`, by the language of the row), `language` (Cantonese where it is empty or missing), `speaker`. Other
 * columns are ignored; quotation marks mean nothing. Throws `invalid_parameter` that tells every wrong line by its number.
 */
export async function readSet(tsvPath: string, name = basename(tsvPath, '.tsv')): Promise<EvaluationSet> {
  const lines = (await readText(tsvPath)).split(/\r\n|\n|\r/);
  const header = readHeader(tsvPath, lines[0] ?? '');
  const items: Item[] = [];
  const complaints: string[] = [];
  for (const [index, line] of lines.entries()) {
    if (index === 0 || line.trim() === '') continue;
    const read = await readRow(line.split('\t'), header, dirname(tsvPath));
    if (typeof read === 'string') complaints.push(`line ${index + 1}: ${read}`);
    else items.push(read);
  }
  if (complaints.length > 0) {
    const told = complaints.slice(0, MOST_COMPLAINTS);
    if (complaints.length > told.length) told.push(`and ${complaints.length - told.length} more lines`);
    throw badSet(tsvPath, told);
  }
  if (items.length === 0) throw badSet(tsvPath, ['there is no recording in it']);
  return { name, items };
}

async function readText(path: string): Promise<string> {
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw badSet(path, ['it cannot be read'], cause);
  });
  try {
    // Leaves out a byte order mark by itself.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw badSet(path, ['it is no text in UTF-8'], cause);
  }
}

const COLUMNS = ['file', 'text', ...Object.values(UNIT_COLUMNS), 'language', 'speaker'] as const;
type Column = (typeof COLUMNS)[number];
type Header = { width: number; at: ReadonlyMap<string, number> };

function readHeader(path: string, line: string): Header {
  const names = line.split('\t').map((name) => name.trim().toLowerCase());
  const twice = COLUMNS.find((name) => names.indexOf(name) !== names.lastIndexOf(name));
  if (twice !== undefined) throw badSet(path, [`line 1: the column "${twice}" stands there twice`]);
  if (!names.includes('file')) {
    throw badSet(path, [`line 1: it must name the columns, "file" among them, with tabs between`]);
  }
  return { width: names.length, at: new Map(names.map((name, index) => [name, index])) };
}

/** The item of a row, or what is wrong with it. */
async function readRow(cells: readonly string[], header: Header, folder: string): Promise<Item | string> {
  // Blank cells at the end of a line get lost in editors; too many cells mean that a tab stands where it should not.
  if (cells.length > header.width) return `${cells.length} cells, where the header has ${header.width} columns`;
  const cell = (name: Column): string => cells[header.at.get(name) ?? -1]?.trim() ?? '';

  const language = LANGUAGES.find((known) => known === (cell('language').toLowerCase() || 'cantonese'));
  if (language === undefined) return `the language "${cell('language')}" is none of ${LANGUAGES.join(', ')}`;
  const units = readUnits(language, cell);
  if (typeof units === 'string') return units;

  const file = cell('file');
  if (file === '') return 'it names no file';
  if (file.includes('\0')) return 'the name of its file holds a character that no name may have';
  const path = resolve(folder, file);
  const found = await stat(path).catch(() => null);
  if (found?.isFile() !== true) return `there is no file "${file}"`;
  return { path, language, text: cell('text') || null, units, speaker: cell('speaker') || null };
}

function readUnits(language: Language, cell: (name: Column) => string): string[] | null | string {
  const column = UNIT_COLUMNS[language];
  const other = Object.values(UNIT_COLUMNS).find((name) => name !== column && cell(name) !== '');
  if (other !== undefined)
    return `it has ${other}, but its language is ${language}; say which in the column "language"`;
  if (cell(column) === '') return null;
  const units: string[] = [];
  for (const written of cell(column).split(/\s+/)) {
    const unit = parseUnit(language, written);
    if (unit === null) return `"${written}" is no ${NAMES[column]}`;
    units.push(unit);
  }
  return units;
}

const NAMES = {
  jyutping: 'syllable of jyutping with a tone from 1 to 6',
  pinyin: 'syllable of pinyin with a tone from 1 to 5',
  phones: 'phone of ARPAbet',
} as const;

/** The message names the file and tells each complaint on a line of its own. */
function badSet(path: string, complaints: readonly string[], cause?: unknown): AppError {
  const message = [`${path}:`, ...complaints].join(complaints.length === 1 ? ' ' : '\n  ');
  return new AppError('invalid_parameter', message, { cause });
}
