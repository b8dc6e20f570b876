import { closeSync, fstatSync, openSync, read as readInThread, readSync } from 'node:fs';
import { promisify } from 'node:util';

/** A file, or a part of it; the end is exclusive and may lie behind that of the file. */
export type FilePart = { path: string; startByte: number; endByte: number };

/** The opened bytes of a part of a file. Offsets count from its start. */
export type FileBytes = Disposable & {
  sizeBytes: number;
  /** Reads at most `length` bytes; fewer at the end of the part, and none behind it. */
  read(offset: number, length: number): Promise<Buffer>;
};

/**
 * Up to this length a read blocks: headers are read with tens of small reads, and to hand each to a
 * thread takes longer than to read it.
 */
const MAX_BLOCKING_BYTES = 64 * 1024;
const readLong = promisify(readInThread);

/** Returns the whole of a file. */
export function wholeOf(path: string): FilePart {
  return { path, startByte: 0, endByte: Infinity };
}

/** Opens a part of a file for reading. */
export function openBytes({ path, startByte, endByte }: FilePart): FileBytes {
  const file = openSync(path, 'r');
  const sizeBytes = Math.max(0, Math.min(endByte, fstatSync(file).size) - startByte);
  return {
    sizeBytes,
    async read(offset, length) {
      const readBytes = Math.min(length, sizeBytes - offset);
      const position = startByte + offset;
      // The sizes in a damaged header may add up to more than a position can be.
      if (!Number.isSafeInteger(position) || readBytes <= 0) return Buffer.alloc(0);
      const bytes = Buffer.alloc(readBytes);
      if (readBytes <= MAX_BLOCKING_BYTES) return bytes.subarray(0, readSync(file, bytes, 0, readBytes, position));
      const { bytesRead } = await readLong(file, bytes, 0, readBytes, position);
      return bytes.subarray(0, bytesRead);
    },
    [Symbol.dispose]: () => closeSync(file),
  };
}
