import { open } from 'node:fs/promises';

/** A file, or a part of it; the end is exclusive and may lie behind that of the file. */
export type FilePart = { path: string; startByte: number; endByte: number };

/** The opened bytes of a part of a file. Offsets count from its start. */
export type FileBytes = AsyncDisposable & {
  sizeBytes: number;
  /** Reads at most `length` bytes; fewer at the end of the part, and none behind it. */
  read(offset: number, length: number): Promise<Buffer>;
};

/** Returns the whole of a file. */
export function wholeOf(path: string): FilePart {
  return { path, startByte: 0, endByte: Infinity };
}

/** Opens a part of a file for reading. */
export async function openBytes({ path, startByte, endByte }: FilePart): Promise<FileBytes> {
  const file = await open(path, 'r');
  const { size } = await file.stat();
  const sizeBytes = Math.max(0, Math.min(endByte, size) - startByte);
  return {
    sizeBytes,
    async read(offset, length) {
      const readBytes = Math.min(length, sizeBytes - offset);
      // The sizes in a damaged header may add up to more than a position can be.
      if (!Number.isSafeInteger(startByte + offset) || readBytes <= 0) return Buffer.alloc(0);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(readBytes), 0, readBytes, startByte + offset);
      return buffer.subarray(0, bytesRead);
    },
    [Symbol.asyncDispose]: () => file.close(),
  };
}
