import { readRows, type Fields } from './pasted-rows.ts';

/** The words of a file, none of which is checked yet. */
type ImportedList = { name: string; rows: Fields[] };

/**
 * Reads a file of words: JSON, or a table as of a spreadsheet. Returns null for JSON that has no
 * list of words.
 */
export async function readWordFile(file: File): Promise<ImportedList | null> {
  const content = decode(new Uint8Array(await file.arrayBuffer()));
  const named = /^# name: *(.+)$/m.exec(content)?.[1];
  const name = (named ?? file.name.replace(/\.\w+$/, '')).trim().slice(0, 200);
  if (!/^\s*[[{]/.test(content)) return { name, rows: readRows(content.replaceAll(/^#.*$/gm, '')) };
  try {
    const parsed = JSON.parse(content) as unknown;
    const entries = Array.isArray(parsed) ? (parsed as unknown[]) : (parsed as { entries: unknown[] }).entries;
    return { name, rows: entries.map(fieldsOf) };
  } catch {
    return null;
  }
}

const shown = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

function fieldsOf(entry: unknown): Fields {
  const { text, jyutping, weight } = (typeof entry === 'string' ? { text: entry } : entry) as Record<string, unknown>;
  return { text: shown(text), jyutping: shown(jyutping), weight: weight === 1 ? '' : shown(weight) };
}

/** Spreadsheets write UTF-8, UTF-16 with its mark, or in Hong Kong Big5. */
function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('big5').decode(bytes);
  }
}
