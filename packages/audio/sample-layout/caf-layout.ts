import type { FileBytes } from '#audio/file-bytes.ts';
import { pcmCodec, type SampleLayout } from './sample-layout.ts';

const MAX_CHUNKS = 10_000;
const FIRST_CHUNK_AT = 8;
const FORMAT_BYTES = 32;
/** The count of edits before the samples. */
const DATA_HEADER_BYTES = 4;
const IS_FLOAT = 1;
const IS_LITTLE_ENDIAN = 2;

/** Reads the layout of a file in Apple's Core Audio Format (its specification 1.0). */
export async function readCafLayout(file: FileBytes): Promise<SampleLayout | null> {
  let format: Pick<SampleLayout, 'codec' | 'sampleRateHz' | 'channels'> | null = null;
  let offset = FIRST_CHUNK_AT;
  for (let chunks = 0; chunks < MAX_CHUNKS; chunks += 1) {
    const header = await file.read(offset, 12);
    if (header.length < 12) return null;
    const id = header.toString('latin1', 0, 4);
    const sizeBytes = Number(header.readBigInt64BE(4));
    const bodyByte = offset + 12;
    if (id === 'desc') format = parseFormat(await file.read(bodyByte, FORMAT_BYTES));
    if (id === 'data') {
      // A program that writes to a pipe states no size.
      const endByte = sizeBytes < 0 ? file.sizeBytes : Math.min(file.sizeBytes, bodyByte + sizeBytes);
      return format === null ? null : { ...format, channelMask: 0, startByte: bodyByte + DATA_HEADER_BYTES, endByte };
    }
    if (sizeBytes < 0) return null;
    offset = bodyByte + sizeBytes;
  }
  return null;
}

function parseFormat(bytes: Buffer): Pick<SampleLayout, 'codec' | 'sampleRateHz' | 'channels'> | null {
  if (bytes.length < FORMAT_BYTES || bytes.toString('latin1', 8, 12) !== 'lpcm') return null;
  const flags = bytes.readUInt32BE(12);
  const frameBytes = bytes.readUInt32BE(16) / bytes.readUInt32BE(20);
  const channels = bytes.readUInt32BE(24);
  const usedBytes = Math.ceil(bytes.readUInt32BE(28) / 8);
  const occupiedBytes = frameBytes / channels;
  const sampleBytes = Number.isInteger(occupiedBytes) && occupiedBytes > usedBytes ? occupiedBytes : usedBytes;
  const codec = pcmCodec(sampleBytes, {
    isFloat: (flags & IS_FLOAT) !== 0,
    isBigEndian: (flags & IS_LITTLE_ENDIAN) === 0,
  });
  return codec === null ? null : { codec, sampleRateHz: Math.round(bytes.readDoubleBE(0)), channels };
}
