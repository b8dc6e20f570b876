import type { FileBytes } from '#audio/file-bytes.ts';
import { isUnknownSize } from '#audio/unknown-size.ts';
import { G711_CODECS, pcmCodec, type SampleLayout } from './sample-layout.ts';

const MAX_CHUNKS = 10_000;
const MAX_FORMAT_BYTES = 64;

/** Reads the layout from the header of a WAV, RIFX, RF64, BW64 or W64 file. */
export async function readWavLayout(file: FileBytes): Promise<SampleLayout | null> {
  let format: Format | null = null;
  let dataBytes64: number | null = null;
  for await (const { id, startByte, sizeBytes, isBigEndian, isW64 } of readChunks(file)) {
    if (id === 'ds64') dataBytes64 = longDataBytes(await file.read(startByte, 16));
    if (id === 'fmt ') {
      format ??= parseFormat(await file.read(startByte, Math.min(sizeBytes, MAX_FORMAT_BYTES)), isBigEndian);
    }
    if (id !== 'data') continue;
    const codec = format === null ? null : await codecOf(format, (length) => file.read(startByte, length));
    if (format === null || codec === null) return null;
    const declaredBytes = dataBytes64 ?? sizeBytes;
    // The library takes a size of 64 bits at its word.
    const isUnfinished = dataBytes64 === 0 || (isW64 && sizeBytes === 0);
    const isUnknown = isUnfinished || (dataBytes64 === null && isUnknownSize(sizeBytes));
    const endByte = isUnknown ? file.sizeBytes : Math.min(file.sizeBytes, startByte + declaredBytes);
    const { sampleRateHz, channels, channelMask } = format;
    return { codec, sampleRateHz, channels, channelMask, startByte, endByte, isUnfinished };
  }
  return null;
}

/** Returns the size of the samples from the chunk with 64-bit sizes (EBU Tech 3306). */
function longDataBytes(sizes: Buffer): number | null {
  return sizes.length < 16 ? null : Number(sizes.readBigUInt64LE(8));
}

type Chunk = { id: string; startByte: number; sizeBytes: number; isBigEndian: boolean; isW64: boolean };

const W64_ID_BYTES = 16;
const W64_HEADER_BYTES = 24;

/** Yields the chunks of the file in order; nothing for another kind of file. */
async function* readChunks(file: FileBytes): AsyncGenerator<Chunk> {
  const magic = (await file.read(0, 4)).toString('latin1');
  const isW64 = magic === 'riff';
  const isBigEndian = magic === 'RIFX';
  const headerBytes = isW64 ? W64_HEADER_BYTES : 8;
  let offset = isW64 ? W64_HEADER_BYTES + W64_ID_BYTES : 12;
  for (let count = 0; count < MAX_CHUNKS; count += 1) {
    const header = await file.read(offset, headerBytes);
    if (header.length < headerBytes) return;
    const id = header.toString('latin1', 0, 4);
    const startByte = offset + headerBytes;
    // W64 counts the header in the size, and begins chunks at multiples of eight bytes.
    if (isW64) {
      const sizeBytes = Number(header.readBigUInt64LE(W64_ID_BYTES)) - headerBytes;
      if (sizeBytes < 0 && id !== 'data') return;
      yield { id, startByte, sizeBytes: Math.max(0, sizeBytes), isBigEndian, isW64 };
      offset = startByte + Math.ceil(sizeBytes / 8) * 8;
    } else {
      const sizeBytes = isBigEndian ? header.readUInt32BE(4) : header.readUInt32LE(4);
      yield { id, startByte, sizeBytes, isBigEndian, isW64 };
      offset = await nextChunk(file, startByte + sizeBytes, sizeBytes % 2);
    }
  }
}

/** Skips the byte that pads an odd chunk, unless the program that wrote the file left it out. */
async function nextChunk(file: FileBytes, endByte: number, padBytes: number): Promise<number> {
  if (padBytes === 0) return endByte;
  const isPadded = CHUNK_ID.test((await file.read(endByte + 1, 4)).toString('latin1'));
  const isUnpadded = CHUNK_ID.test((await file.read(endByte, 4)).toString('latin1'));
  return isUnpadded && !isPadded ? endByte : endByte + 1;
}

