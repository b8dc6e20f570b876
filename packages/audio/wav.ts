import { toInt16Bytes } from './encoding/sample-values.ts';

const WAV_HEADER_BYTES = 44;
/** Data size in the header of a stream of unknown length. */
const UNKNOWN_SIZE = 0xff_ff_ff_ff;

/**
 * Builds the header of 16-bit mono audio (Multimedia Programming Interface and Data Specifications
 * 1.0). `dataBytes` is null while the length is unknown.
 */
export function wavHeader(sampleRateHz: number, dataBytes: number | null): Uint8Array<ArrayBuffer> {
  const header = Buffer.from(new ArrayBuffer(WAV_HEADER_BYTES));
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(dataBytes === null ? UNKNOWN_SIZE : WAV_HEADER_BYTES - 8 + dataBytes, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(sampleRateHz, 24);
  header.writeUInt32LE(sampleRateHz * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(dataBytes ?? UNKNOWN_SIZE, 40);
  return header;
}

/** Encodes mono samples (−1..1, louder is clipped) as a 16-bit WAV file. */
export function encodeWav(samples: Float32Array, sampleRateHz: number): Uint8Array<ArrayBuffer> {
  const data = toInt16Bytes(samples);
  return Uint8Array.from(Buffer.concat([wavHeader(sampleRateHz, data.length), data]));
}
