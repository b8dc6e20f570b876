import type { FileHandle } from 'node:fs/promises';

/** Reads at most `length` bytes; fewer at the end of the file, and none behind it. */
export async function readAt(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  // The sizes in a damaged header may add up to more than a position can be.
  if (!Number.isSafeInteger(offset)) return Buffer.alloc(0);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset);
  return buffer.subarray(0, bytesRead);
}
