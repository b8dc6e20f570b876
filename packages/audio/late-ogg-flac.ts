import { openBytes, type FileBytes, type FilePart } from './file-bytes.ts';

/** The packet that identifies FLAC in Ogg, and the block sizes behind it (FLAC in Ogg, 1.0). */
const FLAC_MARK = '\x7fFLAC';
const BLOCK_SIZES_AT = 17;

const PAGE_HEADER_BYTES = 27;
const MAX_PAGE_BYTES = 65_307;
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
  await using file = await openBytes(part);
  let blockSamples = 0;
  let flacSerial: number | null = null;
  for await (const { bytes, packets, position, serial } of pagesOf(file)) {
    if (bytes.toString('latin1', 0, FLAC_MARK.length) === FLAC_MARK) {
      if (bytes.length < BLOCK_SIZES_AT + 4) return 0;
      flacSerial = serial;
      blockSamples = bytes.readUInt16BE(BLOCK_SIZES_AT);
      if (blockSamples !== bytes.readUInt16BE(BLOCK_SIZES_AT + 2)) return 0;
    }
    if (serial === flacSerial && position > 0) return Math.max(0, position - packets * blockSamples);
  }
  return 0;
}

/** Yields the content of pages, the packets that end in each, its position, and its stream. */
async function* pagesOf(file: FileBytes) {
  let at = 0;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const page = await file.read(at, MAX_PAGE_BYTES);
    if (page.length < PAGE_HEADER_BYTES || page.toString('latin1', 0, 4) !== 'OggS') return;
    const lengths = page.subarray(PAGE_HEADER_BYTES, PAGE_HEADER_BYTES + (page[SEGMENTS_AT] ?? 0));
    const startByte = PAGE_HEADER_BYTES + lengths.length;
    const endByte = startByte + lengths.reduce((sum, length) => sum + length, 0);
    const packets = lengths.filter((length) => length < 255).length;
    const position = Number(page.readBigInt64LE(POSITION_AT));
    yield { bytes: page.subarray(startByte, endByte), packets, position, serial: page.readUInt32LE(SERIAL_AT) };
    at += endByte;
  }
}
