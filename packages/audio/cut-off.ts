import { CAF_HEAD_BYTES, readCafChunks, readVocBlocks } from './chunks.ts';
import { openBytes, type FileBytes, type FilePart } from './file-bytes.ts';
import type { AudioContainer } from '@jyutsing/contracts/audio';
import { FRAME_CONTAINERS, endOfAmr, isFrameCutOff, type FrameContainer } from './cut-frames.ts';
import { readBoxes } from './mp4-boxes.ts';
import { ebmlSize, endOfAsf, endOfMatroska } from './next-recording.ts';
import { isUnknownSize } from './unknown-size.ts';

/** How a file ends, by its outermost structure. */
export type FileEnd = {
  /** Whether the structure reaches past the end of the file, as that of a broken upload does. */
  isCutOff: boolean;
  /**
   * Whether the index is missing without which nothing can be found: an app for MP4 writes it when
   * the recording ends.
   */
  lacksIndex: boolean;
  /** Whether the part with the sound is the last, and zeros are at its end. */
  endsInZeros: boolean;
  /** Whether a program that wrote to a pipe could not state the lengths in the header. */
  isOpenEnded: boolean;
};

/** The end of a file whose structure says nothing about it. */
const UNKNOWN_END: FileEnd = { isCutOff: false, lacksIndex: false, endsInZeros: false, isOpenEnded: false };

type Check = (file: FileBytes) => Promise<boolean>;

/** Containers that state where their last part ends, and streams of packets. */
const CHECKS: Partial<Record<AudioContainer, Check>> = {
  ...Object.fromEntries(FRAME_CONTAINERS.map((container) => [container, isStreamCutOff(container)])),
  amr: async (file) => (await endsInZeros(file)) || ((await endOfAmr(file)) ?? 0) > file.sizeBytes,
  flac: endsInZeros,
  dts: endsInZeros,
  mpg: endsInZeros,
  flv: isFlvCutOff,
  voc: isVocCutOff,
  wav: isWavCutOff,
  ogg: isOggCutOff,
  webm: isMatroskaCutOff,
  aiff: isAiffCutOff,
  caf: isCafCutOff,
  wma: async (file) => ((await endOfAsf(file)) ?? 0) > file.sizeBytes,
  w64: isWave64CutOff,
  avi: isAviCutOff,
};

/** Inspects the end of a file without decoding. */
export async function inspectEnd(part: FilePart, container: AudioContainer): Promise<FileEnd> {
  const check = CHECKS[container];
  if (check === undefined && container !== 'm4a') return UNKNOWN_END;
  using file = openBytes(part);
  if (check === undefined) return await inspectMp4End(file);
  const lacksIndex = container === 'caf' && (await lacksPacketTable(file));
  const isOpenEnded = container === 'avi' && (await isUnknownRiff(file));
  return { ...UNKNOWN_END, isCutOff: await check(file), lacksIndex, isOpenEnded };
}

function isStreamCutOff(container: FrameContainer): Check {
  return async (file) => (await endsInZeros(file)) || isFrameCutOff(file, container);
}

const MAX_CHUNKS = 10_000;

/** More zeros than a tag has as padding. */
const ZEROS_BYTES = 4_096;

/** Space that a recorder reserved and did not fill, as when the battery is empty. */
async function endsInZeros(file: FileBytes): Promise<boolean> {
  if (file.sizeBytes < ZEROS_BYTES) return false;
  const tail = await file.read(file.sizeBytes - ZEROS_BYTES, ZEROS_BYTES);
  return tail.every((byte) => byte === 0);
}

async function isWavCutOff(file: FileBytes): Promise<boolean> {
  const magic = (await file.read(0, 12)).toString('latin1', 0, 4);
  // RF64 stores its sizes elsewhere; the decoded sample count is checked instead.
  if (magic !== 'RIFF' && magic !== 'RIFX') return false;
  let offset = 12;
  for (let chunks = 0; chunks < MAX_CHUNKS; chunks += 1) {
    const chunk = await file.read(offset, 8);
    if (chunk.length < 8) return false;
    const size = magic === 'RIFX' ? chunk.readUInt32BE(4) : chunk.readUInt32LE(4);
    if (chunk.toString('latin1', 0, 4) === 'data') {
      return !isUnknownSize(size) && offset + 8 + size > file.sizeBytes;
    }
    offset += 8 + size + (size % 2);
  }
  return false;
}

