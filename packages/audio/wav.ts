import { fromInt16Bytes, toInt16Bytes } from './encoding/sample-values.ts';
import { openBytes, wholeOf } from './file-bytes.ts';
import type { G711Law } from './g711.ts';

const WAV_HEADER_BYTES = 44;
/** Data size in the header of a stream of unknown length. */
const UNKNOWN_SIZE = 0xff_ff_ff_ff;

/** Encoding of the samples of a WAV file. */
export type WavEncoding = 'linear16' | G711Law;

/** The format number and the bytes per sample of each encoding (RFC 2361). */
const ENCODINGS: Readonly<Record<WavEncoding, readonly [format: number, sampleBytes: number]>> = {
  linear16: [1, 2],
  alaw: [6, 1],
  mulaw: [7, 1],
};

/**
 * Builds the header of a WAV file, by default for 16-bit mono audio (Multimedia Programming
 * Interface and Data Specifications 1.0). `dataBytes` is null while the length is unknown.
 */
export function wavHeader(
  sampleRateHz: number,
  dataBytes: number | null,
  { encoding = 'linear16', channels = 1 }: { encoding?: WavEncoding; channels?: number } = {},
): Uint8Array<ArrayBuffer> {
  const [format, sampleBytes] = ENCODINGS[encoding];
  const frameBytes = sampleBytes * channels;
  const header = Buffer.from(new ArrayBuffer(WAV_HEADER_BYTES));
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(dataBytes === null ? UNKNOWN_SIZE : WAV_HEADER_BYTES - 8 + dataBytes, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(format, 20);
  header.writeUInt16LE(channels, 22);
  header.writeUInt32LE(sampleRateHz, 24);
  header.writeUInt32LE(sampleRateHz * frameBytes, 28);
  header.writeUInt16LE(frameBytes, 32);
  header.writeUInt16LE(8 * sampleBytes, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(dataBytes ?? UNKNOWN_SIZE, 40);
  return header;
}

/** Encodes mono samples (−1..1, louder is clipped) as a 16-bit WAV file. */
export function encodeWav(samples: Float32Array, sampleRateHz: number): Uint8Array<ArrayBuffer> {
  const data = toInt16Bytes(samples);
  return Uint8Array.from(Buffer.concat([wavHeader(sampleRateHz, data.length), data]));
}

/** Returns the samples of a file that `encodeWav` wrote; other files have to be decoded. */
export function samplesOfWav(wav: Uint8Array): Float32Array<ArrayBuffer> {
  return fromInt16Bytes(wav.subarray(WAV_HEADER_BYTES));
}

const MIN_PLAIN_HZ = 8_000;
const MAX_PLAIN_HZ = 48_000;
const MAX_PLAIN_CHANNELS = 2;

/**
 * The duration of a file that is exactly a header of `wavHeader` and as many 16-bit samples as it
 * states: any samples are sound, so nothing else need be asked about it. Null: it has to be probed.
 */
export async function plainWavDurationMs(path: string): Promise<number | null> {
  using file = openBytes(wholeOf(path));
  const header = await file.read(0, WAV_HEADER_BYTES);
  const dataBytes = file.sizeBytes - WAV_HEADER_BYTES;
  if (dataBytes <= 0 || header.readUInt32LE(40) !== dataBytes) return null;
  if (header.readUInt32LE(4) !== WAV_HEADER_BYTES - 8 + dataBytes) return null;
  const channels = header.readUInt16LE(22);
  const sampleRateHz = header.readUInt32LE(24);
  if (channels < 1 || channels > MAX_PLAIN_CHANNELS) return null;
  if (sampleRateHz < MIN_PLAIN_HZ || sampleRateHz > MAX_PLAIN_HZ) return null;
  if (!header.equals(wavHeader(sampleRateHz, dataBytes, { channels }))) return null;
  const frames = dataBytes / (2 * channels);
  return Number.isInteger(frames) ? (frames / sampleRateHz) * 1_000 : null;
}