const CHUNK_ID = /^[A-Za-z0-9][A-Za-z0-9 _]{3}$/;

type Format = {
  encoding: number;
  channels: number;
  sampleRateHz: number;
  bytesPerSecond: number;
  /** Bytes of one sample of all channels. */
  frameBytes: number;
  sampleBits: number;
  channelMask: number;
  isExtensible: boolean;
  isBigEndian: boolean;
};

/** Numbers of encodings (RFC 2361). */
const EXTENSIBLE = 0xfffe;
const PCM = 1;
const FLOAT = 3;
const G711: Readonly<Record<number, string>> = { 6: G711_CODECS.alaw, 7: G711_CODECS.mulaw };
/** The end of the identifier that names one of these encodings in WAVEFORMATEXTENSIBLE. */
const SUBFORMAT_END = '800000aa00389b71';

/** Reads WAVEFORMATEX and WAVEFORMATEXTENSIBLE (mmreg.h of Windows); null for other formats. */
function parseFormat(bytes: Buffer, isBigEndian: boolean): Format | null {
  if (bytes.length < 14) return null;
  const at16 = (offset: number) => (isBigEndian ? bytes.readUInt16BE(offset) : bytes.readUInt16LE(offset));
  const at32 = (offset: number) => (isBigEndian ? bytes.readUInt32BE(offset) : bytes.readUInt32LE(offset));
  const isExtensible = at16(0) === EXTENSIBLE;
  if (isExtensible && bytes.toString('hex', 32, 40) !== SUBFORMAT_END) return null;
  return {
    // Programs disagree about the order of these bytes in big-endian files.
    encoding: isExtensible ? Math.max(...bytes.subarray(24, 28)) : at16(0),
    channels: at16(2),
    sampleRateHz: at32(4),
    bytesPerSecond: at32(8),
    frameBytes: at16(12),
    sampleBits: bytes.length >= 16 ? at16(14) : 8,
    channelMask: isExtensible ? at32(20) : 0,
    isExtensible,
    isBigEndian,
  };
}

async function codecOf(format: Format, readSamples: (length: number) => Promise<Buffer>): Promise<string | null> {
  const { encoding, channels, isExtensible, isBigEndian } = format;
  const g711 = G711[encoding];
  if (g711 !== undefined) return g711;
  const sampleBytes = sampleBytesOf(format);
  if (channels === 0) return null;
  if (encoding === FLOAT) return pcmCodec(sampleBytes, { isFloat: true, isBigEndian });
  if (encoding !== PCM) return null;
  // Cool Edit wrote floats of that size as integers with 24 bits.
  const mayBeFloat = !isExtensible && !isBigEndian && sampleBytes === 4;
  if (mayBeFloat && areFloats(await readSamples(FLOAT_CHECK_BYTES))) return null;
  return pcmCodec(sampleBytes, { isBigEndian, isUnsigned8: true });
}

/**
 * Returns the bytes that one sample occupies, from the size of a frame where that is plausible: the
 * bits may be those that are used, and some programs write a wrong size of a frame.
 */
function sampleBytesOf({ sampleBits, frameBytes, channels, sampleRateHz, bytesPerSecond, isExtensible }: Format) {
  const usedBytes = Math.ceil(sampleBits / 8);
  const occupiedBytes = frameBytes / channels;
  const isPlausible = Number.isInteger(occupiedBytes) && occupiedBytes > usedBytes;
  const isStated = isExtensible || usedBytes === 0 || bytesPerSecond === sampleRateHz * frameBytes;
  return isPlausible && isStated ? occupiedBytes : usedBytes;
}

const FLOAT_CHECK_BYTES = 65_536;

/** Tells floats with a full scale of 2^15 or 2^23 from integers by their exponents. */
function areFloats(samples: Buffer): boolean {
  let floats = 0;
  let integers = 0;
  for (let at = 0; at + 4 <= samples.length; at += 4) {
    const magnitude = Math.abs(samples.readFloatLE(at));
    if (magnitude >= 1e-3 && magnitude <= 2 ** 24) floats += 1;
    else if (magnitude !== 0) integers += 1;
  }
  return floats > 9 * integers;
}
