import { createReadStream } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, rename, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import type { S3Driver } from 'flydrive/drivers/s3';
import { createFile } from '@jyutsing/system/create-file';
import { raceAbort } from '@jyutsing/concurrency/race-abort';
import { deleteUnfinished, replaceFile, syncToDisk, unfinishedPathOf } from '@jyutsing/system/replace-file';
import { StorageUnavailable, type BlobStore } from '@jyutsing/contracts/blobs';
import { AppError } from '@jyutsing/contracts/errors';
import { watchDownload } from './download-pace.ts';

type S3Options = {
  bucket: string;
  /** The address of the S3 server; null is that of Amazon. */
  endpoint: string | null;
  region: string;
  /** The credentials; null takes both from the environment (instance role, AWS_* variables). */
  accessKeyId: string | null;
  secretAccessKey: string | null;
};

const ABANDONED_AFTER_MS = 24 * 3_600_000;
/** Longer than a healthy server needs to open a connection. */
const CONNECT_TIMEOUT_MS = 5_000;
/** Longest silence of a server during a request. */
const SILENCE_TIMEOUT_MS = 20_000;
/** How often a server that is out is asked again for `outageSince`, where nothing else asks it. */
const ASK_AGAIN_MS = 5_000;
/** Errors of this machine's own files, not of the S3 server. */
const LOCAL_ERRORS: ReadonlySet<string> = new Set(['ENOENT', 'ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EACCES', 'EMFILE']);

/**
 * Opens the blobs under `dataDir`/blobs, or in an S3 bucket if one is given. `downloadsDir` is for
 * downloads from S3: a folder that others delete when this process was killed.
 */
export async function openBlobs(
  { dataDir, s3 }: { dataDir: string; s3: S3Options | null },
  downloadsDir: string | null = null,
): Promise<BlobStore> {
  if (s3 === null) return openFolder(dataDir);
  const temporary = resolve(dataDir, 'blobs-temporary');
  await removeAbandoned(temporary);
  return openBucket(downloadsDir ?? temporary, s3);
}

async function openFolder(dataDir: string): Promise<BlobStore> {
  const root = resolve(dataDir, 'blobs');
  await mkdir(root, { recursive: true, mode: 0o700 });
  await deleteUnfinished(root);
  const disk = new Disk(new FSDriver({ location: root, visibility: 'private' }));
  const pathOf = (key: string) => join(root, normalizeKey(disk, key));
  return {
    async adopt(localPath, key) {
      const path = pathOf(key);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await syncToDisk(localPath);
      await move(localPath, path);
      // The name is stored in the folder, which must be synced separately.
      await syncToDisk(dirname(path));
    },
    async writeText(key, text, { isNew }) {
      const path = pathOf(key);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      // A move of the database may write it as another user than the service, which reads it.
      await replaceFile(path, text, { mode: 0o644, flush: true, isNew });
    },
    async localPath(key, use) {
      const path = pathOf(key);
      await assertExists(disk, key);
      return use(path);
    },
    async delete(key) {
      await disk.delete(normalizeKey(disk, key));
    },
    async readStream(key) {
      const path = pathOf(key);
      await assertExists(disk, key);
      return createReadStream(path);
    },
    listChanged: (folder, time) => listChanged(disk, folder, time),
    outageSince: () => null,
  };
}

