// Checkpoints and judges that only trainings and evaluations read are in the history of the
// repository, not in its tree: training/kept-files.json lists them. This brings them back.
//
//   node scripts/run.js scripts/kept-files.ts get [path ...]      all files without a path
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { replaceFile } from '@jyutsing/system/replace-file';
import { AppError } from '@jyutsing/contracts/errors';
import { ROOT } from './source-files.ts';

/** `blob` is the object that holds the file in the history of `commit`. */
type KeptFile = { path: string; sizeBytes: number; sha256: string; blob: string };
export type KeptFiles = { commit: string; files: KeptFile[] };

const runGit = promisify(execFile);
const LIST = join(ROOT, 'training/kept-files.json');

export const readKeptFiles = async (): Promise<KeptFiles> => JSON.parse(await readFile(LIST, 'utf8')) as KeptFiles;

type Place = {
  /** Folder of the clone. */
  root?: string;
  kept?: KeptFiles;
};

/**
 * Makes sure that a listed file is at its path, which git ignores, and returns its absolute path. A
 * file with another digest is replaced. Throws `invalid_parameter` for a path that is not listed,
 * and `engine_unavailable` without the history.
 */
export async function bringKeptFile(path: string, { root = ROOT, kept }: Place = {}): Promise<string> {
  const { commit, files } = kept ?? (await readKeptFiles());
  const file = files.find((listed) => listed.path === path);
  if (file === undefined) {
    const paths = files.map((listed) => listed.path).join(', ');
    throw new AppError('invalid_parameter', `training/kept-files.json does not list "${path}". It lists: ${paths}.`);
  }
  const target = join(root, path);
  const present = await readFile(target).catch(() => null);
  if (present !== null && digestOf(present) === file.sha256) return target;

  const content = (await readBlob(root, file)) ?? (await fetchBlob(root, file));
  if (content === null) {
    throw new AppError(
      'engine_unavailable',
      `${path} is missing, and so is the commit of the history that has it. Run this in a clone made by git whose remote ` +
        `"origin" can be reached, or unpack the source archive of commit ${commit} and copy ${path} from it.`,
    );
  }
  if (digestOf(content) !== file.sha256) {
    throw new AppError('engine_unavailable', `The history has another ${path} than training/kept-files.json says.`);
  }
  await mkdir(dirname(target), { recursive: true });
  await replaceFile(target, content);
  return target;
}

const digestOf = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

/** Reads a file from git; null if the clone lacks it. A clone without blobs fetches it here. */
async function readBlob(root: string, { blob, sizeBytes }: KeptFile): Promise<Buffer | null> {
  const options = { cwd: root, encoding: 'buffer', maxBuffer: sizeBytes + 1 } as const;
  return await runGit('git', ['cat-file', 'blob', blob], options).then(
    ({ stdout }) => stdout,
    () => null,
  );
}

/** A shallow clone fetches the object alone; servers of git since 2.26 send single objects. */
async function fetchBlob(root: string, file: KeptFile): Promise<Buffer | null> {
  const fetch = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', 'origin', file.blob];
  await runGit('git', fetch, { cwd: root }).catch(() => null);
  return readBlob(root, file);
}

if (import.meta.main) {
  const [command, ...paths] = process.argv.slice(2);
  if (command !== 'get') {
    console.error('usage: node scripts/run.js scripts/kept-files.ts get [path ...]');
    process.exit(2);
  }
  try {
    const wantedPaths = paths.length > 0 ? paths : (await readKeptFiles()).files.map(({ path }) => path);
    for (const path of wantedPaths) console.log(await bringKeptFile(path));
  } catch (failure) {
    if (!(failure instanceof AppError)) throw failure;
    console.error(failure.message);
    process.exitCode = 1;
  }
}
