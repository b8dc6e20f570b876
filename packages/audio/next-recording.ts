import type { AudioContainer } from '@jyutsing/contracts/audio';
import { readCafChunks, readVocBlocks, VOC_TERMINATOR } from './chunks.ts';
import { endOfAmr } from './cut-frames.ts';
import { openBytes, type FileBytes, type FilePart } from './file-bytes.ts';
import { identifyMagic, MAGIC_BYTES } from './magic.ts';
import { readBoxes } from './mp4-boxes.ts';
import { isUnknownSize } from './unknown-size.ts';

/** Returns the offset at which the structure of a recording ends; null where it does not tell. */
type FindEnd = (file: FileBytes) => Promise<number | null>;

/**
 * Containers whose structure tells where a recording ends. FFmpeg 8.1 stops there, reads what
 * follows as sound, or fails, when another recording was appended.
 */
const ENDS: Partial<Record<AudioContainer, FindEnd>> = {
  wav: endOfRiff,
  w64: endOfWave64,
  aiff: endOfForm,
  '8svx': endOfForm,
  dsf: endOfDsf,
  dff: endOfDsdiff,
  caf: endOfCaf,
  m4a: endOfMp4,
  au: endOfAu,
  voc: endOfVoc,
  wma: endOfAsf,
  amr: endOfAmr,
  webm: endOfMatroska,
};

/**
 * Finds the recording that begins where the structure of the one before it ends, as in a file that
 * was joined from several. Returns its offset from the start of the part, or null.
 */
export async function findAppended(part: FilePart, container: AudioContainer): Promise<number | null> {
  const findEnd = ENDS[container];
  if (findEnd === undefined) return null;
  using file = openBytes(part);
  const endByte = await findEnd(file);
  if (endByte === null || endByte <= 0) return null;
  // A byte may pad the last chunk.
  for (const startByte of [endByte, endByte + 1]) {
    const match = identifyMagic((await file.read(startByte, MAGIC_BYTES)).toString('latin1'));
    if (match !== null && match.container !== null) return startByte;
  }
  return null;
}

/** A RIFF file states its size after its name, and a file with 64-bit sizes in its first chunk. */
async function endOfRiff(file: FileBytes): Promise<number | null> {
  const head = await file.read(0, 28);
  if (head.length < 28) return null;
  const magic = head.toString('latin1', 0, 4);
  if (magic === 'RF64' || magic === 'BW64') return 8 + Number(head.readBigUInt64LE(20));
  return 8 + knownSize(magic === 'RIFX' ? head.readUInt32BE(4) : head.readUInt32LE(4));
}

/** Wave64 counts its names and sizes in the size. */
async function endOfWave64(file: FileBytes): Promise<number | null> {
  const size = await file.read(16, 8);
  return size.length < 8 ? null : Number(size.readBigUInt64LE(0));
}

/** AIFF and 8SVX are forms of the Interchange File Format. */
async function endOfForm(file: FileBytes): Promise<number | null> {
  const head = await file.read(0, 8);
  return head.length < 8 ? null : 8 + knownSize(head.readUInt32BE(4));
}

/** DSF states the size of the file behind the size of its header (Sony, DSF 1.01). */
async function endOfDsf(file: FileBytes): Promise<number | null> {
  const size = await file.read(12, 8);
  return size.length < 8 ? null : Number(size.readBigUInt64LE(0));
}

/** DSDIFF is a form with a size of 64 bits (Philips, DSDIFF 1.5). */
async function endOfDsdiff(file: FileBytes): Promise<number | null> {
  const size = await file.read(4, 8);
  return size.length < 8 ? null : 12 + Number(size.readBigUInt64BE(0));
}

const EBML_ID_BYTES = 4;

/**
 * Returns the end of the segment, which is everything behind the header of a Matroska file; null
 * where its size is open, as a browser leaves it, which records into a pipe.
 */
export async function endOfMatroska(file: FileBytes): Promise<number | null> {
  const header = ebmlSize(await file.read(EBML_ID_BYTES, 8));
  if (header === null) return null;
  const segmentByte = EBML_ID_BYTES + header.lengthBytes + header.value;
  const segment = ebmlSize(await file.read(segmentByte + EBML_ID_BYTES, 8));
  return segment === null ? null : segmentByte + EBML_ID_BYTES + segment.lengthBytes + segment.value;
}

/**
 * Reads a size of 1 to 8 bytes, whose first set bit tells the length (RFC 8794); null when it is
 * open or missing.
 */
export function ebmlSize(bytes: Buffer): { value: number; lengthBytes: number } | null {
  const lengthBytes = Math.clz32(bytes[0] ?? 0) - 23;
  if (lengthBytes > 8 || bytes.length < lengthBytes) return null;
  let value = (bytes[0] ?? 0) & (0xff >> lengthBytes);
  let isOpen = value === 0xff >> lengthBytes;
  for (const byte of bytes.subarray(1, lengthBytes)) {
    value = value * 256 + byte;
    isOpen &&= byte === 0xff;
  }
  return isOpen ? null : { value, lengthBytes };
}

