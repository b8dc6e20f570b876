import { createReadStream } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { extract, type Extract } from 'tar-stream';
import unbzip2 from 'unbzip2-stream';
import { AppError } from '@jyutsing/contracts/errors';
import { asDiskFull } from './disk-space.ts';
import type { ManifestFile } from './manifest.ts';
import {
  createUnpackedFiles,
  farLarger,
  refused,
  safePath,
  unpackedLimit,
  type UnpackedFiles,
} from './unpacked-files.ts';

type Entry = Extract extends AsyncIterable<infer Item> ? Item : never;

type UnpackOptions = { signal: AbortSignal; onProgress(readBytes: number): void };

/**
 * Unpacks a tar.bz2 into an empty folder as a stream and returns its files with digests. Archives
 * are untrusted: entries that could write outside the folder (absolute paths, `..`, links, devices)
 * are refused. Throws `conflict` for a refused or damaged archive and `payload_too_large` when the
 * disk is full; the caller deletes the unpacked files.
 */
export async function unpackTarBz2(archive: string, folder: string, options: UnpackOptions): Promise<ManifestFile[]> {
  const source = createReadStream(archive, { highWaterMark: 1 << 18 });
  let readBytes = 0;
  source.on('data', (chunk) => {
    readBytes += chunk.length;
    options.onProgress(readBytes);
  });
  const entries = extract();
  const archiveBytes = (await stat(archive)).size;
  const reading = pipeline(source, unbzip2(), limitTo(unpackedLimit(archiveBytes)), entries, {
    signal: options.signal,
  });
  // A failure also ends the loop below, which reports it.
  reading.catch(() => {});
  const unpacked = createUnpackedFiles(folder, archiveBytes);
  const files: ManifestFile[] = [];
  try {
    for await (const entry of entries) {
      unpacked.count();
      const file = await unpackEntry(entry, folder, unpacked);
      if (file !== null) files.push(file);
    }
    await reading;
    return files;
  } catch (thrown) {
    options.signal.throwIfAborted();
    // A refusal of the stream before reaches this one as a damaged archive.
    const refusal = await reading.then(
      () => null,
      (reason: unknown) => reason,
    );
    if (refusal instanceof AppError) throw refusal;
    if (thrown instanceof AppError) throw thrown;
    throw asDiskFull(thrown) ?? new AppError('conflict', 'the archive is damaged', { cause: thrown });
  } finally {
    source.destroy();
  }
}

/** Passes a tar on; entries that are skipped, and headers, count as those that are written. */
function limitTo(mostBytes: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      done(bytes > mostBytes ? farLarger() : null, chunk);
    },
  });
}

async function unpackEntry(entry: Entry, folder: string, unpacked: UnpackedFiles): Promise<ManifestFile | null> {
  const { name, type, size } = entry.header;
  const path = safePath(name);
  if (isMacOsFile(path)) {
    entry.resume();
    return null;
  }
  if (type === 'directory') {
    await mkdir(join(folder, path), { recursive: true });
    entry.resume();
    return null;
  }
  if (type !== 'file' && type !== 'contiguous-file') {
    throw refused('it contains entries other than files and folders');
  }
  return await unpacked.write(name, size ?? 0, entry as AsyncIterable<Buffer>);
}

/**
 * Returns true if an archive made on macOS has the file only for attributes of another, such as
 * `._model.onnx`: it would be a second top folder.
 */
function isMacOsFile(path: string): boolean {
  const parts = path.split('/');
  return parts[0] === '__MACOSX' || parts.at(-1)?.startsWith('._') === true || parts.at(-1) === '.DS_Store';
}
