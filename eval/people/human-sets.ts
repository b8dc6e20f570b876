import { join } from 'node:path';
import type { Language } from '@jyutsing/contracts/transcript';
import { TEST_SPEAKER_CMN } from '../pronunciation/held-out.ts';
import { canonicalSyllable } from '../pronunciation/minimal-pairs.ts';
import { readTable } from '../pronunciation/tables.ts';
import type { EvaluationSet, Item } from '../read-set.ts';
import { spread } from '../run.ts';
import { parseUnit, UNIT_COLUMNS } from '../tokens.ts';

type Row = Readonly<Record<string, string>>;

/**
 * Recordings of people in one language from NAME.tsv in the folders, at most `limit`, evenly
 * spread; null without the table or without rows that are kept. `language` is given, because these
 * tables, made for training too, do not name it. Units are null where one of them is invalid.
 */
export async function readHumanSet(
  folders: readonly string[],
  set: { table: string; language: Language; limit: number; isKept?: (row: Row) => boolean },
): Promise<(EvaluationSet & { language: Language }) | null> {
  const { table: name, language, limit, isKept = () => true } = set;
  const table = await readTable(folders, name);
  const rows = table?.rows.filter(isKept) ?? [];
  if (table === null || rows.length === 0) return null;
  const items = spread(rows, limit).map((row): Item => ({
    path: join(table.folder, row['file'] ?? ''),
    language,
    text: row['text'] || null,
    units: readUnits(language, row[UNIT_COLUMNS[language]] ?? ''),
    speaker: row['speaker'] || null,
  }));
  return { name, language, items };
}

function readUnits(language: Language, cell: string): string[] | null {
  const units = cell.split(/\s+/).map((written) => parseUnit(language, written));
  return units.every((unit) => unit !== null) ? units : null;
}

/**
 * Rows of the Mandarin speaker held out of the acoustic models, without neutral tones: recordings
 * with such a label hold whole phrases.
 */
export function isHeldOutSyllable({ speaker, pinyin = '' }: Row): boolean {
  return speaker === TEST_SPEAKER_CMN && canonicalSyllable('mandarin', pinyin) !== null;
}
