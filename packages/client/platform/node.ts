import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { InvalidRequestError } from '#client/errors.ts';
import type { Fetch } from '#client/http/fetch.ts';
import type { Upload } from '#client/http/upload.ts';

/** The abilities of Node, Deno and Bun that browsers lack; web.ts is the counterpart. */
export const sendsStreams = true;

export const platformFetch: Fetch = (url, init) => fetch(url, init);

/** Opens a file. Throws InvalidRequestError when the file cannot be read. */
export async function openFile(source: string | URL): Promise<Upload> {
  const path = source instanceof URL ? pathOf(source) : source;
  const status = await stat(path).catch((cause: unknown) => {
    throw new InvalidRequestError(`The file ${path} cannot be read.`, { code: 'unreadable_file', cause });
  });
  if (!status.isFile()) throw new InvalidRequestError(`${path} is not a file.`, { code: 'unreadable_file' });
  const open = () => createReadStream(path) as AsyncIterable<Uint8Array>;
  return { name: basename(path), sizeBytes: status.size, isRepeatable: true, blob: null, open };
}

/** Writes a file piece by piece. Throws InvalidRequestError when that is not possible. */
export async function writeFile(path: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  await pipeline(pieces, createWriteStream(path)).catch((failure: unknown) => {
    // Errors without these fields are failures of the pieces.
    if (!(failure instanceof Error && 'syscall' in failure && 'code' in failure)) throw failure;
    throw new InvalidRequestError(`The file ${path} cannot be written (${String(failure.code)}).`, {
      code: 'unwritable_file',
      cause: failure,
    });
  });
}

function pathOf(url: URL): string {
  if (url.protocol === 'file:') return fileURLToPath(url);
  throw new InvalidRequestError(`This recording must be a file, not ${url.protocol}//.`, { code: 'invalid_source' });
}