async function openBucket(temporary: string, s3: S3Options): Promise<BlobStore> {
  const disk = new Disk(await createS3Driver(s3));
  const { fromServer, outageSince } = watchServer(() => disk.exists('health'));
  const readStream = (key: string): Promise<Readable> =>
    fromServer(() => disk.getStream(normalizeKey(disk, key)).catch(asMissing));
  const downloadTo = async (path: string, key: string, stop?: AbortSignal): Promise<void> => {
    stop?.throwIfAborted();
    using pace = watchDownload();
    const { count } = pace;
    const signal = stop === undefined ? pace.signal : AbortSignal.any([pace.signal, stop]);
    const opening = readStream(key);
    // A stream that opens after the abort is destroyed, too.
    opening.then((late) => signal.aborted && late.destroy()).catch(() => {});
    const stream = await fromServer(() => raceAbort(opening, signal), stop);
    // A part may be left by an attempt before.
    await rm(path, { force: true });
    const file = await createFile(path, { mode: 0o600 });
    const copied = pipeline(stream, count, file, { signal });
    // The end of a connection that was too slow says no more than that.
    await fromServer(
      () => copied.catch((error: unknown) => Promise.reject(pace.signal.aborted ? pace.signal.reason : error)),
      stop,
    );
  };
  return {
    async adopt(localPath, key) {
      const { size: contentLength } = await stat(localPath);
      const name = normalizeKey(disk, key);
      // S3 refuses a stream of unknown length.
      const put = async () => {
        const body = createReadStream(localPath);
        // A server may answer before it has read all.
        await disk.putStream(name, body, { contentLength }).finally(() => body.destroy());
      };
      await fromServer(() => repeated(put));
      await unlink(localPath);
    },
    async writeText(key, text, { isNew }) {
      const name = normalizeKey(disk, key);
      await fromServer(() => (isNew ? putNew(disk, name, text) : disk.put(name, text)));
    },
    async localPath(key, use, signal) {
      await mkdir(temporary, { recursive: true, mode: 0o700 });
      const folder = await mkdtemp(join(temporary, 'blob-'));
      try {
        const path = join(folder, 'content');
        await repeated(() => downloadTo(path, key, signal), signal);
        return await use(path);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
    async delete(key) {
      await fromServer(() => disk.delete(normalizeKey(disk, key)));
    },
    readStream,
    listChanged: (folder, time) => listChanged(disk, folder, time),
    outageSince,
  };
}

/** Remembers whether the S3 server answers. `ask` is a request that changes nothing. */
function watchServer(ask: () => Promise<unknown>) {
  let outage: Date | null = null;
  let answeredMs = Number.NEGATIVE_INFINITY;
  let askedMs = Number.NEGATIVE_INFINITY;
  let isAsking = false;
  const noteAnswer = () => {
    outage = null;
    answeredMs = performance.now();
  };
  /**
   * Replaces what the server or the connection to it throws by `service_unavailable`. What `stop`
   * ended says nothing about the server.
   */
  const fromServer = async <T>(work: () => Promise<T>, stop?: AbortSignal): Promise<T> => {
    const startedMs = performance.now();
    try {
      const result = await work();
      noteAnswer();
      return result;
    } catch (error) {
      stop?.throwIfAborted();
      if (error instanceof AppError || LOCAL_ERRORS.has(codeOf(error))) throw error;
      if (isRefusal(error)) noteAnswer();
      // An old request may fail when later ones have succeeded.
      else if (startedMs > answeredMs) outage ??= new Date();
      throw new StorageUnavailable(error);
    }
  };
  return {
    fromServer,
    outageSince() {
      if (outage !== null && !isAsking && performance.now() - askedMs > ASK_AGAIN_MS) {
        isAsking = true;
        const end = () => {
          isAsking = false;
          askedMs = performance.now();
        };
        void fromServer(ask).then(end, end);
      }
      return outage;
    },
  };
}

/** The answers of servers that do not know `If-None-Match` in a request to write. */
const NO_CONDITIONS: ReadonlySet<number> = new Set([400, 405, 501]);

/** Leaves an object that is there as it is, where the S3 server knows such requests. */
async function putNew(disk: Disk, key: string, text: string): Promise<void> {
  try {
    await disk.put(key, text, { IfNoneMatch: '*' });
  } catch (error) {
    const status = statusOf(error);
    if (status !== null && NO_CONDITIONS.has(status)) await disk.put(key, text);
    // 409: another request is writing it.
    else if (status !== 412 && status !== 409) throw error;
  }
}

/** Whether the S3 server answered, for example that the key may not list the bucket. */
function isRefusal(error: unknown): boolean {
  const status = statusOf(error);
  return status !== null && status < 500;
}

/** Another 404 says that the bucket is not there, or is that of a proxy: the object may exist. */
function asMissing(error: unknown): never {
  const cause = error instanceof Error ? error.cause : undefined;
  if (!(cause instanceof Error) || cause.name !== 'NoSuchKey') throw error;
  throw fileIsGone(cause);
}

/** The status of the answer of the S3 server; null: there was none. */
function statusOf(error: unknown): number | null {
  if (!(error instanceof Error)) return null;
  return answerOf(error).httpStatusCode ?? statusOf(error.cause);
}

/** The client library notes status and corrections of its clock here. */
function answerOf(error: Error) {
  return ('$metadata' in error ? error.$metadata : {}) as { httpStatusCode?: number; clockSkewCorrected?: boolean };
}

/** Attempts at a request, and the pause after the first, which then doubles. */
const ATTEMPTS = 4;
const FIRST_PAUSE_MS = 150;
/** Statuses of a server that is busy, such as `SlowDown`, or that has failed for a moment. */
const PASSING: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);
/**
 * Refusals that pass: the client library corrects its clock by the answer, a body that came too
 * slowly may come in time, and what was just written may be found late.
 */
const PASSING_NAMES: ReadonlySet<string> = new Set(['RequestTimeTooSkewed', 'RequestTimeout', 'NoSuchKey']);

/** Repeats a request with a stream, which the client library does not repeat. */
async function repeated(work: () => Promise<void>, signal?: AbortSignal): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === ATTEMPTS || !isPassing(error)) throw error;
      await sleep(FIRST_PAUSE_MS * 2 ** (attempt - 1));
      signal?.throwIfAborted();
    }
  }
}

