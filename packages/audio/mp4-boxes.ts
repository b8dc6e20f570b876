import type { FileBytes } from './file-bytes.ts';

/** A box of an MP4 file; one that is cut off ends behind the file. Offsets are in bytes. */
export type Mp4Box = { name: string; contentByte: number; endByte: number };

/** The bytes between two offsets, the second exclusive. */
type ByteRange = { startByte: number; endByte: number };

const MAX_BOXES = 10_000;

/**
 * Yields the boxes of a part of a file of the MP4 family, not those inside of them (ISO 14496-12),
 * up to bytes that are no box.
 */
export async function* readBoxes(file: FileBytes, { startByte, endByte }: ByteRange): AsyncGenerator<Mp4Box> {
  let at = startByte;
  for (let boxes = 0; boxes < MAX_BOXES && at + 8 <= endByte; boxes += 1) {
    const header = await file.read(at, 16);
    if (header.length < 8) return;
    // Size 0 means to the end; size 1 means that a size of 64 bits follows the name.
    const shortSize = header.readUInt32BE(0);
    const isLong = shortSize === 1 && header.length === 16;
    const sizeBytes = isLong ? Number(header.readBigUInt64BE(8)) : shortSize === 0 ? endByte - at : shortSize;
    if (sizeBytes < 8) return;
    yield {
      name: header.toString('latin1', 4, 8),
      contentByte: at + (isLong ? 16 : 8),
      endByte: at + sizeBytes,
    };
    at += sizeBytes;
  }
}

/** Boxes that lead to the descriptions of the tracks. */
const PATH_TO_TRACKS = ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd'];
/** The version and the number of entries, in front of the first entry. */
const ENTRIES_AT = 8;

/** Yields the first `length` bytes of the description of each track, its size and name first. */
export async function* readDescriptions(file: FileBytes, length: number): AsyncGenerator<Buffer> {
  for await (const contentByte of contentsOf(file, { startByte: 0, endByte: file.sizeBytes }, PATH_TO_TRACKS)) {
    yield await file.read(contentByte + ENTRIES_AT, length);
  }
}

/** Yields the offset of the content of every box at the end of the path. */
async function* contentsOf(
  file: FileBytes,
  part: ByteRange,
  [name, ...rest]: readonly string[],
): AsyncGenerator<number> {
  for await (const box of readBoxes(file, part)) {
    if (box.name !== name) continue;
    const content = { startByte: box.contentByte, endByte: Math.min(part.endByte, box.endByte) };
    if (rest.length === 0) yield content.startByte;
    else yield* contentsOf(file, content, rest);
  }
}
