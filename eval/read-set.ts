import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { AppError } from '@jyutsing/contracts/errors';
import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';
import { parseUnit, UNIT_COLUMNS } from './tokens.ts';

/**
 * One recording with its reference `text` and `units` (spelled as in `parseUnit`); null where the
 * set has none.
 */
export type Item = {
  path: string;
  language: Language;
  text: string | null;
  units: string[] | null;
  speaker: string | null;
};

/** Recordings that are measured together; never empty. */
export type EvaluationSet = { name: string; items: Item[] };

/** Limits the error lines for a file, as a file of another kind has only malformed lines. */
const MAX_PROBLEMS = 20;

/**
 * Reads a set: a UTF-8 TSV with a header. Columns: `file` (absolute or relative to the TSV) and
 * optionally `text`, units (`jyutping`, `pinyin` or `phones`, by the row's language), `language`
 * (default Cantonese) and `speaker`. Ignores other columns; does not interpret quotation marks.
 * Throws `invalid_parameter` listing malformed lines by number.
 */
export async function readSet(tsvPath: string, name = basename(tsvPath, '.tsv')): Promise<EvaluationSet> {
  const lines = (await readText(tsvPath)).split(/\r\n|\n|\r/);
  const header = readHeader(tsvPath, lines[0] ?? '');
  const items: Item[] = [];
  const problems: string[] = [];
  for (const [index, line] of lines.entries()) {
    if (index === 0 || line.trim() === '') continue;
    const read = await readRow(line.split('\t'), header, dirname(tsvPath));
    if (typeof read === 'string') problems.push(`line ${index + 1}: ${read}`);
    else items.push(read);
  }
  if (problems.length > 0) {
    const shown = problems.slice(0, MAX_PROBLEMS);
    if (problems.length > shown.length) shown.push(`and ${problems.length - shown.length} more lines`);
    throw badSet(tsvPath, shown);
  }
  if (items.length === 0) throw badSet(tsvPath, ['contains no recordings']);
  return { name, items };
}

async function readText(path: string): Promise<string> {
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw badSet(path, ['cannot be read'], cause);
  });
  try {
    // TextDecoder also removes a byte order mark.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw badSet(path, ['not UTF-8 text'], cause);
  }
}

const COLUMNS = ['file', 'text', ...Object.values(UNIT_COLUMNS), 'language', 'speaker'] as const;
type Column = (typeof COLUMNS)[number];
type Header = { width: number; at: ReadonlyMap<string, number> };

function readHeader(path: string, line: string): Header {
  const names = line.split('\t').map((name) => name.trim().toLowerCase());
  const twice = COLUMNS.find((name) => names.indexOf(name) !== names.lastIndexOf(name));
  if (twice !== undefined) throw badSet(path, [`line 1: the column "${twice}" occurs twice`]);
  if (!names.includes('file')) {
    throw badSet(path, [`line 1: must be a tab-separated header with the column "file"`]);
  }
  return { width: names.length, at: new Map(names.map((name, index) => [name, index])) };
}

/** Parses a row into an item, or returns the problem. */
async function readRow(cells: readonly string[], header: Header, folder: string): Promise<Item | string> {
  // Editors drop empty cells at the end of a line; too many cells mean a misplaced tab.
  if (cells.length > header.width) return `${cells.length} cells, but the header has ${header.width} columns`;
  const cell = (name: Column): string => cells[header.at.get(name) ?? -1]?.trim() ?? '';

  const language = LANGUAGES.find((candidate) => candidate === (cell('language').toLowerCase() || 'cantonese'));
  if (language === undefined) return `language "${cell('language')}" is not one of ${LANGUAGES.join(', ')}`;
  const units = readUnits(language, cell);
  if (typeof units === 'string') return units;

  const file = cell('file');
  if (file === '') return 'the column "file" is empty';
  if (file.includes('\0')) return 'the file name contains an invalid character';
  const path = resolve(folder, file);
  const found = await stat(path).catch(() => null);
  if (found?.isFile() !== true) return `no such file: "${file}"`;
  return { path, language, text: cell('text') || null, units, speaker: cell('speaker') || null };
}

function readUnits(language: Language, cell: (name: Column) => string): string[] | null | string {
  const column = UNIT_COLUMNS[language];
  const other = Object.values(UNIT_COLUMNS).find((name) => name !== column && cell(name) !== '');
  if (other !== undefined) return `has ${other}, but its language is ${language}; set the column "language"`;
  if (cell(column) === '') return null;
  const units: string[] = [];
  for (const written of cell(column).split(/\s+/)) {
    const unit = parseUnit(language, written);
    if (unit === null) return `"${written}" is not ${UNIT_NAMES[column]}`;
    units.push(unit);
  }
  return units;
}

const UNIT_NAMES = {
  jyutping: 'a jyutping syllable with a tone from 1 to 6',
  pinyin: 'a pinyin syllable with a tone from 1 to 5',
  phones: 'an ARPAbet phone',
} as const;

/** Builds the error: the path followed by the problems, one per line when there are several. */
function badSet(path: string, problems: readonly string[], cause?: unknown): AppError {
  const message = [`${path}:`, ...problems].join(problems.length === 1 ? ' ' : '\n  ');
  return new AppError('invalid_parameter', message, { cause });
}
