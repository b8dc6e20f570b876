import { open, type FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import { AppError } from '@jyutsing/contracts/errors';
import { asDiskFull } from './disk-space.ts';
import type { ManifestFile } from './manifest.ts';
import { createUnpackedFiles, refused, safePath, sameOnDisk } from './unpacked-files.ts';

/** An entry of the central directory of a ZIP file. Sizes and the offset are bytes. */
type Entry = {
  name: string;
  method: number;
  crc: number;
  packedBytes: number;
  sizeBytes: number;
  headerOffset: number;
  isDirectory: boolean;
};

const END_SIGNATURE = 0x06_05_4b_50;
const END_BYTES = 22;
/** A comment after the end of the directory has up to this length. */
const MAX_COMMENT_BYTES = 65_535;
const ENTRY_SIGNATURE = 0x02_01_4b_50;
const ENTRY_BYTES = 46;
const HEADER_SIGNATURE = 0x04_03_4b_50;
const HEADER_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED = 1;
/** Values that stand for those of ZIP64, which wheels of a registry are too small for. */
const IS_ZIP64 = 0xff_ff_ff_ff;
const MAX_DIRECTORY_BYTES = 16_000_000;
/** The kinds of a Unix mode; others are links and devices. */
const UNIX_KINDS = { mask: 0xf0_00, none: 0, file: 0x80_00, directory: 0x40_00 };

/**
 * Unpacks the named files of a Python wheel, which is a ZIP file (PKWARE APPNOTE 6.3.10), into an
 * empty folder, and returns them with digests. No code of the wheel is run or written. All entries
 * are judged, the named ones alone are written. Throws `conflict` for a refused or damaged wheel
 * and `payload_too_large` when the disk is full; the caller deletes the unpacked files.
 */
export async function unpackWheel(
  wheel: string,
  folder: string,
  wantedFiles: readonly string[],
  signal: AbortSignal,
): Promise<ManifestFile[]> {
  const file = await open(wheel, 'r');
  try {
    const { size } = await file.stat();
    const entries = await readDirectory(file, size);
    const unpacked = createUnpackedFiles(folder, size);
    const files: ManifestFile[] = [];
    for (const entry of requireSingle(entries)) {
      signal.throwIfAborted();
      if (entry.isDirectory || !wantedFiles.includes(safePath(entry.name))) continue;
      files.push(await unpacked.write(entry.name, entry.sizeBytes, contentOf(file, entry)));
    }
    return files;
  } catch (thrown) {
    signal.throwIfAborted();
    if (thrown instanceof AppError) throw thrown;
    throw asDiskFull(thrown) ?? damaged(thrown);
  } finally {
    await file.close();
  }
}

/** Throws `conflict` for paths outside the folder and for two entries of one path. */
function requireSingle(entries: readonly Entry[]): readonly Entry[] {
  const paths = new Set(entries.map(({ name }) => sameOnDisk(safePath(name))));
  if (paths.size < entries.length) throw refused('it contains a file twice');
  return entries;
}

async function readDirectory(file: FileHandle, fileBytes: number): Promise<Entry[]> {
  const tailBytes = Math.min(fileBytes, END_BYTES + MAX_COMMENT_BYTES);
  const tail = await readAt(file, fileBytes - tailBytes, tailBytes);
  let at = tail.length - END_BYTES;
  while (
    at >= 0 &&
    !(tail.readUInt32LE(at) === END_SIGNATURE && tail.readUInt16LE(at + 20) === tail.length - at - END_BYTES)
  ) {
    at -= 1;
  }
  if (at < 0) throw damaged();
  const [count, bytes, offset] = [tail.readUInt16LE(at + 10), tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16)];
  if (bytes === IS_ZIP64 || offset === IS_ZIP64) throw refused('it is larger than a wheel may be');
  if (bytes > MAX_DIRECTORY_BYTES) throw refused('it contains too many files');
  const directory = await readAt(file, offset, bytes);
  const entries: Entry[] = [];
  for (let from = 0; entries.length < count;) {
    if (from + ENTRY_BYTES > directory.length || directory.readUInt32LE(from) !== ENTRY_SIGNATURE) throw damaged();
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((field) => directory.readUInt16LE(from + field));
    const end = from + ENTRY_BYTES + nameBytes! + extraBytes! + commentBytes!;
    if (end > directory.length) throw damaged();
    entries.push(entryOf(directory.subarray(from, end), nameBytes!));
    from = end;
  }
  return entries;
}

function entryOf(entry: Buffer, nameBytes: number): Entry {
  const name = entry.toString('utf8', ENTRY_BYTES, ENTRY_BYTES + nameBytes);
  const kind = (entry.readUInt32LE(38) >>> 16) & UNIX_KINDS.mask;
  if (kind !== UNIX_KINDS.none && kind !== UNIX_KINDS.file && kind !== UNIX_KINDS.directory) {
    throw refused('it contains entries other than files and folders');
  }
  if ((entry.readUInt16LE(8) & ENCRYPTED) !== 0) throw refused('it is encrypted');
  const method = entry.readUInt16LE(10);
  if (method !== STORED && method !== DEFLATED) throw refused('it is compressed in an unknown way');
  return {
    name,
    method,
    crc: entry.readUInt32LE(16),
    packedBytes: entry.readUInt32LE(20),
    sizeBytes: entry.readUInt32LE(24),
    headerOffset: entry.readUInt32LE(42),
    isDirectory: kind === UNIX_KINDS.directory || name.endsWith('/'),
  };
}

/** The bytes of an entry, as it is compressed; checks its header, length and CRC-32. */
async function* contentOf(file: FileHandle, entry: Entry): AsyncGenerator<Uint8Array> {
  const header = await readAt(file, entry.headerOffset, HEADER_BYTES);
  if (header.readUInt32LE(0) !== HEADER_SIGNATURE) throw damaged();
  const [nameBytes, extraBytes] = [header.readUInt16LE(26), header.readUInt16LE(28)];
  const name = (await readAt(file, entry.headerOffset + HEADER_BYTES, nameBytes)).toString('utf8');
  if (name !== entry.name) throw refused('a file has two names');
  if (entry.packedBytes === 0 && entry.sizeBytes === 0) return;
  const start = entry.headerOffset + HEADER_BYTES + nameBytes + extraBytes;
  const packed = file.createReadStream({ start, end: start + entry.packedBytes - 1, autoClose: false });
  // The content is read below, which meets the errors of both streams.
  const content: AsyncIterable<Uint8Array> =
    entry.method === STORED ? packed : pipeline(packed, createInflateRaw(), () => {});
  let crc = 0;
  let readBytes = 0;
  for await (const chunk of content) {
    crc = crc32(chunk, crc);
    readBytes += chunk.length;
    yield chunk;
  }
  if (readBytes !== entry.sizeBytes || crc !== entry.crc) throw damaged();
}

async function readAt(file: FileHandle, position: number, bytes: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, position);
  if (bytesRead < bytes) throw damaged();
  return buffer;
}

function damaged(cause?: unknown): AppError {
  return new AppError('conflict', 'the archive is damaged', { cause });
}
