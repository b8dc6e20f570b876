import { open, type FileHandle } from 'node:fs/promises';
import type { AudioContainer } from '@jyutsing/contracts/audio';
import { readAt } from './read-at.ts';

/** Containers that state where their last part ends; the others are streams of packets. */
const CHECKS: Partial<Record<AudioContainer, (file: FileHandle, sizeBytes: number) => Promise<boolean>>> = {
  wav: isWavCutOff,
  m4a: isMp4CutOff,
  ogg: isOggCutOff,
  webm: isMatroskaCutOff,
  aiff: isAiffCutOff,
  caf: isCafCutOff,
  wma: isAsfCutOff,
};

/**
 * Checks whether the outermost structure reaches past the end of the file. Finds truncated uploads
 * without decoding.
 */
export async function isCutOff(path: string, container: AudioContainer): Promise<boolean> {
  const check = CHECKS[container];
  if (check === undefined) return false;
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    return await check(file, size);
  } finally {
    await file.close();
  }
}

const MAX_CHUNKS = 10_000;

async function isWavCutOff(file: FileHandle, sizeBytes: number): Promise<boolean> {
  const head = await readAt(file, 0, 12);
  // RF64 stores its sizes elsewhere; the decoded sample count is checked instead.
  if (head.toString('latin1', 0, 4) !== 'RIFF') return false;
  let offset = 12;
  for (let chunks = 0; chunks < MAX_CHUNKS; chunks += 1) {
    const chunk = await readAt(file, offset, 8);
    if (chunk.length < 8) return false;
    const size = chunk.readUInt32LE(4);
    if (chunk.toString('latin1', 0, 4) === 'data') {
      // Programs that write to a pipe do not know the size and write 0 or a maximum value.
      const isUnknown = size === 0 || size >= 0x7fff_0000;
      return !isUnknown && offset + 8 + size > sizeBytes;
    }
    offset += 8 + size + (size % 2);
  }
  return false;
}

async function isMp4CutOff(file: FileHandle, sizeBytes: number): Promise<boolean> {
  let offset = 0;
  for (let boxes = 0; boxes < MAX_CHUNKS && offset < sizeBytes; boxes += 1) {
    const box = await readAt(file, offset, 16);
    if (box.length < 8) return true;
    let size = box.readUInt32BE(0);
    // Size 0 means to the end of the file; size 1 means that a 64-bit size follows the name.
    if (size === 0) return false;
    if (size === 1) {
      if (box.length < 16) return true;
      size = Number(box.readBigUInt64BE(8));
    }
    if (size < 8) return true;
    offset += size;
  }
  return offset > sizeBytes;
}

const OGG_MARKER = 'OggS';
/** A page is at most 27 + 255 + 255 · 255 bytes. */
const MAX_OGG_PAGE_BYTES = 65_307;

async function isOggCutOff(file: FileHandle, sizeBytes: number): Promise<boolean> {
  const start = Math.max(0, sizeBytes - 2 * MAX_OGG_PAGE_BYTES);
  const tail = await readAt(file, start, sizeBytes - start);
  let at = tail.indexOf(OGG_MARKER);
  // Follow pages from the first that connects to another; payload that looks like a page does not
  // connect.
  while (at >= 0) {
    const end = oggPageEnd(tail, at);
    if (end === null || end > tail.length) return tail.indexOf(OGG_MARKER, at + 1) < 0;
    if (end === tail.length) return false;
    const next = tail.toString('latin1', end, end + OGG_MARKER.length);
    if (next.length < OGG_MARKER.length && OGG_MARKER.startsWith(next)) return true;
    at = next === OGG_MARKER ? end : tail.indexOf(OGG_MARKER, at + 1);
  }
  return false;
}

function oggPageEnd(bytes: Buffer, at: number): number | null {
  const segments = bytes[at + 26];
  if (segments === undefined || at + 27 + segments > bytes.length) return null;
  let end = at + 27 + segments;
  for (let i = 0; i < segments; i += 1) end += bytes[at + 27 + i] ?? 0;
  return end;
}

async function isAiffCutOff(file: FileHandle, sizeBytes: number): Promise<boolean> {
  const head = await readAt(file, 0, 8);
  return head.length < 8 || head.readUInt32BE(4) + 8 > sizeBytes;
}

async function isCafCutOff(file: FileHandle, sizeBytes: number): Promise<boolean> {
  let offset = 8;
  for (let chunks = 0; chunks < MAX_CHUNKS && offset < sizeBytes; chunks += 1) {
    const chunk = await readAt(file, offset, 12);
    if (chunk.length < 12) return true;
    const size = Number(chunk.readBigInt64BE(4));
    // The last chunk of a recording that was written to a pipe has no size.
    if (size < 0) return false;
    offset += 12 + size;
  }
  return offset > sizeBytes;
}

/**
 * ASF identifier of the object that states the size of a Windows Media file, and the offset of that
 * size in it.
 */
const ASF_FILE_PROPERTIES = Buffer.from('a1dcab8c47a9cf118ee400c00c205365', 'hex');
const ASF_SIZE_AT = 40;
const ASF_FLAGS_AT = 88;

async function isAsfCutOff(file: FileHandle, sizeBytes: number): Promise<boolean> {
  const head = await readAt(file, 0, 4_096);
  const at = head.indexOf(ASF_FILE_PROPERTIES);
  if (at < 0 || at + ASF_FLAGS_AT + 4 > head.length) return true;
  const isBroadcast = (head.readUInt32LE(at + ASF_FLAGS_AT) & 1) === 1;
  return !isBroadcast && Number(head.readBigUInt64LE(at + ASF_SIZE_AT)) > sizeBytes;
}

const EBML_HEADER_ID_BYTES = 4;

/**
 * Compares the size of the segment, which is everything but the header, with the size of the file.
 */
async function isMatroskaCutOff(file: FileHandle, sizeBytes: number): Promise<boolean> {
  const header = ebmlSize(await readAt(file, EBML_HEADER_ID_BYTES, 8));
  if (header === null) return false;
  const segmentAt = EBML_HEADER_ID_BYTES + header.lengthBytes + header.value;
  const segment = ebmlSize(await readAt(file, segmentAt + EBML_HEADER_ID_BYTES, 8));
  // A browser records into a pipe and leaves the size open.
  if (segment === null) return segmentAt >= sizeBytes;
  return segmentAt + EBML_HEADER_ID_BYTES + segment.lengthBytes + segment.value > sizeBytes;
}

/**
 * Reads a size of 1 to 8 bytes, whose first set bit tells the length (RFC 8794); null when it is
 * open or missing.
 */
function ebmlSize(bytes: Buffer): { value: number; lengthBytes: number } | null {
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
