import { yieldToEventLoop } from '@jyutsing/concurrency/yield-to-event-loop';
import type { CorpusEntry } from '@jyutsing/contracts/corpus';
import { AppError } from '@jyutsing/contracts/errors';
import { checkEntry, type RawEntry } from './check-entry.ts';

type ParsedCorpus = { entries: CorpusEntry[] };

/** Limit of entries: more would slow down every correction that uses the corpus. */
export const MAX_CORPUS_ENTRIES = 20_000;

/**
 * Limit of all lines, comments and empty ones included: millions of these would stop the process
 * for a second.
 */
const MAX_LINES = 5 * MAX_CORPUS_ENTRIES;

/** Limit of a line, longer than any entry: looking for columns in megabytes takes seconds. */
const MAX_LINE_UNITS = 1_000;

/** Number of problems that a refusal names; a longer list is not helpful. */
const NAMED_PROBLEMS = 3;
/** The columns in their usual order; a header may name them in any order. */
const COLUMNS = ['text', 'jyutping', 'weight'] as const;
type Column = (typeof COLUMNS)[number];

/**
 * Parses a corpus as text: one entry per line, `text<TAB>jyutping<TAB>weight`, the last two
 * optional. Accepts comment lines (`#`), a header, a byte order mark, empty lines and all line
 * endings. Of two lines with the same text and jyutping the later counts. Throws
 * `invalid_parameter` with the lines that are wrong.
 */
export function parseCorpusTsv(text: string): ParsedCorpus {
  return inOneGo(linesOf(text));
}

/** The same, with turns for other work of the process. */
export function parseCorpusTsvInTurns(text: string): Promise<ParsedCorpus> {
  return inTurns(linesOf(text));
}

function* linesOf(text: string): Steps {
  const collected = collector('line');
  let columns: readonly Column[] | null = null;
  const lines = text.replace(/^\u{FEFF}/u, '').split(/\r\n|\r|\n/, MAX_LINES + 1);
  if (lines.length > MAX_LINES) throw tooManyEntries();
  for (const [index, line] of lines.entries()) {
    if (index % STEP === 0) yield;
    if (line.startsWith('#') || line.trim() === '') continue;
    if (line.length > MAX_LINE_UNITS) {
      if (!collected.add(index + 1, `has more than ${MAX_LINE_UNITS.toLocaleString('en')} characters`)) break;
      continue;
    }
    if (columns === null) {
      const header = headerOf(line);
      columns = header ?? COLUMNS;
      if (header !== null) continue;
    }
    if (!collected.add(index + 1, cellsOf(line, columns))) break;
  }
  return collected.finish();
}

/**
 * Parses a corpus as JSON: a list of `{text, jyutping?, weight?}`, or an object with such a list as
 * `entries`. Ignores other properties. Of two entries with the same text and jyutping the later
 * counts. Throws `invalid_parameter` with the positions of wrong entries, counted from 1.
 */
export function parseCorpusJson(value: unknown): ParsedCorpus {
  return inOneGo(entriesOf(value));
}

/** The same, with turns for other work of the process. */
export function parseCorpusJsonInTurns(value: unknown): Promise<ParsedCorpus> {
  return inTurns(entriesOf(value));
}

function* entriesOf(value: unknown): Steps {
  const list = listOf(value);
  if (list === null) {
    throw new AppError('invalid_parameter', 'Send the corpus as a list of entries, each with "text".');
  }
  const collected = collector('entry');
  for (const [index, value] of list.entries()) {
    if (index % STEP === 0) yield;
    const raw = isRecord(value)
      ? { text: value['text'], jyutping: value['jyutping'], weight: value['weight'] }
      : 'is no object with "text"';
    if (!collected.add(index + 1, raw)) break;
  }
  return collected.finish();
}

/** Entries between two turns. */
const STEP = 100;
type Steps = Generator<undefined, ParsedCorpus, undefined>;

function inOneGo(steps: Steps): ParsedCorpus {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

async function inTurns(steps: Steps): Promise<ParsedCorpus> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    await yieldToEventLoop();
  }
}

function listOf(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value;
  return isRecord(value) && Array.isArray(value['entries']) ? value['entries'] : null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The columns that a line names; null when it is an entry. */
function headerOf(line: string): readonly Column[] | null {
  const names = line.split('\t').map((name) => name.trim().toLowerCase());
  const columns = names.filter((name): name is Column => COLUMNS.some((column) => column === name));
  const isHeader =
    columns.length === names.length && columns.includes('text') && new Set(columns).size === names.length;
  return isHeader ? columns : null;
}

/** The cells of a line by the names of their columns, or what is wrong with the line. */
function cellsOf(line: string, columns: readonly Column[]): RawEntry | string {
  const cells = line.trimEnd().split('\t');
  if (cells.length > columns.length) return `has ${cells.length} columns instead of at most ${columns.length}`;
  if (cells.length === 1 && hasJyutpingAfterComma(line)) return 'separates its columns with a comma instead of a tab';
  const raw: RawEntry = {};
  for (const [index, cell] of cells.entries()) {
    const column = columns[index];
    if (column !== undefined) raw[column] = column === 'weight' ? weightOf(cell) : cell;
  }
  return raw;
}

/** Latin text may contain a comma; a Chinese text followed by a comma and jyutping is a column. */
function hasJyutpingAfterComma(line: string): boolean {
  // One pattern for both conditions would take minutes for a long line.
  const firstHan = line.search(/\p{Script=Han}/u);
  return firstHan !== -1 && /,\s*[a-z]+[1-6]/iu.test(line.slice(firstHan));
}

function weightOf(cell: string): unknown {
  const text = cell.trim();
  if (text === '') return undefined;
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

/** Collects entries and the problems of the others; `add` returns false if parsing should stop. */
function collector(unit: 'line' | 'entry'): {
  add(number: number, raw: RawEntry | string): boolean;
  finish(): ParsedCorpus;
} {
  const entries = new Map<string, CorpusEntry>();
  const problems: string[] = [];
  let count = 0;
  return {
    add(number, raw) {
      count += 1;
      if (count > MAX_CORPUS_ENTRIES) return false;
      const checked = typeof raw === 'string' ? raw : checkEntry(raw);
      if (typeof checked === 'string') problems.push(`${unit} ${number}: ${checked}`);
      else entries.set(`${checked.text}\t${checked.jyutping ?? ''}`, checked);
      return true;
    },
    finish() {
      if (count > MAX_CORPUS_ENTRIES) throw tooManyEntries();
      if (problems.length > 0) throw new AppError('invalid_parameter', messageOf(problems));
      return { entries: [...entries.values()] };
    },
  };
}

function tooManyEntries(): AppError {
  const most = MAX_CORPUS_ENTRIES.toLocaleString('en');
  return new AppError('invalid_parameter', `A corpus holds at most ${most} entries; divide this one.`);
}

function messageOf(problems: readonly string[]): string {
  const named = problems.slice(0, NAMED_PROBLEMS).join('; ');
  const more = problems.length - NAMED_PROBLEMS;
  return `Correct these entries of the corpus: ${named}${more > 0 ? `; and ${more} more` : ''}.`;
}
