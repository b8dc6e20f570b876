import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError } from '@jyutsing/contracts/errors';
import type { ModelPackage } from '@jyutsing/contracts/model-package';
import { expectedSha256, rememberSha256 } from './checksum.ts';
import { asDiskFull, neededBytes, requireSpace } from './disk-space.ts';
import { download, type Downloaded } from './download.ts';
import { installedModelDir, PACKAGE_NAME } from './installed.ts';
import { modelPaths, type ModelPaths } from './layout.ts';
import { withLock } from './lock.ts';
import { findMissingFiles, readManifest, writeManifest, type ManifestFile } from './manifest.ts';
import { mirroredUrl } from './request.ts';
import { unpackTarBz2 } from './unpack.ts';

/** What happens during a pull. Bytes are of the download, also while it is unpacked. */
export type PullEvent =
  | { type: 'waiting' }
  | { type: 'downloading'; doneBytes: number; totalBytes: number }
  | { type: 'retrying'; reason: string; pauseMs: number }
  | { type: 'unpacking'; doneBytes: number; totalBytes: number };

export type PullOptions = {
  modelsDir: string;
  /** A mirror in the place of https://github.com; null for none. */
  baseUrl: string | null;
  stallTimeoutMs: number;
  retries: number;
  /** Take a changed file although an earlier download of the same address had another digest. */
  acceptChange: boolean;
  signal: AbortSignal;
  onEvent(event: PullEvent): void;
};

export type Pulled = { outcome: 'installed' | 'already-installed'; sha256: string; sizeBytes: number };

/**
 * Installs a package: download, digest, unpacking beside its place, and one rename. At any moment it is either wholly there or not;
 * stopped or killed, the next pull goes on where this one was. Throws AppError with one sentence; an aborted signal throws its reason.
 */
export async function pullModel(pack: ModelPackage, options: PullOptions): Promise<Pulled> {
  if (!PACKAGE_NAME.test(pack.name)) throw new AppError('invalid_parameter', 'this is no name of a package');
  const paths = modelPaths(options.modelsDir, pack.name);
  const onWaiting = () => options.onEvent({ type: 'waiting' });
  return await withModelsDir(paths.lock, { signal: options.signal, onWaiting }, async () => {
    const state = await modelState(pack, options.modelsDir);
    if (state.state === 'installed') return { outcome: 'already-installed', ...state };
    await requireOwnFolder(paths, options.modelsDir, pack.name);
    await rm(paths.staging, { recursive: true, force: true });
    const downloaded = await downloadRightFile(pack, paths, options);
    try {
      const sizeBytes = await install(pack, paths, downloaded, options);
      if (pack.checksum === null) await rememberSha256(paths.digest, pack.url, downloaded.sha256);
      return { outcome: 'installed', sha256: downloaded.sha256, sizeBytes };
    } finally {
      await rm(paths.staging, { recursive: true, force: true });
    }
  });
}

/** Takes a package off the disk, finished or not. Throws `not_found` when nothing of it is there. */
export async function removeModel(
  modelsDir: string,
  name: string,
  options: { signal: AbortSignal; onWaiting(): void },
): Promise<'removed' | 'unfinished-removed'> {
  const paths = modelPaths(modelsDir, name);
  if (!PACKAGE_NAME.test(name) || !((await exists(paths.folder)) || (await exists(paths.partial)))) {
    throw new AppError('not_found', `${name} is not installed.`);
  }
  return await withModelsDir(paths.lock, options, async () => {
    const wasThere = await exists(paths.folder);
    await discard(paths);
    await forgetPartial(paths);
    return wasThere ? 'removed' : 'unfinished-removed';
  });
}

export type ModelState =
  | { state: 'installed'; sha256: string; sizeBytes: number }
  /** `outdated`: of another version than the catalogue's; `damaged`: a file is missing or has another size; `unfinished`: resumable. */
  | { state: 'outdated' | 'damaged' | 'unfinished' | 'absent' };

/** How a package stands on this machine, without reading its files. */
export async function modelState(pack: ModelPackage, modelsDir: string): Promise<ModelState> {
  const folder = installedModelDir(modelsDir, pack.name);
  if (folder === null) {
    return { state: (await exists(modelPaths(modelsDir, pack.name).partial)) ? 'unfinished' : 'absent' };
  }
  const manifest = await readManifest(folder);
  if (manifest === null || (await findMissingFiles(folder, manifest)).length > 0) return { state: 'damaged' };
  const isOther = pack.checksum?.kind === 'sha256' && pack.checksum.value.toLowerCase() !== manifest.sha256;
  const present = new Set(manifest.files.map(({ path }) => path));
  if (manifest.url !== pack.url || isOther || !pack.files.every((file) => present.has(file))) {
    return { state: 'outdated' };
  }
  const sizeBytes = manifest.files.reduce((sum, file) => sum + file.sizeBytes, 0);
  return { state: 'installed', sha256: manifest.sha256, sizeBytes };
}

