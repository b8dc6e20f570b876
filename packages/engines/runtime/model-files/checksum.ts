import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import type { ModelPackage } from '@jyutsing/contracts/model-package';
import { mirroredUrl, request, type RequestOptions } from './request.ts';
import { withRetries, type RetryOptions } from './retry.ts';

/** Size limit for checksum lists, which have a few hundred lines. */
const LIST_LIMIT_BYTES = 4_000_000;

/**
 * The digest of a file in a checksum list, in lower case; null when the file is not listed. Accepts
 * `digest  name` (the format of sha256sum, `*` for binary) and `name digest`; folders in names are
 * ignored.
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

/** The last part of a URL: the name of the file in checksum lists. */
function fileNameOf(url: string): string {
  return decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '');
}

/**
 * The expected SHA-256 of a download; null when none is known yet. Throws `conflict` when the
 * publisher's list does not contain the file: a missing entry must not disable verification.
 */
export async function expectedSha256(
  pack: ModelPackage,
  digestFile: string,
  options: RequestOptions & RetryOptions & { baseUrl: string | null },
): Promise<string | null> {
  const { checksum } = pack;
  if (checksum === null) return await rememberedSha256(digestFile, pack.url);
  if (checksum.kind === 'sha256') return checksum.value.toLowerCase();
  const list = await withRetries(options, () =>
    request(mirroredUrl(checksum.url, options.baseUrl), {}, options, readList),
  );
  const digest = findInChecksumList(list, fileNameOf(pack.url));
  if (digest !== null) return digest;
  throw new AppError('conflict', `the publisher's checksum list does not contain ${fileNameOf(pack.url)}`);
}

async function readList(_response: Response, body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > LIST_LIMIT_BYTES)
      throw new AppError('conflict', 'the checksum list of the publisher is too long');
  }
  return text;
}

const Remembered = z.object({ url: z.string(), sha256: z.string() });

async function rememberedSha256(file: string, url: string): Promise<string | null> {
  try {
    const found = Remembered.parse(JSON.parse(await readFile(file, 'utf8')));
    // The digest was stored for another version of the package, at another URL.
    return found.url === url ? found.sha256 : null;
  } catch {
    return null;
  }
}

/** Stores the digest of a first download, to verify later ones. */
export async function rememberSha256(file: string, url: string, sha256: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.new`, `${JSON.stringify({ url, sha256 })}\n`);
  await rename(`${file}.new`, file);
}
