import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Table of recordings and its folder, to which paths in the column `file` are relative. */
export type Table = { folder: string; rows: Readonly<Record<string, string>>[] };

/**
 * Reads NAME.tsv from the first folder that has it, rows as objects by column name; null without
 * one.
 */
export async function readTable(folders: readonly string[], name: string): Promise<Table | null> {
  const found = await readFirst(folders, `${name}.tsv`);
  if (found === null) return null;
  const [header = '', ...lines] = found.text.trimEnd().split(/\r?\n/);
  const columns = header.split('\t');
  const rows = lines.map((line) => {
    const cells = line.split('\t');
    return Object.fromEntries(columns.map((column, index) => [column, cells[index]?.trim() ?? '']));
  });
  return { folder: found.folder, rows };
}

/** Reads a file from the first folder that has it; null without one. */
export async function readFirst(
  folders: readonly string[],
  name: string,
): Promise<{ folder: string; text: string } | null> {
  for (const folder of folders) {
    const text = await readFile(join(folder, name), 'utf8').catch(() => null);
    if (text !== null) return { folder, text };
  }
  return null;
}