/** CAF states no size of its own: it ends where no chunk follows. */
async function endOfCaf(file: FileBytes): Promise<number | null> {
  for await (const { name, startByte, contentByte } of readCafChunks(file)) {
    if (name === 'caff' && contentByte <= file.sizeBytes) return startByte;
  }
  return null;
}

/** A file of the MP4 family states its type first; a second type begins another file. */
async function endOfMp4(file: FileBytes): Promise<number | null> {
  let endByte = 0;
  for await (const box of readBoxes(file, { startByte: 0, endByte: file.sizeBytes })) {
    if (box.name === 'ftyp' && endByte > 0) return endByte;
    endByte = box.endByte;
  }
  return null;
}

/** AU states where its sound begins and how long it is. */
async function endOfAu(file: FileBytes): Promise<number | null> {
  const head = await file.read(0, 12);
  return head.length < 12 ? null : head.readUInt32BE(4) + knownSize(head.readUInt32BE(8));
}

async function endOfVoc(file: FileBytes): Promise<number | null> {
  for await (const { type, endByte } of readVocBlocks(file)) if (type === VOC_TERMINATOR) return endByte;
  return null;
}

/**
 * The object of a Windows Media file that states its size, and offsets in it (Advanced Systems
 * Format, 3.2).
 */
const ASF_FILE_PROPERTIES = Buffer.from('a1dcab8c47a9cf118ee400c00c205365', 'hex');
const ASF_HEADER_BYTES = 4_096;
const ASF_SIZE_AT = 40;
const ASF_FLAGS_AT = 88;
const ASF_BROADCAST = 1;

/** Returns the stated size of a Windows Media file; null for a broadcast, which has none. */
export async function endOfAsf(file: FileBytes): Promise<number | null> {
  const head = await file.read(0, ASF_HEADER_BYTES);
  const at = head.indexOf(ASF_FILE_PROPERTIES);
  if (at < 0 || at + ASF_FLAGS_AT + 4 > head.length) return null;
  const isBroadcast = (head.readUInt32LE(at + ASF_FLAGS_AT) & ASF_BROADCAST) !== 0;
  return isBroadcast ? null : Number(head.readBigUInt64LE(at + ASF_SIZE_AT));
}

/** An unknown size becomes one that no file has. */
function knownSize(sizeBytes: number): number {
  return isUnknownSize(sizeBytes) ? Infinity : sizeBytes;
}

/** The bytes with which a recording begins, of which other parts of one begin with `marker` too. */
type Mark = { marker: string; isFirst(bytes: Buffer, at: number): boolean };

const MARKS: Partial<Record<AudioContainer, Mark>> = {
  // The flag of the first page of a logical stream (RFC 3533, section 6).
  ogg: { marker: 'OggS', isFirst: (bytes, at) => ((bytes[at + 5] ?? 0) & 2) !== 0 },
  // The header has nine bytes, and the size of the tag before the first is 0 (FLV 10.1, annex E).
  flv: { marker: 'FLV\x01', isFirst: (bytes, at) => bytes.toString('hex', at + 5, at + 13) === '0000000900000000' },
  // The sound is plain or encrypted (TTA1 format description).
  tta: { marker: 'TTA1', isFirst: (bytes, at) => (bytes[at + 4] ?? 0) <= 2 && bytes[at + 5] === 0 },
  // The first block of several channels holds the sample number 0 (WavPack 4 and 5 file format).
  wv: {
    marker: 'wvpk',
    isFirst: (bytes, at) =>
      bytes.toString('hex', at + 16, at + 20) === '00000000' && ((bytes[at + 25] ?? 0) & WAVPACK_INITIAL) !== 0,
  },
};
/** In the second byte of the flags: the block with the first channels. */
const WAVPACK_INITIAL = 0x08;
const MARK_BYTES = 28;
const BLOCK_BYTES = 1 << 16;

/**
 * Searches a part of a file for the beginning of a recording, in containers whose end is found only
 * by reading. Returns its offset from the start of the part, or null.
 */
export async function searchAppended(part: FilePart, container: AudioContainer): Promise<number | null> {
  const mark = MARKS[container];
  if (mark === undefined) return null;
  using file = openBytes(part);
  for (let offset = 0; ; offset += BLOCK_BYTES) {
    // A header that begins in one block may end in the next.
    const block = await file.read(offset, BLOCK_BYTES + MARK_BYTES);
    for (let at = block.indexOf(mark.marker); at >= 0 && at < BLOCK_BYTES; at = block.indexOf(mark.marker, at + 1)) {
      if (mark.isFirst(block, at)) return offset + at;
    }
    if (block.length < BLOCK_BYTES) return null;
  }
}