async function isUnknownRiff(file: FileBytes): Promise<boolean> {
  const size = await file.read(4, 4);
  return size.length < 4 || isUnknownSize(size.readUInt32LE(0));
}

const WAVE64_HEAD_BYTES = 40;
const WAVE64_CHUNK_BYTES = 24;

/** Chunks of Wave64 have names of 16 bytes and sizes of 8, which count both. */
async function isWave64CutOff(file: FileBytes): Promise<boolean> {
  let offset = WAVE64_HEAD_BYTES;
  for (let chunks = 0; chunks < MAX_CHUNKS && offset < file.sizeBytes; chunks += 1) {
    const chunk = await file.read(offset, WAVE64_CHUNK_BYTES);
    if (chunk.length < WAVE64_CHUNK_BYTES) return true;
    const size = Number(chunk.readBigUInt64LE(16));
    // A program that writes to a pipe does not know the size of the last chunk.
    if (size <= WAVE64_CHUNK_BYTES || size > Number.MAX_SAFE_INTEGER) return false;
    if (offset + size > file.sizeBytes) return true;
    // Chunks begin at multiples of 8.
    offset += Math.ceil(size / 8) * 8;
  }
  return false;
}

/** Longer films than a list of 32 bits can hold go on in further lists (OpenDML). */
async function isAviCutOff(file: FileBytes): Promise<boolean> {
  let offset = 0;
  for (let lists = 0; lists < MAX_CHUNKS && offset < file.sizeBytes; lists += 1) {
    const list = await file.read(offset, 8);
    if (list.length < 8 || list.toString('latin1', 0, 4) !== 'RIFF') return false;
    const size = list.readUInt32LE(4);
    if (isUnknownSize(size)) return false;
    offset += 8 + size;
  }
  return offset > file.sizeBytes;
}

/** The index, a fragment, whose sound has its own index, and sound or pictures (ISO 14496-12). */
const MP4_INDEXES = ['moov', 'moof'];
const MP4_BOXES = [...MP4_INDEXES, 'mdat'];

async function inspectMp4End(file: FileBytes): Promise<FileEnd> {
  const end = { ...UNKNOWN_END, lacksIndex: true };
  // Bytes that are no box follow the recording.
  for await (const { name, endByte } of readBoxes(file, { startByte: 0, endByte: file.sizeBytes })) {
    if (endByte > file.sizeBytes) return { ...end, isCutOff: MP4_BOXES.includes(name) };
    if (MP4_INDEXES.includes(name)) end.lacksIndex = false;
    if (name === 'mdat' && endByte === file.sizeBytes) end.endsInZeros = await endsInZeros(file);
  }
  return end;
}

const OGG_MARKER = 'OggS';
/** A page is at most 27 + 255 + 255 · 255 bytes. */
const MAX_OGG_PAGE_BYTES = 65_307;

async function isOggCutOff(file: FileBytes): Promise<boolean> {
  const start = Math.max(0, file.sizeBytes - 2 * MAX_OGG_PAGE_BYTES);
  const tail = await file.read(start, file.sizeBytes - start);
  let at = tail.indexOf(OGG_MARKER);
  let lastEnd = 0;
  // Follow pages from the first that connects to another; payload that looks like a page does not
  // connect.
  while (at >= 0) {
    const end = oggPageEnd(tail, at);
    if (end === null || end > tail.length) return tail.indexOf(OGG_MARKER, at + 1) < 0;
    if (end === tail.length) return false;
    const next = tail.toString('latin1', end, end + OGG_MARKER.length);
    if (next.length < OGG_MARKER.length && OGG_MARKER.startsWith(next)) return true;
    if (next === OGG_MARKER) lastEnd = end;
    at = next === OGG_MARKER ? end : tail.indexOf(OGG_MARKER, at + 1);
  }
  // The rest of the file is no sound.
  return tail.length - lastEnd > ZEROS_BYTES;
}

