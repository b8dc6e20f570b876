import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readFile, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import { asDiskFull } from './disk-space.ts';
import { formatBytes } from './format-bytes.ts';
import { refusal, request, type RequestOptions } from './request.ts';
import { withRetries, type RetryOptions } from './retry.ts';

type DownloadOptions = RequestOptions &
  RetryOptions & {
    url: string;
    /** The partial file and its facts (`Facts`); both are kept when the download is interrupted. */
    partial: string;
    partialFacts: string;
    /** Identifies the file to download; a partial file with another identity is deleted. */
    identity: string;
    /**
     * True if the result is compared with a known digest, so parts may be joined even when the
     * server provides no version.
     */
    willBeVerified: boolean;
    /** The size in the catalogue, of which the file has no more than a multiple. */
    statedBytes: number;
    /** Called when the size of the whole file becomes known; may throw. */
    onSize(totalBytes: number): Promise<void>;
    onProgress(receivedBytes: number, totalBytes: number | null): void;
  };

/** A connection that breaks before so many bytes has made no progress; less for small files. */
const PROGRESS_BYTES = 16_384;
const PROGRESS_SHARE = 0.01;

export type Downloaded = { sha256: string; sizeBytes: number; resumed: boolean };

const Facts = z.object({
  identity: z.string(),
  /** Strong ETag or Last-Modified of the version to which the partial file belongs. */
  version: z.string().nullable(),
  totalBytes: z.number().nullable(),
});
type Facts = z.infer<typeof Facts>;

/** The partial file, with the digest of the bytes on disk. */
type Partial = {
  file: FileHandle;
  hash: Hash;
  receivedBytes: number;
  mostBytes: number;
  resumed: boolean;
  facts: Facts;
};

/**
 * Downloads a file. Resumes an interrupted download if the server still has the same version, else
 * starts again. Broken and stalled connections are retried while they make progress. Throws
 * AppError; an aborted signal throws its reason and keeps the partial file for the next call.
 */
export async function download(options: DownloadOptions): Promise<Downloaded> {
  await mkdir(dirname(options.partial), { recursive: true });
  const partial = await openPartial(options);
  const stepBytes = Math.max(1, Math.min(PROGRESS_BYTES, PROGRESS_SHARE * options.statedBytes));
  try {
    await withRetries(
      options,
      () => fetchRest(partial, options),
      () => Math.floor(partial.mostBytes / stepBytes),
    );
    await partial.file.sync();
  } catch (thrown) {
    throw asDiskFull(thrown) ?? thrown;
  } finally {
    await partial.file.close();
  }
  return { sha256: partial.hash.digest('hex'), sizeBytes: partial.receivedBytes, resumed: partial.resumed };
}

async function openPartial(options: DownloadOptions): Promise<Partial> {
  const storedFacts = await readFacts(options);
  if (storedFacts === null) await rm(options.partial, { force: true });
  const hash = createHash('sha256');
  const file = await open(options.partial, 'a+');
  try {
    let receivedBytes = 0;
    // The bytes are counted while they are read, so that digest and length cover the same bytes.
    for await (const chunk of createReadStream(options.partial, { signal: options.signal, highWaterMark: 1 << 20 })) {
      hash.update(chunk as Buffer);
      receivedBytes += (chunk as Buffer).length;
    }
    const facts = storedFacts ?? { identity: options.identity, version: null, totalBytes: null };
    return { file, hash, receivedBytes, mostBytes: receivedBytes, resumed: receivedBytes > 0, facts };
  } catch (thrown) {
    await file.close();
    throw thrown;
  }
}

async function readFacts({ partialFacts, identity }: DownloadOptions): Promise<Facts | null> {
  try {
    const facts = Facts.parse(JSON.parse(await readFile(partialFacts, 'utf8')));
    return facts.identity === identity ? facts : null;
  } catch {
    return null;
  }
}

