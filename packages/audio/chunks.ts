import type { FileBytes } from './file-bytes.ts';

/** Damage can look like very many parts. */
const MAX_PARTS = 10_000;

/**
 * A chunk of a CAF file. Offsets are in bytes; those of one that is cut off lie behind the file,
 * and a recording that was written to a pipe does not state the end of its last, which is null.
 */
type CafChunk = { name: string; startByte: number; contentByte: number; endByte: number | null };

const CAF_CHUNK_HEAD_BYTES = 12;

/** The bytes in front of the first chunk. */
export const CAF_HEAD_BYTES = 8;

/** Yields the chunks of a file in Apple's Core Audio Format (its specification 1.0). */
export async function* readCafChunks(file: FileBytes): AsyncGenerator<CafChunk> {
  let startByte = CAF_HEAD_BYTES;
  for (let chunks = 0; chunks < MAX_PARTS && startByte < file.sizeBytes; chunks += 1) {
    const head = await file.read(startByte, CAF_CHUNK_HEAD_BYTES);
    const isWhole = head.length === CAF_CHUNK_HEAD_BYTES;
    // libsndfile adds a zero after an odd number of bytes. No name of a chunk begins with one.
    if (!isWhole && head[0] === 0) return;
    const sizeBytes = isWhole ? Number(head.readBigInt64BE(4)) : 0;
    const contentByte = startByte + CAF_CHUNK_HEAD_BYTES;
    const endByte = sizeBytes < 0 ? null : contentByte + sizeBytes;
    yield { name: head.toString('latin1', 0, 4), startByte, contentByte, endByte };
    if (endByte === null) return;
    startByte = endByte;
  }
}

/** A block of a VOC file; one that is cut off ends behind it. The header has the type null. */
type VocBlock = { type: number | null; endByte: number };

/** The type of the last block, which may be missing and has no size. */
export const VOC_TERMINATOR = 0;

/** Yields the header of a VOC file, which states its length at 20, and the blocks behind it. */
export async function* readVocBlocks(file: FileBytes): AsyncGenerator<VocBlock> {
  const head = await file.read(0, 22);
  if (head.length < 22) return;
  let endByte = head.readUInt16LE(20);
  yield { type: null, endByte };
  for (let blocks = 0; blocks < MAX_PARTS && endByte < file.sizeBytes; blocks += 1) {
    // A type, and a size of three bytes.
    const block = await file.read(endByte, 4);
    const type = block[0] ?? VOC_TERMINATOR;
    if (type === VOC_TERMINATOR) {
      yield { type, endByte: endByte + 1 };
      return;
    }
    if (block.length < 4) return;
    endByte += 4 + block.readUIntLE(1, 3);
    yield { type, endByte };
  }
}
