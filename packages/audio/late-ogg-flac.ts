import { openBytes, type FileBytes, type FilePart } from './file-bytes.ts';

/** The packet that identifies FLAC in Ogg, and the block sizes behind it (FLAC in Ogg, 1.0). */
const FLAC_MARK = '\x7fFLAC';
const BLOCK_SIZES_AT = 17;

const PAGE_HEADER_BYTES = 27;
const MAX_HEADER_BYTES = PAGE_HEADER_BYTES + 255;
const FLAGS_AT = 5;
/** Flag of the first page of a stream (RFC 3533, section 6). */
const FIRST_PAGE = 2;
const POSITION_AT = 6;
const SERIAL_AT = 14;
const SEGMENTS_AT = 26;
/** Pages of headers, such as a picture of the cover, which may come before the sound. */
const MAX_PAGES = 2_000;

/**
 * Returns by how many samples the sound of a FLAC stream in Ogg begins late, as in a broadcast that
 * was recorded from its middle. FFmpeg 8.1 to 9.0 count the packets of the first page with sound
 * from 0, and those of later pages from the position of the page: a gap would open between them.
 * Returns 0 where block sizes vary or the stream begins at 0.
 */
export async function lateSamplesOfOggFlac(part: FilePart): Promise<number> {
  using file = openBytes(part);
  let flac: { serial: number; blockSamples: number } | null = null;
  for await (const { isFirst, contentByte, packets, position, serial } of pagesOf(file)) {
    // All streams begin before the first of them goes on.
    if (!isFirst && flac === null) return 0;
    if (isFirst) flac ??= await readFlac(file, contentByte, serial);
    else if (serial === flac?.serial && position > 0) return Math.max(0, position - packets * flac.blockSamples);
  }
  return 0;
}

async function readFlac(file: FileBytes, contentByte: number, serial: number) {
  const bytes = await file.read(contentByte, BLOCK_SIZES_AT + 4);
  if (bytes.length < BLOCK_SIZES_AT + 4 || bytes.toString('latin1', 0, FLAC_MARK.length) !== FLAC_MARK) return null;
  const blockSamples = bytes.readUInt16BE(BLOCK_SIZES_AT);
  return blockSamples === bytes.readUInt16BE(BLOCK_SIZES_AT + 2) ? { serial, blockSamples } : null;
}

/** Yields the places of the contents of pages, the packets that end in each, and its position. */
async function* pagesOf(file: FileBytes) {
  let at = 0;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const header = await file.read(at, MAX_HEADER_BYTES);
    if (header.length < PAGE_HEADER_BYTES || header.toString('latin1', 0, 4) !== 'OggS') return;
    const lengths = header.subarray(PAGE_HEADER_BYTES, PAGE_HEADER_BYTES + (header[SEGMENTS_AT] ?? 0));
    const contentByte = at + PAGE_HEADER_BYTES + lengths.length;
    yield {
      isFirst: ((header[FLAGS_AT] ?? 0) & FIRST_PAGE) !== 0,
      contentByte,
      packets: lengths.filter((length) => length < 255).length,
      position: Number(header.readBigInt64LE(POSITION_AT)),
      serial: header.readUInt32LE(SERIAL_AT),
    };
    at = contentByte + lengths.reduce((sum, length) => sum + length, 0);
  }
}