async function fetchRest(partial: Partial, options: DownloadOptions): Promise<void> {
  const { receivedBytes, facts } = partial;
  if (receivedBytes > 0 && receivedBytes === facts.totalBytes) return;
  const joinable = receivedBytes > 0 && (facts.version !== null || options.willBeVerified);
  const headers: Record<string, string> = joinable ? { range: `bytes=${receivedBytes}-` } : {};
  if (joinable && facts.version !== null) headers['if-range'] = facts.version;

  const finished = await request(options.url, headers, options, async (response, body) => {
    if (response.status === 206 && continues(response, partial)) {
      partial.resumed = true;
    } else if (response.status === 416 && lengthIn(response) === partial.receivedBytes) {
      // The partial file is complete; its length was not known before.
      return true;
    } else if (!joinable && response.status !== 200) {
      throw refusal(response, options.url);
    } else if (response.status === 206 || response.status === 416) {
      // The range does not continue the partial file: start again with the whole file.
      await restart(partial, options, null);
      return false;
    } else {
      await restart(partial, options, response);
    }
    await receive(partial, options, body);
    return true;
  });
  if (!finished) await fetchRest(partial, options);
}

/**
 * Checks whether a partial response continues the partial file, with the same version and length.
 */
function continues(response: Response, { receivedBytes, facts }: Partial): boolean {
  const range = /^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '');
  const total = lengthIn(response);
  const version = versionOf(response);
  return (
    range !== null &&
    Number(range[1]) === receivedBytes &&
    (total === null || facts.totalBytes === null || total === facts.totalBytes) &&
    (version === null || facts.version === null || version === facts.version)
  );
}

/** Returns the length of the whole file according to a partial response. */
function lengthIn(response: Response): number | null {
  const length = /\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1];
  return length === undefined ? null : Number(length);
}

/** Starts again with an empty file; `response` is the one with the whole file, if any. */
async function restart(partial: Partial, options: DownloadOptions, response: Response | null): Promise<void> {
  await partial.file.truncate(0);
  partial.hash = createHash('sha256');
  partial.receivedBytes = 0;
  partial.resumed = false;
  const length = response?.headers.get('content-length') ?? null;
  const plain = (response?.headers.get('content-encoding') ?? 'identity') === 'identity';
  partial.facts = {
    identity: options.identity,
    version: response !== null && plain ? versionOf(response) : null,
    totalBytes: length !== null && plain ? Number(length) : null,
  };
  await writeFile(options.partialFacts, JSON.stringify(partial.facts));
  const { totalBytes } = partial.facts;
  if (totalBytes === null) return;
  if (totalBytes > MOST_GROWTH * options.statedBytes + SLACK_BYTES) throw tooLarge(totalBytes, options.statedBytes);
  await options.onSize(totalBytes);
}

/** A new release is larger than the one in the catalogue, but not many times. */
const MOST_GROWTH = 3;
/**
 * A file whose length the server does not state may have so many bytes more than the catalogue
 * says: the space that stays free on the disk covers them.
 */
const SLACK_BYTES = 64 * 1024 ** 2;

function tooLarge(bytes: number, statedBytes: number): AppError {
  const [size, stated] = [formatBytes(bytes), formatBytes(statedBytes)];
  return new AppError('conflict', `the server sends ${size} or more where the catalogue says ${stated}`);
}

/**
 * Returns the version of a response. Weak ETags are ignored, because they do not guarantee
 * identical bytes.
 */
function versionOf({ headers }: Response): string | null {
  const etag = headers.get('etag');
  return etag !== null && !etag.startsWith('W/') ? etag : headers.get('last-modified');
}

async function receive(partial: Partial, options: DownloadOptions, body: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of body) {
    await partial.file.appendFile(chunk);
    partial.hash.update(chunk);
    partial.receivedBytes += chunk.length;
    partial.mostBytes = Math.max(partial.mostBytes, partial.receivedBytes);
    options.onProgress(partial.receivedBytes, partial.facts.totalBytes);
    if (partial.facts.totalBytes === null && partial.receivedBytes > options.statedBytes + SLACK_BYTES) {
      const { receivedBytes } = partial;
      await restart(partial, options, null);
      throw tooLarge(receivedBytes, options.statedBytes);
    }
  }
  const { totalBytes } = partial.facts;
  if (totalBytes === null) partial.facts.totalBytes = partial.receivedBytes;
  else if (partial.receivedBytes < totalBytes) {
    throw new AppError('service_unavailable', 'the connection was lost');
  } else if (partial.receivedBytes > totalBytes) {
    await restart(partial, options, null);
    throw new AppError('service_unavailable', 'the server sent more bytes than announced');
  }
}