function oggPageEnd(bytes: Buffer, at: number): number | null {
  const segments = bytes[at + 26];
  if (segments === undefined || at + 27 + segments > bytes.length) return null;
  let end = at + 27 + segments;
  for (let i = 0; i < segments; i += 1) end += bytes[at + 27 + i] ?? 0;
  return end;
}

/** Bytes before the content of a tag, which counts in the size that is stated behind it (FLV). */
const FLV_TAG_BYTES = 11;

/** Every tag is followed by its size. */
async function isFlvCutOff(file: FileBytes): Promise<boolean> {
  if (file.sizeBytes < FLV_TAG_BYTES) return true;
  const last = await file.read(file.sizeBytes - 4, 4);
  const tagBytes = last.readUInt32BE(0);
  if (tagBytes < FLV_TAG_BYTES || tagBytes + 4 > file.sizeBytes) return true;
  const tag = await file.read(file.sizeBytes - 4 - tagBytes, FLV_TAG_BYTES);
  return tag.readUIntBE(1, 3) + FLV_TAG_BYTES !== tagBytes;
}

async function isVocCutOff(file: FileBytes): Promise<boolean> {
  let lastByte = 0;
  for await (const { endByte } of readVocBlocks(file)) lastByte = endByte;
  return lastByte > file.sizeBytes;
}

async function isAiffCutOff(file: FileBytes): Promise<boolean> {
  const head = await file.read(0, 8);
  return head.length < 8 || head.readUInt32BE(4) + 8 > file.sizeBytes;
}

async function isCafCutOff(file: FileBytes): Promise<boolean> {
  let lastByte: number | null = CAF_HEAD_BYTES;
  for await (const { endByte } of readCafChunks(file)) lastByte = endByte;
  return lastByte !== null && lastByte > file.sizeBytes;
}

/** Sound in packets of different sizes is found by a table of them, which programs write last. */
async function lacksPacketTable(file: FileBytes): Promise<boolean> {
  for await (const { name, contentByte } of readCafChunks(file)) {
    if (name === 'pakt') return false;
    if (name !== 'desc') continue;
    const packetBytes = await file.read(contentByte + CAF_PACKET_BYTES_AT, 4);
    if (packetBytes.length === 4 && packetBytes.readUInt32BE(0) > 0) return false;
  }
  return true;
}

/** Offset of the bytes of a packet in the description of the sound; 0 when they differ. */
const CAF_PACKET_BYTES_AT = 16;

/**
 * Compares the end that is stated with the size of the file, or follows the last blocks of a live
 * recording, which states none.
 */
async function isMatroskaCutOff(file: FileBytes): Promise<boolean> {
  if (await endsInZeros(file)) return true;
  const endByte = await endOfMatroska(file);
  return endByte === null ? isClusterCutOff(file) : endByte > file.sizeBytes;
}

/** The blocks of a recording are shorter, so that one begins in this part of a file. */
const MATROSKA_TAIL_BYTES = 1 << 17;
/** Identifier of a block of sound or pictures (RFC 9559). */
const SIMPLE_BLOCK = 0xa3;
/** Bytes of the sound that look like one block do not connect to others. */
const MIN_BLOCKS_IN_A_ROW = 3;

/** Follows the blocks at the end of a live recording; the last is not whole when it breaks off. */
async function isClusterCutOff(file: FileBytes): Promise<boolean> {
  const start = Math.max(0, file.sizeBytes - MATROSKA_TAIL_BYTES);
  const tail = await file.read(start, file.sizeBytes - start);
  for (let first = tail.indexOf(SIMPLE_BLOCK); first >= 0; first = tail.indexOf(SIMPLE_BLOCK, first + 1)) {
    let at = first;
    let blocks = 0;
    for (; at < tail.length && tail[at] === SIMPLE_BLOCK; blocks += 1) {
      const size = ebmlSize(tail.subarray(at + 1, at + 9));
      if (size === null) break;
      at += 1 + size.lengthBytes + size.value;
    }
    if (blocks > MIN_BLOCKS_IN_A_ROW && at >= tail.length) return at > tail.length;
  }
  return false;
}
