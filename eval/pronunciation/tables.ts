import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A table of recordings and the folder that it, and the paths in its column `file`, lie in. */
export type Table = { folder: string; rows: Readonly<Record<string, string>>[] };

/** The table NAME.tsv in the first of the folders that has it: one row for each line, by the names of the columns; null without one. */
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

/** The first of the folders that has a file of that name, with its text; null without one. */
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
