import { createHash } from 'node:crypto';
import { unlink } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyRequest } from 'fastify';
import { AppError } from '@jyutsing/contracts/errors';
import { createFile } from '@jyutsing/system/create-file';
import { diskFull, isDiskFull } from './disk-space.ts';

/**
 * Called while files arrive, with their length so far; throws to refuse the rest, and reading waits
 * until it resolves.
 */
export type FileGuard = (receivedBytes: number) => void | Promise<void>;

/**
 * A file on this disk, and its name as sent. It may be moved away: disposing then does nothing.
 */
export type UploadedFile = { path: string; name: string; sizeBytes: number; sha256: string };

/** Deletes a file unless it was moved away. `rm` would also look up the type of the file. */
export async function deleteUpload(path: string): Promise<void> {
  await unlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

/** The stream that writes an upload, which other users of the machine cannot read. */
export function createUpload(path: string): Promise<Writable> {
  return createFile(path, { mode: 0o600 });
}

/** Writes a stream to a file, which it measures and hashes. */
export async function saveStream(
  source: AsyncIterable<Buffer>,
  file: UploadedFile,
  guard: FileGuard,
  signal: AbortSignal,
): Promise<void> {
  const hash = createHash('sha256');
  const measured = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      file.sizeBytes += chunk.length;
      hash.update(chunk);
      await guard(file.sizeBytes);
      yield chunk;
    }
  };
  await pipeline(source, measured, await createUpload(file.path), { signal });
  file.sha256 = hash.digest('hex');
}

export function tooLarge(maxFileBytes: number): AppError {
  const mib = Math.floor(maxFileBytes / 1024 ** 2);
  const limit = mib >= 1 ? `${mib} MiB` : `${maxFileBytes} bytes`;
  return new AppError('payload_too_large', `The upload is larger than the limit of ${limit}.`);
}

/**
 * Classifies errors by the connection's state and the code, because the parser throws bare errors.
 */
export function explain(thrown: unknown, { raw }: Pick<FastifyRequest, 'raw'>): unknown {
  if (thrown instanceof AppError) return thrown;
  // `pipeline` throws an AbortError whose cause is the reason.
  if (thrown instanceof Error && thrown.name === 'AbortError' && thrown.cause instanceof AppError) return thrown.cause;
  if (raw.destroyed && !raw.complete) return new AppError('client_closed_request', undefined, { cause: thrown });
  if (isDiskFull(thrown)) return diskFull(thrown);
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  if (code.startsWith('E') || code.startsWith('FST_')) return thrown;
  return new AppError('invalid_request', 'The multipart body is malformed or incomplete.', { cause: thrown });
}
