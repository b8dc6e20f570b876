import { openBytes, type FilePart } from './file-bytes.ts';
import type { AudioContainer } from '@jyutsing/contracts/audio';
import {
  ac3Frame,
  adtsFrame,
  gsmFrame,
  loasFrame,
  mp2Frame,
  mp3Frame,
  transportPacket,
  TRANSPORT_PACKET_BYTES,
  type ReadFrameHeader,
} from './frame-headers.ts';
import { freeFormatBytes } from './free-format.ts';
import { identifyMagic, MAGIC_BYTES, type Foreign, type MagicMatch } from './magic.ts';
import { ID3_HEADER_BYTES, id3Bytes } from './id3.ts';

/** The container and where it begins, or a name for the other kind of file. */
export type Identified = AcceptedFile | Foreign;

export type AcceptedFile = {
  container: AudioContainer;
  /** Offset of the first byte, behind zeros, tags and the rest of a frame that was cut. */
  startByte: number;
  /** Bytes of a frame of MP3 in the free format, which does not state them. */
  freeFrameBytes?: number;
};

const HTML = /^\s*(?:<!doctype html|<html)/i;
const XML = /^\s*<\?xml/i;
const JSON_START = /^\s*[[{]\s*["{[\]}]/;
const TEXT = /^[\t\n\f\r\x20-\x7e\u{a0}-\u{10ffff}]+$/u;

/** Limit of the zeros that are skipped: recorders reserve space before they write. */
const MAX_ZERO_BYTES = 16 * 2 ** 20;
const ZEROS_AT_A_TIME = 64 * 1024;
const MAX_TAGS = 16;

/**
 * Identifies an accepted container by content alone. The demuxer is then
 * chosen by this result, never by probing, so that playlists, which can name other files, are never
 * opened.
 */
export async function identifyContainer(part: FilePart): Promise<Identified> {
  using file = openBytes(part);
  return await identifyContent((offset, length) => file.read(offset, length));
}

/** Reads up to `length` bytes of a file. */
type ReadAt = (offset: number, length: number) => Promise<Buffer> | Buffer;

/** Identifies the container of a file of which only the beginning may be known. */
export async function identifyContent(read: ReadAt): Promise<Identified> {
  const start = await read(0, MAGIC_BYTES);
  if (start.length === 0) return { container: null, found: 'empty', isSound: false };
  const { soundByte, behind } = await skipTags(read);
  if (behind !== null) return behind.container === null ? behind : { ...behind, startByte: soundByte };
  const bytes = await read(soundByte, SEARCHED_BYTES + LOOKAHEAD_BYTES);
  const frames = findFrames(bytes);
  if (frames !== null) return { ...frames, startByte: soundByte + frames.startByte };
  // FFmpeg 8.1 decodes the free format of no layer (libavcodec/mpegaudiodecheader.c).
  const layer = [1, 2].find((number) => freeFormatBytes(bytes, 0, number) !== null);
  if (layer !== undefined) return { container: null, found: `MP${layer} in the free format`, isSound: true };
  return { container: null, found: nameText(await read(0, TEXT_BYTES)), isSound: false };
}

/** Finds what comes behind the zeros and tags that programs write before the sound. */
async function skipTags(read: ReadAt): Promise<{ soundByte: number; behind: MagicMatch | null }> {
  let offset = 0;
  for (let tags = 0; tags < MAX_TAGS; tags += 1) {
    const start = await read(offset, MAGIC_BYTES);
    const behind = identifyMagic(start.toString('latin1'));
    if (behind !== null) return { soundByte: offset, behind };
    const isTag = start.toString('latin1', 0, 3) === 'ID3' && start.length >= ID3_HEADER_BYTES;
    const next = isTag ? offset + id3Bytes(start) : await skipZeros(read, offset);
    if (next === offset) break;
    offset = next;
  }
  return { soundByte: offset, behind: null };
}

/** Returns the offset of the first byte from `offset` on that is not zero. */
async function skipZeros(read: ReadAt, offset: number): Promise<number> {
  for (let at = offset; at < offset + MAX_ZERO_BYTES;) {
    const bytes = await read(at, ZEROS_AT_A_TIME);
    const used = bytes.findIndex((byte) => byte !== 0);
    if (used >= 0) return at + used;
    if (bytes.length === 0) break;
    at += bytes.length;
  }
  return offset;
}

/** Enough to tell a text from data that begin with a name. */
const TEXT_BYTES = 512;
const UTF16_MARKS = ['fffe', 'feff'];

function nameText(start: Buffer): string {
  if (UTF16_MARKS.includes(start.toString('hex', 0, 2))) return 'text';
  let text = '';
  try {
    // The last character may be cut.
    text = new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: true });
  } catch {
    return 'data of an unknown format';
  }
  if (HTML.test(text)) return 'an HTML page';
  if (XML.test(text)) return 'an XML document';
  if (JSON_START.test(text)) return 'JSON';
  return TEXT.test(text) ? 'text' : 'data of an unknown format';
}

/** A format without a header: it is known by frames that follow one another. */
type FrameFormat = {
  container: AudioContainer;
  readFrame: ReadFrameHeader;
  framesInARow: number;
  /** Range in which the first may begin: a stream may have been cut anywhere. */
  searchedBytes: number;
  /** True when a file that ends earlier may have fewer frames. */
  mayBeShort: boolean;
};

const LAYER_3 = { readFrame: mp3Frame, framesInARow: 3, searchedBytes: 65_536, mayBeShort: true };

const FRAME_FORMATS: readonly FrameFormat[] = [
  { container: 'mp3', ...LAYER_3 },
  { container: 'mp2', ...LAYER_3, readFrame: mp2Frame },
  { container: 'aac', readFrame: adtsFrame, framesInARow: 3, searchedBytes: 8_192, mayBeShort: true },
  { container: 'latm', readFrame: loasFrame, framesInARow: 4, searchedBytes: 8_192, mayBeShort: false },
  { container: 'ac3', readFrame: ac3Frame, framesInARow: 3, searchedBytes: 4_096, mayBeShort: true },
  { container: 'gsm', readFrame: gsmFrame, framesInARow: 20, searchedBytes: 1, mayBeShort: false },
  ...TRANSPORT_PACKET_BYTES.map((bytes): FrameFormat => ({
    container: 'ts',
    readFrame: transportPacket(bytes),
    framesInARow: 5,
    searchedBytes: bytes,
    mayBeShort: false,
  })),
];
const SEARCHED_BYTES = Math.max(...FRAME_FORMATS.map((format) => format.searchedBytes));
/** Bytes of the longest frames in a row, those of LATM. */
const LOOKAHEAD_BYTES = 5 * 8_194;

/** Finds the first frames of a format without a header. */
function findFrames(bytes: Buffer): AcceptedFile | null {
  for (let at = 0; at < Math.min(SEARCHED_BYTES, bytes.length); at += 1) {
    const format = FRAME_FORMATS.find(
      (candidate) => at < candidate.searchedBytes && startsFrames(bytes, at, candidate),
    );
    if (format !== undefined) return { container: format.container, startByte: at };
    const freeFrameBytes = freeFormatBytes(bytes, at);
    if (freeFrameBytes !== null) return { container: 'mp3', startByte: at, freeFrameBytes };
  }
  return null;
}

/** Checks that consistent frames follow one another from `at`. */
function startsFrames(bytes: Buffer, at: number, { readFrame, framesInARow, mayBeShort }: FrameFormat): boolean {
  const first = readFrame(bytes, at);
  if (first === null) return false;
  let next = at;
  for (let frames = 0; frames < framesInARow; frames += 1) {
    const frame = readFrame(bytes, next);
    // When other bytes come first, a single frame up to the end may be chance.
    if (frame === null) return mayBeShort && frames > (at === 0 ? 0 : 1) && next === bytes.length;
    if (frame.kind !== first.kind) return false;
    next += frame.sizeBytes;
  }
  return true;
}