async function downloadRightFile(pack: ModelPackage, paths: ModelPaths, options: PullOptions): Promise<Downloaded> {
  const network = {
    ...options,
    onRetry: (reason: string, pauseMs: number) => options.onEvent({ type: 'retrying', reason, pauseMs }),
  };
  const takesAny = options.acceptChange && pack.checksum === null;
  const expected = takesAny ? null : await expectedSha256(pack, paths.digest, network);
  const sizeOfPartial = await stat(paths.partial).then(
    ({ size }) => size,
    () => 0,
  );
  const room = (totalBytes: number, doneBytes: number) =>
    requireSpace(options.modelsDir, Math.max(0, neededBytes(totalBytes, pack.archive) - doneBytes));
  await room(pack.sizeBytes, sizeOfPartial);
  for (;;) {
    const downloaded = await download({
      ...network,
      ...paths,
      url: mirroredUrl(pack.url, options.baseUrl),
      identity: pack.url,
      willBeVerified: expected !== null,
      onSize: (totalBytes) => room(totalBytes, 0),
      onProgress: (doneBytes, totalBytes) =>
        options.onEvent({ type: 'downloading', doneBytes, totalBytes: totalBytes ?? pack.sizeBytes }),
    });
    if (expected === null || downloaded.sha256 === expected) return downloaded;
    await forgetPartial(paths);
    // Joined from several answers it may be wrong although each server was right; in one piece it is the wrong file.
    if (!downloaded.resumed) throw wrongFile(pack);
    network.onRetry('the joined parts do not make the right file; it is downloaded anew', 0);
  }
}

function wrongFile({ checksum }: ModelPackage): AppError {
  const sentence =
    checksum === null
      ? 'the file is another one than at the first download here; if you know why, pull it with --accept-change'
      : "the file does not have the publisher's SHA-256; nothing was installed";
  return new AppError('conflict', sentence);
}

/** From the downloaded file to the installed package; tells the size of its files. */
async function install(
  pack: ModelPackage,
  paths: ModelPaths,
  { sha256, sizeBytes }: Downloaded,
  options: PullOptions,
): Promise<number> {
  await mkdir(paths.staging, { recursive: true });
  let files: ManifestFile[];
  if (pack.archive === 'none') {
    const path = pack.files[0] ?? 'model';
    await mkdir(dirname(join(paths.staging, path)), { recursive: true });
    await rename(paths.partial, join(paths.staging, path));
    files = [{ path, sizeBytes, sha256 }];
  } else {
    files = await unpackTarBz2(paths.partial, paths.staging, {
      signal: options.signal,
      onProgress: (doneBytes) => options.onEvent({ type: 'unpacking', doneBytes, totalBytes: sizeBytes }),
    }).catch(async (thrown: unknown) => {
      // A bad archive would only fail again; after a stop or on a full disk the bytes are as good as before.
      if (thrown instanceof AppError && thrown.code === 'conflict') await forgetPartial(paths);
      throw thrown;
    });
  }
  const { root, inside } = withoutTopFolder(paths.staging, files);
  const missing = pack.files.filter((path) => !inside.some((file) => file.path === path));
  if (missing.length > 0) {
    await forgetPartial(paths);
    throw new AppError('conflict', `the download does not hold ${missing.join(', ')}`);
  }
  const installedAt = new Date().toISOString();
  await writeManifest(root, { format: 1, name: pack.name, url: pack.url, sha256, installedAt, files: inside });
  options.signal.throwIfAborted();
  await discard(paths);
  await rename(root, paths.folder);
  await forgetPartial(paths);
  return inside.reduce((sum, file) => sum + file.sizeBytes, 0);
}

/** Archives hold everything in one folder named after the version, which is of no use below a folder of the package's own name. */
function withoutTopFolder(staging: string, files: ManifestFile[]): { root: string; inside: ManifestFile[] } {
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

/** Under the lock; says in a sentence when MODELS_DIR itself cannot be worked with: no permission, read-only, not a folder. */
async function withModelsDir<T>(...[lock, options, use]: Parameters<typeof withLock<T>>): Promise<T> {
  try {
    return await withLock(lock, options, use);
  } catch (thrown) {
    options.signal.throwIfAborted();
    if (!(thrown instanceof Error && 'syscall' in thrown && 'code' in thrown)) throw thrown;
    const sentence = `MODELS_DIR cannot be written to (${String(thrown.code)})`;
    throw asDiskFull(thrown) ?? new AppError('conflict', sentence, { cause: thrown });
  }
}

/** A folder of that name which nobody pulled belongs to a person; it is not ours to replace. */
async function requireOwnFolder(paths: ModelPaths, modelsDir: string, name: string): Promise<void> {
  if (installedModelDir(modelsDir, name) === null && (await exists(paths.folder))) {
    throw new AppError('conflict', `MODELS_DIR has a folder ${name} that was not pulled; move it away or remove it`);
  }
}

/** First a rename, so that nobody ever sees half a package. */
async function discard({ folder, discarded }: ModelPaths): Promise<void> {
  await rm(discarded, { recursive: true, force: true });
  if (!(await exists(folder))) return;
  await mkdir(dirname(discarded), { recursive: true });
  await rename(folder, discarded);
  await rm(discarded, { recursive: true, force: true });
}

async function forgetPartial({ partial, partialFacts }: ModelPaths): Promise<void> {
  await rm(partial, { force: true });
  await rm(partialFacts, { force: true });
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
