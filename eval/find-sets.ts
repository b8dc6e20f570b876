import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { AppError } from '@jyutsing/contracts/errors';
import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';
import { readSet, type EvaluationSet } from './read-set.ts';

/** Locations of evaluation sets. */
export type SetLocations = {
  /** TSV files, or folders with exactly one TSV. */
  sets: readonly string[];
  /** Folders in which every TSV is a set, including those one level below. */
  folders: readonly string[];
};

/**
 * Reads all sets, each file once, before any measurement, so that a malformed line does not surface
 * hours later. Throws `invalid_parameter` listing the errors of all of them.
 */
export async function readSets(locations: SetLocations): Promise<EvaluationSet[]> {
  const found: { path: string; name: string }[] = [];
  for (const path of locations.sets) found.push(await setAt(resolve(path)));
  for (const folder of locations.folders) {
    for (const path of await tsvsUnder(resolve(folder))) found.push({ path, name: basename(path, '.tsv') });
  }
  const files = found.filter(({ path }, index) => found.findIndex((other) => other.path === path) === index);
  const sets: EvaluationSet[] = [];
  const problems: string[] = [];
  for (const { path, name } of files) {
    const isNamedTwice = files.filter((other) => other.name === name).length > 1;
    try {
      sets.push(await readSet(path, isNamedTwice ? `${basename(dirname(path))}/${name}` : name));
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown;
      problems.push(thrown.message);
    }
  }
  if (problems.length > 0) throw new AppError('invalid_parameter', problems.join('\n'));
  return sets;
}

async function setAt(path: string): Promise<{ path: string; name: string }> {
  const found = await stat(path).catch(() => null);
  if (found === null) throw new AppError('invalid_parameter', `${path}: no such file or folder`);
  if (!found.isDirectory()) return { path, name: basename(path, '.tsv') };
  const tsvs = (await readdir(path)).filter(isTsv);
  const [only] = tsvs;
  if (only === undefined || tsvs.length > 1) {
    const what = only === undefined ? 'no TSV' : `${tsvs.length} TSVs`;
    throw new AppError(
      'invalid_parameter',
      `${path}: contains ${what}; a set has exactly one TSV (--sets accepts a folder of several)`,
    );
  }
  return { path: join(path, only), name: basename(path) };
}

async function tsvsUnder(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
    throw new AppError('invalid_parameter', `${folder}: this folder cannot be read`, { cause });
  });
  const paths: string[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    const inside = entry.isDirectory() ? await readdir(path) : [];
    for (const name of inside.filter(isTsv).sort()) paths.push(join(path, name));
    if (!entry.isDirectory() && isTsv(entry.name)) paths.push(path);
  }
  return paths;
}

function isTsv(name: string): boolean {
  return name.toLowerCase().endsWith('.tsv');
}

/**
 * Splits a set by language, as recognizers handle one at a time; names get the language when there
 * are several.
 */
export function splitByLanguage(set: EvaluationSet): (EvaluationSet & { language: Language })[] {
  const parts = LANGUAGES.map((language) => ({
    language,
    items: set.items.filter((item) => item.language === language),
  })).filter(({ items }) => items.length > 0);
  return parts.map(({ language, items }) => ({
    language,
    items,
    name: parts.length > 1 ? `${set.name} (${language})` : set.name,
  }));
}
