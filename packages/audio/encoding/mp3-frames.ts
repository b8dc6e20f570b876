import type { CodecPacket } from './codec-packets.ts';
import type { Container } from './containers.ts';

/** Delay that every MP3 decoder adds before the first sample. */
const DECODER_DELAY_SAMPLES = 529;
const HEADER_BYTES = 4;
const TAG_BYTES = 156;
const QUALITY_OFFSET = 116;
const LAME_OFFSET = 120;
const DELAY_OFFSET = 141;
const MUSIC_LENGTH_OFFSET = 148;
const TAG_CRC_OFFSET = 154;
const HAS_FRAMES_BYTES_TOC_QUALITY = 15;

/**
 * Packs MP3 frames. A file begins with an "Info" frame (as LAME writes it) that gives players the
 * exact start and end of the audio; its numbers are known only at the end. A stream cannot be
 * rewritten, so whole frames of encoder delay are dropped instead: the audio starts at most 33 ms
 * late in players. Readers that cut the usual delay from every stream lose as much of its start.
 */
export function createMp3Container({ isFile }: { isFile: boolean }): Container {
  let infoFrame: Buffer | null = null;
  let frameSamples = 0;
  let delaySamples = 0;
  let frames = 0;
  let bytes = 0;
  return {
    add({ data, startSample, sampleCount }: CodecPacket) {
      if (!isFile && startSample + sampleCount + DECODER_DELAY_SAMPLES <= 0) return [];
      const pieces: Uint8Array[] = [];
      if (isFile && infoFrame === null) {
        infoFrame = emptyFrame(data);
        frameSamples = sampleCount;
        delaySamples = -startSample - DECODER_DELAY_SAMPLES;
        bytes = infoFrame.length;
        pieces.push(infoFrame);
      }
      frames += 1;
      bytes += data.length;
      pieces.push(data);
      return pieces;
    },
    end: () => [],
    finalStart({ samples }) {
      if (infoFrame === null) return null;
      const paddingSamples = Math.max(0, frames * frameSamples - delaySamples - samples);
      return writeInfo(infoFrame, { frames, bytes, delaySamples, paddingSamples });
    },
  };
}

/** Makes a silent frame with the header of the first audio frame and no content. */
function emptyFrame(first: Uint8Array): Buffer {
  const frame = Buffer.alloc(first.length);
  frame.set(first.subarray(0, HEADER_BYTES));
  // Clear the checksum and padding flags.
  frame[1] = (first[1] ?? 0) | 1;
  if (((first[2] ?? 0) & 2) === 0) return frame;
  frame[2] = (first[2] ?? 0) & ~2;
  return frame.subarray(0, frame.length - 1);
}

type Info = { frames: number; bytes: number; delaySamples: number; paddingSamples: number };

/**
 * Writes the tag that LAME's revision 0 and every player agree on: numbers of frames and bytes, a
 * table for seeking, delays.
 */
function writeInfo(frame: Buffer, { frames, bytes, delaySamples, paddingSamples }: Info): Buffer {
  const isMpeg1 = ((frame[1] ?? 0) & 8) !== 0;
  const at = HEADER_BYTES + (isMpeg1 ? 17 : 9);
  const written = Buffer.from(frame);
  if (at + TAG_BYTES > written.length) return written;
  const tag = written.subarray(at, at + TAG_BYTES);
  tag.write('Info', 0, 'latin1');
  tag.writeUInt32BE(HAS_FRAMES_BYTES_TOC_QUALITY, 4);
  tag.writeUInt32BE(frames, 8);
  tag.writeUInt32BE(bytes, 12);
  for (let percent = 0; percent < 100; percent += 1) tag[16 + percent] = Math.floor((percent * 256) / 100);
  tag.writeUInt32BE(50, QUALITY_OFFSET);
  tag.write('LAME3.100', LAME_OFFSET, 'latin1');
  tag[LAME_OFFSET + 9] = 1;
  tag.writeUIntBE((Math.min(delaySamples, 4_095) << 12) | Math.min(paddingSamples, 4_095), DELAY_OFFSET, 3);
  tag.writeUInt32BE(bytes, MUSIC_LENGTH_OFFSET);
  tag.writeUInt16BE(crc16(written.subarray(0, at + TAG_CRC_OFFSET)), TAG_CRC_OFFSET);
  return written;
}

function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >> 1) ^ (crc & 1 ? 0xa0_01 : 0);
  }
  return crc;
}
