import { open } from 'node:fs/promises';
import { readAt } from './read-at.ts';

const OGG_MARKER = 'OggS';
const FLAGS_AT = 5;
/** Flag of the first page of a logical stream (RFC 3533, section 6). */
const FIRST_PAGE = 2;
const BLOCK_BYTES = 1 << 16;

/**
 * Finds the next link of a chain, which is a whole Ogg stream of its own, from a byte of the file
 * on. Returns the offset of its first page, or null when there is none.
 */
export async function findOggLink(path: string, fromByte: number): Promise<number | null> {
  const file = await open(path, 'r');
  try {
    for (let offset = fromByte; ; offset += BLOCK_BYTES) {
      // A header that begins in one block may end in the next.
      const block = await readAt(file, offset, BLOCK_BYTES + FLAGS_AT);
      for (let at = block.indexOf(OGG_MARKER); at >= 0 && at < BLOCK_BYTES; at = block.indexOf(OGG_MARKER, at + 1)) {
        if (((block[at + FLAGS_AT] ?? 0) & FIRST_PAGE) !== 0) return offset + at;
      }
      if (block.length < BLOCK_BYTES) return null;
    }
  } finally {
    await file.close();
  }
}
