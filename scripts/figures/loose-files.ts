import type { Finding } from './wording.ts';

/** Sources that lie in a folder itself, beside its subfolders; tests are not counted. */
export function findLooseFiles(folder: string, paths: readonly string[]): Finding[] {
  const isLoose = (path: string) =>
    path.startsWith(`${folder}/`) && /^[^/]+\.tsx?$/.test(path.slice(folder.length + 1)) && !path.includes('.test.');
  return paths.filter(isLoose).map((path) => ({ path, line: 1, text: `loose in ${folder}` }));
}

const MAX_SIZE_BYTES = 1_000_000;
/** Models and voices are needed offline, so they ship with the code. */
const SHIPPED_DATA = /^(?:models|voices)\//;

/** Files over a megabyte in folders that every clone of the code has to load. */
export function findLargeFiles(files: readonly { path: string; sizeBytes: number }[]): Finding[] {
  return files
    .filter(({ path, sizeBytes }) => sizeBytes > MAX_SIZE_BYTES && !SHIPPED_DATA.test(path))
    .map(({ path, sizeBytes }) => ({ path, line: 1, text: `${(sizeBytes / 1e6).toFixed(1)} MB` }));
}
