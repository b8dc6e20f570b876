import { closeSync, openSync, readSync } from 'node:fs';
import type { Packet } from 'node-av/lib';
import type { AudioContainer } from '@jyutsing/contracts/audio';
import { ac3Frame, adtsFrame, loasFrame, mp2Frame, mp3Frame, type ReadFrameHeader } from './frame-headers.ts';
import type { FilePart } from './file-bytes.ts';

/** MPEG audio of one layer may go on with another. */
const mpegFrame: ReadFrameHeader = (bytes, at) => mp3Frame(bytes, at) ?? mp2Frame(bytes, at);

/** Streams of frames without a container: nothing but their number tells the time. */
const READERS: Partial<Record<AudioContainer, ReadFrameHeader>> = {
  mp3: mpegFrame,
  mp2: mpegFrame,
  aac: adtsFrame,
  latm: loasFrame,
  ac3: ac3Frame,
};

/** Tells whether a file is a stream of frames without a container. */
export function isWithoutTimes(container: AudioContainer): boolean {
  return READERS[container] !== undefined;
}

/** Tags that programs write between and behind frames: ID3, its old form, APE, Lyrics3. */
const TAGS = ['ID3', 'TAG', 'APETAGEX', 'LYRICSBEGIN'];

/** After so many whole frames their mean size is known; merged ones exceed it by this factor. */
const SURE_FRAMES = 50;
const MOST_USUAL = 1.2;
/** No frame is longer than others by more; what is longer may hold several. */
const MOST_IN_A_FRAME = 4;
/** Fewer in a row may be chance. */
const LEAST_IN_A_ROW = 3;
const RECENT_FRAMES = 8;
const NONE_HIDDEN = { frames: 0, restBytes: 0 };

/** Finds the frames that a damaged stream has lost. */
export type LostFrames = {
  /** Returns how many frames lie between the sound of the packet before and that of this one. */
  before(packet: Packet): number;
};

/**
 * Counts lost frames by the bytes that are too many. Where the header of a frame is damaged, FFmpeg
 * 8.1 gives all up to the next one as one packet, which counts as one frame
 * (libavcodec/mpegaudio_parser.c, aac_ac3_parser.c, latm_parser.c), or skips these bytes, which the
 * positions of its packets do not show (libavformat/aacdec.c). Returns null for containers that
 * state times.
 */
export function createLostFrames(part: FilePart, container: AudioContainer): LostFrames | null {
  const readFrame = READERS[container];
  if (readFrame === undefined) return null;
  const whole = { frames: 0, bytes: 0 };
  const skipped = container === 'aac' ? createSkippedBytes(part) : null;
  let recentBytes = 0;
  /** Before the first whole frame no packet is too long. */
  const usualBytes = () => (whole.frames === 0 ? Infinity : Math.max(recentBytes, whole.bytes / whole.frames));
  /** Bytes at the end of the last packet: at the end of a file they are no lost sound. */
  let bytesBehind = 0;
  /** Frames within the last packet, and the rest of them. */
  let hidden = NONE_HIDDEN;
  return {
    before(packet) {
      const { size } = packet;
      // To look at the bytes of each packet would cost a twentieth of the decoding.
      const isUsual = skipped === null && whole.frames >= SURE_FRAMES && size <= MOST_USUAL * usualBytes();
      if (isUsual && bytesBehind + hidden.frames === 0) return 0;
      const { data } = packet;
      if (data === null) return 0;
      let lostBytes = bytesBehind + Math.max(0, (skipped?.before(data) ?? 0) - hidden.restBytes);
      const lostFrames = hidden.frames;
      bytesBehind = 0;
      const frame = readFrame(data, 0);
      hidden = size > MOST_IN_A_FRAME * usualBytes() ? framesIn(data, readFrame) : NONE_HIDDEN;
      if (hidden.frames > 0) {
        // Bytes of the sound were taken for the header of a frame that long.
      } else if (frame?.sizeBytes === size) {
        whole.frames += 1;
        whole.bytes += size;
        // The last packets tell more where the reader looks at each: frames of pauses are shorter.
        if (skipped !== null) recentBytes += (size - recentBytes) / RECENT_FRAMES;
      } else if (!TAGS.some((tag) => data.includes(tag))) {
        const lastFrame = lastFrameOf(data, readFrame);
        if (frame === null && lastFrame !== null) lostBytes += size - lastFrame;
        else bytesBehind = Math.max(0, size - (frame?.sizeBytes ?? usualBytes()));
      }
      return lostFrames + Math.round(lostBytes / usualBytes());
    },
  };
}

/** Returns the bytes of the frame with which a packet ends; null when it does not end with one. */
function lastFrameOf(data: Buffer, readFrame: ReadFrameHeader): number | null {
  for (let at = data.length - 1; at >= 0; at -= 1) {
    if (readFrame(data, at)?.sizeBytes === data.length - at) return data.length - at;
  }
  return null;
}

/**
 * Counts the frames in rows within a packet. It counts as the frame before them, in whose sound it
 * begins. The last may end `restBytes` behind it.
 */
function framesIn(data: Buffer, readFrame: ReadFrameHeader): typeof NONE_HIDDEN {
  let frames = 0;
  let at = 1;
  while (at < data.length) {
    const row = rowOfFrames(data, at, readFrame);
    const isRow = row.frames >= LEAST_IN_A_ROW;
    if (isRow) frames += row.frames;
    at = isRow ? row.endByte : at + 1;
  }
  return frames === 0 ? NONE_HIDDEN : { frames, restBytes: at - data.length };
}

/** Counts the frames of one kind from an offset on; the last may be cut off. */
function rowOfFrames(data: Buffer, startByte: number, readFrame: ReadFrameHeader): { frames: number; endByte: number } {
  const kind = readFrame(data, startByte)?.kind;
  let frames = 0;
  let endByte = startByte;
  for (let frame = readFrame(data, endByte); frame !== null && frame.kind === kind; frame = readFrame(data, endByte)) {
    frames += 1;
    endByte += frame.sizeBytes;
  }
  return { frames, endByte };
}

const WINDOW_BYTES = 1 << 18;
/** The beginning of a packet that is looked for: its header and some of its sound. */
const BEGINNING_BYTES = 24;

/** Follows the packets through the bytes of a file. */
function createSkippedBytes({ path, startByte }: FilePart) {
  const window = { startByte: 0, bytes: Buffer.alloc(0) };
  /** The end of the packet before; null before the first, and where a packet was not found. */
  let endByte: number | null = startByte;
  return {
    /** Returns the bytes before a packet that belong to no packet and to no tag. */
    before(packet: Buffer): number {
      if (endByte === null) return 0;
      const isAhead = endByte + packet.length > window.startByte + window.bytes.length;
      if (isAhead) Object.assign(window, { startByte: endByte, bytes: readWindow(path, endByte) });
      const at = endByte - window.startByte;
      const found = window.bytes.indexOf(packet.subarray(0, BEGINNING_BYTES), at);
      endByte = found < 0 ? null : window.startByte + found + packet.length;
      const isTag = TAGS.some((tag) => window.bytes.indexOf(tag, at) === at);
      return found < 0 || isTag ? 0 : found - at;
    },
  };
}

function readWindow(path: string, startByte: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(WINDOW_BYTES);
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, startByte));
  } finally {
    closeSync(file);
  }
}
