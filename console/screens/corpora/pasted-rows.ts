import { countHan, faultOf, type Row } from './check-entry.ts';

export type Fields = Omit<Row, 'key'>;
const SYLLABLES = /^[a-z]{1,6}[1-6](?:[\s,;'·-]*[a-z]{1,6}[1-6])*$/i;
const WEIGHT = /^\d+(?:\.\d+)?$/;
const HAN = /\p{Script=Han}/u;
const HEADS: ReadonlySet<string> = new Set(
  'text word words term terms name jyutping reading weight 詞語 詞 字詞 詞彙 文字 名稱 粵拼 粵語拼音 讀音 拼音 比重 權重'.split(
    ' ',
  ),
);

/**
 * Reads rows that were copied from a spreadsheet or a list. Returns null for a text that is a
 * single word.
 */
export function pastedRows(pasted: string): Fields[] | null {
  const text = pasted.trim();
  return /[\t\r\n]/.test(text) ? readRows(text) : null;
}

/** Reads what was copied from a column of a spreadsheet: a text for each row, empty ones too. */
export function pastedColumn(pasted: string): string[] | null {
  const rows = cellsOf(pasted.replace(/(?:\r\n|\r|\n)$/, ''), '\t');
  return rows.length > 1 ? rows.map(([cell = '']) => tidy(cell)) : null;
}

/**
 * Reads a table with a word in each row, between tabs or, without any, commas. Beside the word
 * stand its jyutping and its weight, told by what they look like; a row of heads is left out.
 * A list without a table may have the reading behind each word.
 */
export function readRows(text: string): Fields[] {
  const separator = text.includes('\t') ? '\t' : ',';
  const rows = cellsOf(text, separator).filter((cells) => cells.some((cell) => cell.trim() !== ''));
  return rows.slice(hasHeads(rows) ? 1 : 0).map(fieldsOf);
}

/** Unknown heads count where a known one stands beside them, and readings only below. */
function hasHeads([first, ...rest]: readonly (readonly string[])[]): boolean {
  const cells = first?.map((cell) => cell.trim().toLowerCase()).filter((cell) => cell !== '') ?? [];
  if (cells.every((cell) => HEADS.has(cell))) return rest.length > 0;
  const isAboveReadings = !cells.some(isReading) && rest.some((row) => row.some((cell) => isReading(tidy(cell))));
  return isAboveReadings && cells.some((cell) => HEADS.has(cell));
}

const isReading = (cell: string) => SYLLABLES.test(cell.normalize('NFKC'));

/** A word and its reading in one cell: between them a space, a mark or an opening bracket. */
const READING_BEHIND = /^(.+?)[\s:,、;([-]+([a-z]{1,6}[1-6](?:[\s,;'·-]*[a-z]{1,6}[1-6])*)[)\]]?$/iu;

function divided(cell: string): string[] {
  const [, word = '', reading = ''] = READING_BEHIND.exec(cell.normalize('NFKC')) ?? [];
  const isWord = countHan(word) > 0 && faultOf({ key: 0, text: word, jyutping: spaced(reading), weight: '' }) === null;
  return isWord ? [word.trim(), reading] : [cell];
}

function fieldsOf(row: readonly string[]): Fields {
  const filled = row.map(tidy).filter((cell) => cell !== '');
  const cells = filled.length === 1 ? divided(filled[0]!) : row.map(tidy);
  const rankOf = (cell: string) =>
    HAN.test(cell) ? 0 : cell === '' ? 3 : isReading(cell) || WEIGHT.test(cell) ? 2 : 1;
  const best = Math.min(...cells.map(rankOf));
  const at = cells.findIndex((cell) => rankOf(cell) === best);
  // Cells before the word are numbers of rows or the like, unless they are its reading.
  const rest = cells.slice(at + 1);
  const jyutping = rest.find(isReading) ?? cells.slice(0, at).find(isReading) ?? '';
  const weight = rest.find((cell) => WEIGHT.test(cell)) ?? '';
  // A cell that is neither is shown where a reading stands, so that its fault is seen.
  const unread = rest.find((cell) => cell !== '' && cell !== jyutping && cell !== weight) ?? '';
  return { text: cells[at] ?? '', jyutping: jyutping === '' ? unread : spaced(jyutping), weight };
}

/** Writes syllables with spaces between them, whatever stood there. */
function spaced(jyutping: string): string {
  return jyutping.normalize('NFKC').replaceAll(/(?<=[1-6])[^a-z1-6]*(?=[a-z])/gi, ' ');
}

const tidy = (cell: string) => cell.replaceAll(/\s+/gu, ' ').trim();

/**
 * Splits a table into cells. A cell in quotation marks may have line breaks, separators and doubled
 * quotation marks, as spreadsheets write them (RFC 4180); other quotation marks are text.
 */
function cellsOf(text: string, separator: string): string[][] {
  const rows: string[][] = [[]];
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"|([^${separator}\\r\\n]*))(${separator}|\\r\\n|\\r|\\n|$)`, 'gy');
  for (let match = cell.exec(text); match !== null; match = cell.exec(text)) {
    const [, quoted, plain = '', end = ''] = match;
    rows.at(-1)!.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '') break;
    if (end !== separator) rows.push([]);
  }
  return rows;
}
