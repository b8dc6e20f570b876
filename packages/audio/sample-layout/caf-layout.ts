import { readCafChunks } from '#audio/chunks.ts';
import type { FileBytes } from '#audio/file-bytes.ts';
import { pcmCodec, type SampleLayout } from './sample-layout.ts';

const FORMAT_BYTES = 32;
/** The count of edits before the samples. */
const DATA_HEADER_BYTES = 4;
const IS_FLOAT = 1;
const IS_LITTLE_ENDIAN = 2;

/** Reads the layout of a CAF file. */
export async function readCafLayout(file: FileBytes): Promise<SampleLayout | null> {
  let format: Pick<SampleLayout, 'codec' | 'sampleRateHz' | 'channels'> | null = null;
  for await (const { name, contentByte, endByte } of readCafChunks(file)) {
    if (contentByte > file.sizeBytes) return null;
    if (name === 'desc') format = parseFormat(await file.read(contentByte, FORMAT_BYTES));
    if (name !== 'data') continue;
    if (format === null) return null;
    const startByte = contentByte + DATA_HEADER_BYTES;
    return { ...format, channelMask: 0, startByte, endByte: Math.min(file.sizeBytes, endByte ?? Infinity) };
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
