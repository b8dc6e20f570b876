import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { deleteUnfinished, replaceFile } from '@jyutsing/system/replace-file';
import { AppError } from '@jyutsing/contracts/errors';
import type { ModelPackage } from '@jyutsing/contracts/model-package';
import { mirroredUrl, readText, request, type RequestOptions } from './request.ts';
import { withRetries, type RetryOptions } from './retry.ts';

/** Size limit for checksum lists, which have a few hundred lines. */
const LIST_LIMIT_BYTES = 4_000_000;

/**
 * Returns the digest of a file in a checksum list, in lower case; null when the file is not listed.
 * Accepts `digest name` (the format of sha256sum, `*` for binary) and `name digest`; folders in
 * names are ignored.
 */
export function findInChecksumList(list: string, fileName: string): string | null {
  for (const line of list.split(/\r?\n/)) {
    const parts = line.trim().split(/\s+/);
    const digest = parts.find((part) => /^[0-9a-f]{64}$/i.test(part));
    const named = parts.some((part) => part !== digest && part.replace(/^\*/, '').split('/').at(-1) === fileName);
    if (digest !== undefined && named) return digest.toLowerCase();
  }
  return null;
}

/** Returns the last part of a URL: the name of the file in checksum lists. */
function fileNameOf(url: string): string {
  return decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '');
}

/** An expected SHA-256, and its source. */
export type ExpectedDigest = { sha256: string; statedBy: 'catalogue' | 'list' | 'first-download' };

/**
 * Returns the expected SHA-256 of a download: that of the catalogue, else of the publisher's list,
 * else of the first download; null when none is known yet. Publishers write their lists anew every
 * day, and some never name a file, so a missing entry is no error.
 */
export async function expectedDigest(
  pack: ModelPackage,
  digestFile: string,
  options: RequestOptions & RetryOptions & { baseUrl: string | null },
): Promise<ExpectedDigest | null> {
  const { checksum } = pack;
  if (checksum?.kind === 'sha256') return { sha256: checksum.value.toLowerCase(), statedBy: 'catalogue' };
  const listed =
    checksum?.kind === 'list' ? findInChecksumList(await fetchList(checksum.url, options), fileNameOf(pack.url)) : null;
  if (listed !== null) return { sha256: listed, statedBy: 'list' };
  const remembered = (await readRemembered(digestFile, pack.url))?.sha256 ?? null;
  return remembered === null ? null : { sha256: remembered, statedBy: 'first-download' };
}

/**
 * Returns the expected SHA-256 of each file of a `folder`, by path: that of the catalogue, else of
 * the first download. Files of which none is known yet are absent.
 */
export async function expectedDigests(pack: ModelPackage, digestFile: string): Promise<Map<string, ExpectedDigest>> {
  const first = (await readRemembered(digestFile, pack.url))?.files ?? {};
  const stated = pack.checksum?.kind === 'files' ? pack.checksum.values : {};
  return new Map<string, ExpectedDigest>([
    ...Object.entries(first).map(([path, sha256]) => [path, { sha256, statedBy: 'first-download' }] as const),
    ...Object.entries(stated).map(
      ([path, sha256]) => [path, { sha256: sha256.toLowerCase(), statedBy: 'catalogue' }] as const,
    ),
  ]);
}

/** Fetches a checksum list; empty when the publisher has none. */
async function fetchList(
  url: string,
  options: RequestOptions & RetryOptions & { baseUrl: string | null },
): Promise<string> {
  try {
    return await withRetries(options, () =>
      request(mirroredUrl(url, options.baseUrl), {}, options, (_response, body) => readText(body, LIST_LIMIT_BYTES)),
    );
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'not_found') return '';
    throw thrown;
  }
}

const Remembered = z.object({
  url: z.string(),
  sha256: z.string(),
  /** Digests by path, of a folder. */
  files: z.record(z.string(), z.string()).optional(),
});
type Remembered = z.infer<typeof Remembered>;

async function readRemembered(file: string, url: string): Promise<Remembered | null> {
  try {
    const stored = Remembered.parse(JSON.parse(await readFile(file, 'utf8')));
    // The digest was stored for another version of the package, at another URL.
    return stored.url === url ? stored : null;
  } catch {
    return null;
  }
}

/** Stores the digests of a first download, to verify later ones. */
export async function rememberDigests(file: string, digests: Remembered): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await deleteUnfinished(dirname(file));
  await replaceFile(file, `${JSON.stringify(digests)}\n`);
}
