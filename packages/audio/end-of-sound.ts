import type { AudioContainer } from '@jyutsing/contracts/audio';
import { openBytes, type FileBytes, type FilePart } from './file-bytes.ts';
import { ID3_HEADER_BYTES, id3Bytes } from './id3.ts';

/** Returns the bytes of a tag that ends at an offset; 0 when none does. */
type ReadTail = (file: FileBytes, endByte: number) => Promise<number>;

/** A tag of the first version of ID3. */
const ID3V1_BYTES = 128;
/** Bytes of the header of a tag, and of the footer that repeats it. */
const APE_HEADER_BYTES = 32;
const LYRICS_FOOTER_BYTES = 15;

const TAGS: readonly ReadTail[] = [
  async (file, endByte) => {
    const tag = await lastBytes(file, endByte, ID3V1_BYTES);
    return tag.toString('latin1', 0, 3) === 'TAG' ? ID3V1_BYTES : 0;
  },
  async (file, endByte) => {
    const footer = await lastBytes(file, endByte, APE_HEADER_BYTES);
    if (footer.toString('latin1', 0, 8) !== 'APETAGEX') return 0;
    // The size counts the footer; the highest bit of the flags tells of a header.
    return footer.readUInt32LE(12) + (footer.readInt32LE(20) < 0 ? APE_HEADER_BYTES : 0);
  },
  async (file, endByte) => {
    const footer = await lastBytes(file, endByte, LYRICS_FOOTER_BYTES);
    const [, size] = /^(\d{6})LYRICS200$/.exec(footer.toString('latin1')) ?? [];
    return size === undefined ? 0 : Number(size) + LYRICS_FOOTER_BYTES;
  },
  async (file, endByte) => {
    const footer = await lastBytes(file, endByte, ID3_HEADER_BYTES);
    return footer.toString('latin1', 0, 3) === '3DI' ? id3Bytes(footer) + ID3_HEADER_BYTES : 0;
  },
];

const EMPTY_PAGE_BYTES = 28;

/** VLC ends a stream with a page whose only packet is empty, where FFmpeg 8.1 reports damage. */
const emptyPage: ReadTail = async (file, endByte) => {
  const page = await lastBytes(file, endByte, EMPTY_PAGE_BYTES);
  const isEmpty = page.toString('latin1', 0, 4) === 'OggS' && page[26] === 1 && page[27] === 0;
  return isEmpty ? EMPTY_PAGE_BYTES : 0;
};

/** The bytes that may follow the sound in containers that do not state where it ends. */
const TAILS: Partial<Record<AudioContainer, readonly ReadTail[]>> = {
  ...Object.fromEntries(['mp3', 'mp2', 'aac', 'latm', 'ac3', 'wv', 'tta'].map((container) => [container, TAGS])),
  ogg: [emptyPage],
};
const MAX_TAILS = 8;

/**
 * Returns a part of a file without the tags at its end, which FFmpeg would take for damaged sound;
 * with a picture they can be longer than it.
 */
export async function withoutTail(part: FilePart, container: AudioContainer): Promise<FilePart> {
  const readers = TAILS[container];
  if (readers === undefined) return part;
  using file = openBytes(part);
  let endByte = file.sizeBytes;
  for (let tails = 0; tails < MAX_TAILS; tails += 1) {
    const tailBytes = await firstTail(readers, file, endByte);
    if (tailBytes === 0 || tailBytes >= endByte) break;
    endByte -= tailBytes;
  }
  return endByte === file.sizeBytes ? part : { ...part, endByte: part.startByte + endByte };
}

/** Returns the bytes of the first tag that ends at an offset; 0 when none does. */
async function firstTail(readers: readonly ReadTail[], file: FileBytes, endByte: number): Promise<number> {
  for (const read of readers) {
    const bytes = await read(file, endByte);
    if (bytes > 0) return bytes;
  }
  return 0;
}

/** Reads the bytes before an offset; none where the file has fewer. */
async function lastBytes(file: FileBytes, endByte: number, length: number): Promise<Buffer> {
  return endByte < length ? Buffer.alloc(0) : await file.read(endByte - length, length);
}
