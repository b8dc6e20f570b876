import type { FileBytes } from '#audio/file-bytes.ts';
import { G711_CODECS, pcmCodec, type SampleLayout } from './sample-layout.ts';

const MAX_CHUNKS = 10_000;
const FIRST_CHUNK_AT = 12;
const FORMAT_BYTES = 22;
/** Offset and block size before the samples. */
const DATA_HEADER_BYTES = 8;

/**
 * Compression types whose samples are in the order of Intel processors; libsndfile 1.2.2 writes
 * 42n1 for 42ni.
 */
const LITTLE_ENDIAN = ['sowt', '42ni', '42n1', '23ni'];
const BIG_ENDIAN = ['', 'none', 'twos', 'in24', 'in32'];
const FLOATS = ['fl32', 'fl64'];
const G711: Readonly<Record<string, string>> = { alaw: G711_CODECS.alaw, ulaw: G711_CODECS.mulaw };

type Format = { codec: string | null; sampleRateHz: number; channels: number };

/** Reads the layout of an AIFF or AIFF-C file (Apple, Audio Interchange File Format 1.3). */
export async function readAiffLayout(file: FileBytes): Promise<SampleLayout | null> {
  let format: Format | null = null;
  let offset = FIRST_CHUNK_AT;
  for (let chunks = 0; chunks < MAX_CHUNKS; chunks += 1) {
    const header = await file.read(offset, 8);
    if (header.length < 8) return null;
    const id = header.toString('latin1', 0, 4);
    const sizeBytes = header.readUInt32BE(4);
    const bodyByte = offset + 8;
    if (id === 'COMM') format = parseFormat(await file.read(bodyByte, Math.min(sizeBytes, FORMAT_BYTES)));
    if (id === 'SSND') {
      const start = await file.read(bodyByte, DATA_HEADER_BYTES);
      if (format === null || format.codec === null || start.length < DATA_HEADER_BYTES) return null;
      const startByte = bodyByte + DATA_HEADER_BYTES + start.readUInt32BE(0);
      const endByte = Math.min(file.sizeBytes, sizeBytes <= DATA_HEADER_BYTES ? file.sizeBytes : bodyByte + sizeBytes);
      return { ...format, codec: format.codec, channelMask: 0, startByte, endByte };
    }
    offset = bodyByte + sizeBytes + (sizeBytes % 2);
  }
  return null;
}

function parseFormat(bytes: Buffer): Format | null {
  if (bytes.length < 18) return null;
  const sampleBytes = Math.ceil(bytes.readUInt16BE(6) / 8);
  const compression = bytes.toString('latin1', 18, 22).toLowerCase();
  return {
    codec: codecOf(compression, sampleBytes),
    sampleRateHz: readExtended(bytes, 8),
    channels: bytes.readUInt16BE(0),
  };
}

function codecOf(compression: string, sampleBytes: number): string | null {
  const isLittleEndian = LITTLE_ENDIAN.includes(compression);
  if (isLittleEndian || BIG_ENDIAN.includes(compression))
    return pcmCodec(sampleBytes, { isBigEndian: !isLittleEndian });
  if (FLOATS.includes(compression))
    return pcmCodec(compression === 'fl32' ? 4 : 8, { isFloat: true, isBigEndian: true });
  if (compression === 'raw ') return pcmCodec(sampleBytes, { isBigEndian: true, isUnsigned8: true });
  return G711[compression] ?? null;
}

/** Reads a number in the 80-bit format of the 68881 processor, rounded to whole numbers. */
function readExtended(bytes: Buffer, at: number): number {
  const exponent = (bytes.readUInt16BE(at) & 0x7fff) - 16_383 - 63;
  return Math.round(Number(bytes.readBigUInt64BE(at + 2)) * 2 ** exponent);
}
