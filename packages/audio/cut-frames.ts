import type { FileBytes } from './file-bytes.ts';
import {
  ac3Frame,
  adtsFrame,
  amrFrame,
  loasFrame,
  mp2Frame,
  mp3Frame,
  transportPacket,
  TRANSPORT_BYTES,
  TRANSPORT_PACKET_BYTES,
  type ReadFrameHeader,
} from './frame-headers.ts';

/** Formats whose frames state their size and follow one another up to the end of the file. */
const READERS = {
  mp3: [mp3Frame],
  mp2: [mp2Frame],
  aac: [adtsFrame],
  latm: [loasFrame],
  ac3: [ac3Frame],
  ts: TRANSPORT_PACKET_BYTES.map(transportPacket),
} satisfies Record<string, readonly ReadFrameHeader[]>;
export type FrameContainer = keyof typeof READERS;
export const FRAME_CONTAINERS = Object.keys(READERS) as FrameContainer[];

/** Enough for the longest frames in a row, those of LATM. */
const TAIL_BYTES = 1 << 16;
/** Bytes of the sound that look like one frame do not connect to others. */
const MIN_FRAMES_IN_A_ROW = 5;
/** A shorter rest that begins as a frame does is a part of its header. */
const HEADER_BYTES = 8;

/**
 * Tells whether a stream of frames breaks off within one: its header states more bytes than there
 * are. A stream that ends with a whole frame, or with a tag, may be complete.
 */
export async function isFrameCutOff(file: FileBytes, container: FrameContainer): Promise<boolean> {
  const start = Math.max(0, file.sizeBytes - TAIL_BYTES);
  const tail = await file.read(start, file.sizeBytes - start);
  return READERS[container].some((readFrame) => breaksOff(tail, readFrame));
}

function breaksOff(tail: Buffer, readFrame: ReadFrameHeader): boolean {
  for (let first = 0; first < tail.length; first += 1) {
    const kind = readFrame(tail, first)?.kind;
    let at = first;
    let frames = 0;
    for (; at < tail.length; frames += 1) {
      const frame = readFrame(tail, at);
      if (frame === null || frame.kind !== kind) break;
      if (at + Math.min(frame.sizeBytes, frame.kind === 'ts' ? TRANSPORT_BYTES : Infinity) > tail.length)
        return frames >= MIN_FRAMES_IN_A_ROW;
      at += frame.sizeBytes;
    }
    if (frames < MIN_FRAMES_IN_A_ROW) continue;
    if (at >= tail.length) return false;
    if (tail.length - at < HEADER_BYTES) return tail[at] === tail[first];
    // Damage or a tag follows, and perhaps further frames.
    first = at - 1;
  }
  return false;
}

const AMR_MAGIC = { '#!AMR\n': 'nb', '#!AMR-WB\n': 'wb' } as const;

/**
 * Returns the offset behind the last frame of AMR, whose frames are found only from the beginning
 * on; null for another file. A frame that is cut off ends behind the file.
 */
export async function endOfAmr(file: FileBytes): Promise<number | null> {
  const head = (await file.read(0, 9)).toString('latin1');
  const found = Object.entries(AMR_MAGIC).find(([magic]) => head.startsWith(magic));
  if (found === undefined) return null;
  const readFrame = amrFrame(found[1]);
  let at = found[0].length;
  for (let blockAt = at; blockAt < file.sizeBytes; blockAt += TAIL_BYTES) {
    const block = await file.read(blockAt, TAIL_BYTES);
    while (at < blockAt + block.length) {
      const frame = readFrame(block, at - blockAt);
      // Bytes that are no frame: another recording, or damage.
      if (frame === null) return at;
      at += frame.sizeBytes;
    }
  }
  return at;
}
