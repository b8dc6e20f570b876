import { open, type FileHandle } from 'node:fs/promises';
import type { AudioContainer } from '@jyutsing/contracts/audio';

/**
 * AVI and its kin, Matroska and WebM, MPEG programme streams, Flash video: they may hold MPEG audio
 * frames of their own.
 */
const FOREIGN_MAGIC = ['RIFF', '\x1aE\xdf\xa3', '\0\0\x01', 'FLV', '%PDF'];

/**
 * Range in which the first MPEG frame may begin: a recording cut from a stream starts in the middle
 * of a frame.
 */
const MP3_SEARCH_BYTES = 4_096;
const MP3_FRAMES_IN_A_ROW = 3;
const MAX_ID3_TAGS = 4;

/**
 * Bit rates of MPEG layer III in kbit/s, indexed by four header bits (ISO 11172-3, 13818-3); 0
 * where not allowed.
 */
const MPEG1_LAYER3_KBPS = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0];
const MPEG2_LAYER3_KBPS = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0];
const MPEG1_SAMPLE_RATES_HZ = [44_100, 48_000, 32_000];

/**
 * Identifies an accepted container by content alone; null for anything else. The demuxer is then
 * chosen by this result, never by probing, so that playlists, which can name other files, are never
 * opened.
 */
export async function identifyContainer(path: string): Promise<AudioContainer | null> {
  const file = await open(path, 'r');
  try {
    const head = await readAt(file, 0, 16);
    const magic = head.toString('latin1');
    if (/^(RIFF|RF64|BW64)....WAVE/s.test(magic)) return 'wav';
    if (magic.startsWith('fLaC')) return 'flac';
    if (magic.startsWith('OggS')) return 'ogg';
    if (magic.slice(4, 8) === 'ftyp') return 'm4a';
    // Other containers may hold MPEG frames that the search below would find.
    if (FOREIGN_MAGIC.some((foreign) => magic.startsWith(foreign))) return null;
    return await identifyMpeg(file);
  } finally {
    await file.close();
  }
}

async function identifyMpeg(file: FileHandle): Promise<AudioContainer | null> {
  let offset = 0;
  for (let tags = 0; tags < MAX_ID3_TAGS; tags += 1) {
    const tag = await readAt(file, offset, 10);
    if (tag.toString('latin1', 0, 3) !== 'ID3' || tag.length < 10) break;
    offset += 10 + tag.subarray(6, 10).reduce((size, byte) => size * 128 + (byte & 0x7f), 0);
  }
  const bytes = await readAt(file, offset, MP3_SEARCH_BYTES + (MP3_FRAMES_IN_A_ROW + 1) * 1_441);
  if (offset > 0 && bytes.toString('latin1', 0, 4) === 'fLaC') return 'flac';
  for (let at = 0; at < Math.min(MP3_SEARCH_BYTES, bytes.length - 3); at += 1) {
    if (startsMp3Frames(bytes, at)) return 'mp3';
  }
  return null;
}

/**
 * Checks that consistent layer III frames follow one another from `at`; a file that ends earlier
 * may have fewer.
 */
function startsMp3Frames(bytes: Buffer, at: number): boolean {
  const first = mp3Frame(bytes, at);
  if (first === null) return false;
  let next = at;
  for (let frames = 0; frames < MP3_FRAMES_IN_A_ROW; frames += 1) {
    const frame = mp3Frame(bytes, next);
    if (frame === null) return frames > 0 && next === bytes.length;
    if (frame.sampleRateHz !== first.sampleRateHz || frame.version !== first.version) return false;
    next += frame.sizeBytes;
  }
  return true;
}

function mp3Frame(bytes: Buffer, at: number): { version: number; sampleRateHz: number; sizeBytes: number } | null {
  if (at + 4 > bytes.length) return null;
  const header = bytes.readUInt32BE(at);
  // Check eleven sync bits, then the version (1 is reserved); layer III has the code 1.
  const version = (header >>> 19) & 3;
  if (header >>> 21 !== 0x7ff || version === 1 || ((header >>> 17) & 3) !== 1) return null;
  const isMpeg1 = version === 3;
  const kbps = (isMpeg1 ? MPEG1_LAYER3_KBPS : MPEG2_LAYER3_KBPS)[(header >>> 12) & 15] ?? 0;
  const baseRateHz = MPEG1_SAMPLE_RATES_HZ[(header >>> 10) & 3] ?? 0;
  if (kbps === 0 || baseRateHz === 0) return null;
  const sampleRateHz = isMpeg1 ? baseRateHz : baseRateHz / (version === 2 ? 2 : 4);
  const samplesPerByte = isMpeg1 ? 144_000 : 72_000;
  return {
    version,
    sampleRateHz,
    sizeBytes: Math.floor((samplesPerByte * kbps) / sampleRateHz) + ((header >>> 9) & 1),
  };
}

/**
 * Checks whether the outermost structure reaches past the end of the file (RIFF data chunk, MP4 box
 * or last Ogg page). Finds truncated uploads without decoding. mp3 and flac have no such structure.
 */
export async function isCutOff(path: string, container: AudioContainer): Promise<boolean> {
  if (container === 'mp3' || container === 'flac') return false;
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    if (container === 'wav') return await isWavCutOff(file, size);
    return container === 'm4a' ? await isMp4CutOff(file, size) : await isOggCutOff(file, size);
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

/** A page is at most 27 + 255 + 255 · 255 bytes. */
const MAX_OGG_PAGE_BYTES = 65_307;

async function isOggCutOff(file: FileHandle, sizeBytes: number): Promise<boolean> {
  const start = Math.max(0, sizeBytes - 2 * MAX_OGG_PAGE_BYTES);
  const tail = await readAt(file, start, sizeBytes - start);
  let at = tail.indexOf('OggS');
  // Follow pages from the first that connects to another; payload that looks like a page does not
  // connect.
  while (at >= 0) {
    const end = oggPageEnd(tail, at);
    if (end === null || end > tail.length) return tail.indexOf('OggS', at + 1) < 0;
    if (end === tail.length) return false;
    at = tail.toString('latin1', end, end + 4) === 'OggS' ? end : tail.indexOf('OggS', at + 1);
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

async function readAt(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset);
  return buffer.subarray(0, bytesRead);
}
