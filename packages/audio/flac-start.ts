import { openBytes, type FilePart } from './file-bytes.ts';

const MAX_BLOCKS = 1_000;
const LAST_BLOCK = 0x80;
const STREAM_INFO_BYTES = 18;
const FRAME_HEADER_BYTES = 11;

/**
 * Returns the time of the first frame of a FLAC file (RFC 9639), which is more than 0 in a part
 * that was cut from another; 0 where no frame is behind the header, because its beginning is
 * damaged.
 */
export async function flacStartMs(part: FilePart): Promise<number> {
  using file = openBytes(part);
  const info = await file.read(8, STREAM_INFO_BYTES);
  let offset = 4;
  for (let blocks = 0; blocks < MAX_BLOCKS; blocks += 1) {
    const header = await file.read(offset, 4);
    if (header.length < 4 || info.length < STREAM_INFO_BYTES) return 0;
    offset += 4 + header.readUIntBE(1, 3);
    if ((header[0]! & LAST_BLOCK) === 0) continue;
    const frame = await file.read(offset, FRAME_HEADER_BYTES);
    const number = frameNumber(frame);
    const sampleRateHz = info.readUIntBE(10, 3) >> 4;
    if (number === null || sampleRateHz === 0) return 0;
    const isCountedInFrames = (frame[1]! & 1) === 0;
    return (number * (isCountedInFrames ? info.readUInt16BE(0) : 1) * 1_000) / sampleRateHz;
  }
  return 0;
}

/** Reads the number of a frame or of its first sample, coded as UTF-8 is; null for other bytes. */
function frameNumber(frame: Buffer): number | null {
  if (frame.length < FRAME_HEADER_BYTES || (frame.readUInt16BE(0) & 0xff_fe) !== 0xff_f8) return null;
  const first = frame[4]!;
  const extraBytes = first < 0x80 ? 0 : Math.clz32(~(first << 24)) - 1;
  let number = first & (0x7f >> (extraBytes === 0 ? 0 : extraBytes + 1));
  for (const byte of frame.subarray(5, 5 + extraBytes)) number = number * 64 + (byte & 0x3f);
  return number;
}
