import { createHash } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError } from '@jyutsing/contracts/errors';
import type { ModelPackage } from '@jyutsing/contracts/model-package';
import type { ExpectedDigest } from './checksum.ts';
import { downloadVerified } from './download-verified.ts';
import type { ModelPaths } from './layout.ts';
import { sha256OfFile, type ManifestFile } from './manifest.ts';
import { mirroredUrl, type RequestOptions } from './request.ts';
import type { RetryOptions } from './retry.ts';

type FolderDownload = {
  /** By path. */
  expected: ReadonlyMap<string, ExpectedDigest>;
  baseUrl: string | null;
  onProgress(doneBytes: number): void;
  /** Called with the size of a file that is not there yet; may throw. */
  requireRoom(bytes: number): Promise<void>;
};

/**
 * Downloads the files of a `folder` one after another below `paths.gathered`; returns where they
 * are, with size and digest. Files that an interrupted call completed are read again instead, and
 * the one that it began is continued. Throws the errors of `downloadVerified`, with the path of the
 * file.
 */
export async function downloadFolder(
  pack: ModelPackage,
  paths: ModelPaths,
  folder: FolderDownload,
  network: RequestOptions & RetryOptions,
): Promise<{ root: string; files: ManifestFile[] }> {
  const root = await emptyOfOtherRevisions(paths.gathered, pack.url);
  const files: ManifestFile[] = [];
  let doneBytes = 0;
  for (const path of pack.files) {
    const target = join(root, path);
    const expected = folder.expected.get(path) ?? null;
    let file = await gatheredFile(target, path, network.signal);
    if (file === null || (expected !== null && file.sha256 !== expected.sha256)) {
      const before = doneBytes;
      const url = pack.url + path.split('/').map(encodeURIComponent).join('/');
      const { sha256, sizeBytes } = await downloadVerified(
        {
          url: mirroredUrl(url, folder.baseUrl),
          identity: url,
          expected,
          statedBytes: pack.sizeBytes,
          onSize: folder.requireRoom,
          onProgress: (receivedBytes) => folder.onProgress(before + receivedBytes),
        },
        paths,
        network,
      ).catch((thrown: unknown) => {
        throw named(path, thrown);
      });
      await mkdir(dirname(target), { recursive: true });
      await rename(paths.partial, target);
      file = { path, sizeBytes, sha256 };
    }
    files.push(file);
    doneBytes += file.sizeBytes;
    folder.onProgress(doneBytes);
  }
  return { root, files };
}

/** Returns a folder named after the address, because another revision has the same paths. */
async function emptyOfOtherRevisions(gathered: string, url: string): Promise<string> {
  const key = createHash('sha256').update(url).digest('hex').slice(0, 16);
  for (const entry of await readdir(gathered).catch(() => [])) {
    if (entry !== key) await rm(join(gathered, entry), { recursive: true, force: true });
  }
  const root = join(gathered, key);
  await mkdir(root, { recursive: true });
  return root;
}

/** The digest of a folder: the SHA-256 of the list that `sha256sum` would print of its files. */
export function listDigest(files: readonly ManifestFile[]): string {
  return createHash('sha256')
    .update(files.map(({ path, sha256 }) => `${sha256}  ${path}\n`).join(''))
    .digest('hex');
}

/** A file that an earlier call completed; null where there is none. */
async function gatheredFile(target: string, path: string, signal: AbortSignal): Promise<ManifestFile | null> {
  const stats = await stat(target).catch(() => null);
  if (stats?.isFile() !== true) return null;
  return { path, sizeBytes: stats.size, sha256: await sha256OfFile(target, signal) };
}

/** An error of one file says which one it was. */
function named(path: string, thrown: unknown): unknown {
  if (!(thrown instanceof AppError)) return thrown;
  const { retryAfterSeconds } = thrown;
  const wait = retryAfterSeconds === null ? {} : { retryAfterSeconds };
  return new AppError(thrown.code, `${path}: ${thrown.message}`, { cause: thrown.cause, ...wait });
}
