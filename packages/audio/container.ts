import { open } from 'node:fs/promises';
import type { AudioContainer } from '@jyutsing/contracts/audio';
import { readAt } from './read-at.ts';

/** The accepted containers by their first bytes; `?` stands for any byte. */
const ACCEPTED: readonly [pattern: string, container: AudioContainer][] = [
  ['RIFF????WAVE', 'wav'],
  ['RIFX????WAVE', 'wav'],
  ['RF64????WAVE', 'wav'],
  ['BW64????WAVE', 'wav'],
  ['riff\x2e\x91\xcf\x11\xa5\xd6\x28\xdb\x04\xc1\0\0', 'w64'],
  ['fLaC', 'flac'],
  ['OggS', 'ogg'],
  ['????ftyp', 'm4a'],
  // Videos of old cameras begin without a file type.
  ['????moov', 'm4a'],
  ['????wide', 'm4a'],
  ['????mdat', 'm4a'],
  ['\x1aE\xdf\xa3', 'webm'],
  ['#!AMR\n', 'amr'],
  ['#!AMR-WB\n', 'amr'],
  ['FORM????AIFF', 'aiff'],
  ['FORM????AIFC', 'aiff'],
  ['caff', 'caf'],
  ['0&\xb2u\x8ef\xcf\x11', 'wma'],
];

/**
 * Other files that people send by mistake. Some may contain MPEG audio frames, so they must be
 * recognized before such frames are searched for.
 */
const FOREIGN: readonly [pattern: string, name: string][] = [
  ['RIFF????AVI ', 'an AVI video'],
  ['RIFF', 'a RIFF file without sound'],
  ['\0\0\x01', 'an MPEG video or an icon'],
  ['FLV', 'a Flash video'],
  ['%PDF', 'a PDF document'],
  ['\x89PNG', 'a PNG picture'],
  ['\xff\xd8\xff', 'a JPEG picture'],
  ['GIF8', 'a GIF picture'],
  ['PK\x03\x04', 'a ZIP archive or an Office document'],
  ['\x1f\x8b', 'a gzip archive'],
  ['MThd', 'a MIDI file'],
];
const HTML = /^\s*(?:<!doctype html|<html)/i;
const TEXT = /^[\t\n\r\x20-\x7e\u{a0}-\u{10ffff}]+$/u;

/** The container, or a name for the other kind of file. */
export type Identified = { container: AudioContainer } | { container: null; found: string };

/**
 * Range in which the first MPEG frame may begin: a recording cut from a stream starts in the middle
 * of a frame.
 */
const MP3_SEARCH_BYTES = 4_096;
const FRAMES_IN_A_ROW = 3;
const MAX_ID3_TAGS = 4;

/**
 * Bit rates of MPEG layer III in kbit/s, indexed by four header bits (ISO 11172-3, 13818-3); 0
 * where not allowed.
 */
const MPEG1_LAYER3_KBPS = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0];
const MPEG2_LAYER3_KBPS = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0];
const MPEG1_SAMPLE_RATES_HZ = [44_100, 48_000, 32_000];

/**
 * Identifies an accepted container by content alone. The demuxer is then
 * chosen by this result, never by probing, so that playlists, which can name other files, are never
 * opened.
 */
export async function identifyContainer(path: string): Promise<Identified> {
  const file = await open(path, 'r');
  try {
    return await identifyContent((offset, length) => readAt(file, offset, length));
  } finally {
    await file.close();
  }
}

/** Reads up to `length` bytes of a file. */
type ReadAt = (offset: number, length: number) => Promise<Buffer> | Buffer;

/** Identifies the container of a file of which only the beginning may be known. */
export async function identifyContent(read: ReadAt): Promise<Identified> {
  const start = await read(0, 16);
  const magic = start.toString('latin1');
  if (magic === '') return { container: null, found: 'empty' };
  const identified = identifyMagic(magic);
  if (identified !== null) return identified;
  const container = await identifyFrames(read);
  if (container !== null) return { container };
  if (HTML.test(magic)) return { container, found: 'an HTML page' };
  return { container, found: isText(start) ? 'text' : 'data of an unknown format' };
}