function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const status = statusOf(error);
  const isClosed = ['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'].includes(codeOf(error));
  // Servers name the refusal of a wrong clock differently.
  const isNamed = PASSING_NAMES.has(error.name) || answerOf(error).clockSkewCorrected === true;
  return isClosed || (status !== null && PASSING.has(status)) || isNamed || isPassing(error.cause);
}

/** The code of an error, or of what caused it. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  return 'code' in error && typeof error.code === 'string' && !error.code.startsWith('E_')
    ? error.code
    : codeOf(error.cause);
}

/**
 * Imported only when needed: the AWS library takes longer to load than the rest of the service.
 */
async function createS3Driver(s3: S3Options): Promise<S3Driver> {
  const driver = await import('flydrive/drivers/s3');
  const { accessKeyId, secretAccessKey } = s3;
  return new driver.S3Driver({
    bucket: s3.bucket,
    region: s3.region,
    visibility: 'private',
    // New buckets, and most S3-compatible servers, refuse requests with an ACL.
    supportsACL: false,
    // Servers other than Amazon's support neither the newer checksum trailers nor buckets as host
    // names.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Without one the library writes to the console.
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, socketTimeout: SILENCE_TIMEOUT_MS },
    ...(s3.endpoint === null ? {} : { endpoint: s3.endpoint, forcePathStyle: true }),
    ...(accessKeyId === null || secretAccessKey === null ? {} : { credentials: { accessKeyId, secretAccessKey } }),
  });
}

/** Applies the key rules of flydrive, which refuse `..`, absolute paths and odd characters. */
function normalizeKey(disk: Disk, key: string): string {
  try {
    return disk.file(key).key;
  } catch (error) {
    throw new AppError('invalid_parameter', 'This is no valid name for a stored file.', { cause: error });
  }
}

async function* listChanged(
  disk: Disk,
  folder: string,
  { fromMs, beforeMs }: { fromMs: number; beforeMs: number },
): AsyncGenerator<string> {
  let paginationToken: string | undefined;
  do {
    const page = await disk
      .listAll(folder, { recursive: true, ...(paginationToken === undefined ? {} : { paginationToken }) })
      .catch(asEmptyFolder);
    for (const file of page.objects) {
      // In S3 a folder is only a prefix of keys.
      if (!file.isFile || !file.key.startsWith(`${folder}/`)) continue;
      // Deleted meanwhile: counts as new.
      const { lastModified } = await file.getMetaData().catch(() => ({ lastModified: new Date() }));
      const changedMs = lastModified.getTime();
      if (changedMs >= fromMs && changedMs < beforeMs) yield file.key;
    }
    paginationToken = page.paginationToken;
  } while (paginationToken !== undefined);
}

/** A missing folder is an error in the file system, but not in S3. */
function asEmptyFolder(error: unknown): Awaited<ReturnType<Disk['listAll']>> {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return { objects: [] };
  throw error;
}

async function assertExists(disk: Disk, key: string): Promise<void> {
  if (!(await disk.exists(normalizeKey(disk, key)))) throw fileIsGone();
}

function fileIsGone(cause?: Error): AppError {
  return new AppError('not_found', 'The stored file of this request no longer exists.', { cause });
}

/**
 * Renames the file, or copies it when the upload is on another file system; the copy gets its name
 * when complete.
 */
async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (codeOf(error) !== 'EXDEV') throw error;
    // Another process may write the same blob.
    const unfinished = unfinishedPathOf(to);
    try {
      await copyFile(from, unfinished);
      await syncToDisk(unfinished);
      await rename(unfinished, to);
    } catch (failure) {
      await rm(unfinished, { force: true });
      throw failure;
    }
    await unlink(from);
  }
}

/** Deletes folders left by killed processes. Younger ones may be in use by another process. */
async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }));
    if (Date.now() - mtimeMs > ABANDONED_AFTER_MS) await rm(path, { recursive: true, force: true });
  }
}
