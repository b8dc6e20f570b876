import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { AppError } from '@jyutsing/contracts/errors';
import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';
import { readSet, type EvaluationSet } from './read-set.ts';

/** Where sets are looked for. */
export type SetPlaces = {
  /** TSV files, or folders with one TSV in them. */
  sets: readonly string[];
  /** Folders of which every TSV is a set, those one folder further down too. */
  folders: readonly string[];
};

/**
 * Reads all sets, each file once, before anything is measured: a wrong line in the last of them must not show after hours. Throws
 * `invalid_parameter` with all that is wrong in all of them.
 */
export async function readSets(places: SetPlaces): Promise<EvaluationSet[]> {
  const found: { path: string; name: string }[] = [];
  for (const place of places.sets) found.push(await setAt(resolve(place)));
  for (const folder of places.folders) {
    for (const path of await tsvsUnder(resolve(folder))) found.push({ path, name: basename(path, '.tsv') });
  }
  const files = found.filter(({ path }, index) => found.findIndex((other) => other.path === path) === index);
  const sets: EvaluationSet[] = [];
  const complaints: string[] = [];
  for (const { path, name } of files) {
    const isNamedTwice = files.filter((other) => other.name === name).length > 1;
    try {
      sets.push(await readSet(path, isNamedTwice ? `${basename(dirname(path))}/${name}` : name));
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown;
      complaints.push(thrown.message);
    }
  }
  if (complaints.length > 0) throw new AppError('invalid_parameter', complaints.join('\n'));
  return sets;
}

async function setAt(place: string): Promise<{ path: string; name: string }> {
  const found = await stat(place).catch(() => null);
  if (found === null) throw new AppError('invalid_parameter', `${place}: there is no such file or folder`);
  if (!found.isDirectory()) return { path: place, name: basename(place, '.tsv') };
  const tsvs = (await readdir(place)).filter(isTsv);
  const [only] = tsvs;
  if (only === undefined || tsvs.length > 1) {
    const what = only === undefined ? 'no TSV' : `${tsvs.length} TSVs`;
    throw new AppError(
      'invalid_parameter',
      `${place}: ${what} in this folder; a set has one, and --sets takes a folder of several`,
    );
  }
  return { path: join(place, only), name: basename(place) };
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

/** The set cut by language, for recognisers are asked for one: the name says which where the set has several. */
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