/** Returns true for the beginning of a text in UTF-8, whose last character may be cut. */
function isText(start: Buffer): boolean {
  try {
    return TEXT.test(new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: true }));
  } catch {
    return false;
  }
}

/** Identifies a file by its first bytes; null when frames must be searched for. */
export function identifyMagic(magic: string): Identified | null {
  const accepted = ACCEPTED.find(([pattern]) => startsWith(magic, pattern));
  if (accepted !== undefined) return { container: accepted[1] };
  const foreign = FOREIGN.find(([pattern]) => startsWith(magic, pattern));
  return foreign === undefined ? null : { container: null, found: foreign[1] };
}

function startsWith(magic: string, pattern: string): boolean {
  return [...pattern].every((byte, index) => byte === '?' || byte === magic[index]);
}

/** Finds the frames of formats without a header, behind tags. */
async function identifyFrames(read: ReadAt): Promise<AudioContainer | null> {
  let offset = 0;
  for (let tags = 0; tags < MAX_ID3_TAGS; tags += 1) {
    const tag = await read(offset, 10);
    if (tag.toString('latin1', 0, 3) !== 'ID3' || tag.length < 10) break;
    offset += 10 + tag.subarray(6, 10).reduce((size, byte) => size * 128 + (byte & 0x7f), 0);
  }
  const bytes = await read(offset, MP3_SEARCH_BYTES + (FRAMES_IN_A_ROW + 1) * 1_441);
  if (offset > 0 && bytes.toString('latin1', 0, 4) === 'fLaC') return 'flac';
  if (startsFrames(bytes, 0, adtsFrame)) return 'aac';
  for (let at = 0; at < Math.min(MP3_SEARCH_BYTES, bytes.length - 3); at += 1) {
    if (startsFrames(bytes, at, mp3Frame)) return 'mp3';
  }
  return null;
}

type Frame = {
  version: number;
  /** The rate in hertz, or the rate index for ADTS; frames only compare it. */
  rate: number;
  sizeBytes: number;
};

/**
 * Checks that consistent frames follow one another from `at`; a file that ends earlier may have
 * fewer.
 */
function startsFrames(bytes: Buffer, at: number, readFrame: (bytes: Buffer, at: number) => Frame | null): boolean {
  const first = readFrame(bytes, at);
  if (first === null) return false;
  let next = at;
  for (let frames = 0; frames < FRAMES_IN_A_ROW; frames += 1) {
    const frame = readFrame(bytes, next);
    // When other bytes come first, a single frame up to the end may be chance.
    if (frame === null) return frames > (at === 0 ? 0 : 1) && next === bytes.length;
    if (frame.rate !== first.rate || frame.version !== first.version) return false;
    next += frame.sizeBytes;
  }
  return true;
}

/** Reads the header of an MPEG layer III frame; null when none begins at `at`. */
export function mp3Frame(bytes: Buffer, at: number): Frame | null {
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
  const samplesPerFrame = isMpeg1 ? 1_152 : 576;
  return {
    version,
    rate: sampleRateHz,
    sizeBytes: Math.floor((samplesPerFrame * 125 * kbps) / sampleRateHz) + ((header >>> 9) & 1),
  };
}

const ADTS_HEADER_BYTES = 7;
const AAC_SAMPLE_RATES = 13;

/** Reads the header of a frame of raw AAC (ISO 14496-3, ADTS). */
function adtsFrame(bytes: Buffer, at: number): Frame | null {
  if (at + ADTS_HEADER_BYTES > bytes.length || (bytes.readUInt16BE(at) & 0xfff6) !== 0xfff0) return null;
  const rateIndex = ((bytes[at + 2] ?? 0) >> 2) & 15;
  const sizeBytes = (bytes.readUInt32BE(at + 3) >>> 13) & 0x1fff;
  if (rateIndex >= AAC_SAMPLE_RATES || sizeBytes < ADTS_HEADER_BYTES) return null;
  return { version: (bytes[at + 1] ?? 0) & 8, rate: rateIndex, sizeBytes };
}
