import { AppError } from '@jyutsing/contracts/errors';
import { SPEECH_SERVER } from './failures.ts';

/** The layout of a WAV frame: `bytes` per channel, little-endian. */
export type SampleFormat = { kind: 'integer' | 'float'; bytes: number; channels: number };

export type WavHeader = {
  format: SampleFormat;
  sampleRateHz: number;
  /** Offset of the audio in bytes. */
  headerBytes: number;
  /**
   * Size of the audio in bytes; null when it is unknown, because the file was written as a stream.
   */
  dataBytes: number | null;
};

const INTEGERS = 1;
const FLOATS = 3;
const EXTENSIBLE = 0xfffe;
/**
 * Size from which on a header declares none: headers of streams have one of the largest sizes, or
 * 0.
 */
const NO_SIZE_FROM = 0x7fff_0000;
const MOST_HEADER_BYTES = 64 * 1_024;

/**
 * Parses the header of a WAV file; null until it is complete. Throws `engine_failed` for
 * unsupported formats.
 */
export function readWavHeader(bytes: Uint8Array): WavHeader | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let format: { format: SampleFormat; sampleRateHz: number } | null = null;
  for (let at = 12; at + 8 <= bytes.length;) {
    const tag = String.fromCharCode(...bytes.subarray(at, at + 4));
    const sizeBytes = view.getUint32(at + 4, true);
    const start = at + 8;
    if (tag === 'data') {
      if (format === null) throw unsupported('the audio precedes the format');
      const isDeclared = sizeBytes > 0 && sizeBytes < NO_SIZE_FROM;
      return { ...format, headerBytes: start, dataBytes: isDeclared ? sizeBytes : null };
    }
    if (sizeBytes > MOST_HEADER_BYTES) throw unsupported('the header is too long');
    if (tag === 'fmt ') {
      if (start + Math.max(16, sizeBytes) > bytes.length) return null;
      format = readFormat(view, start, sizeBytes);
    }
    // Chunks begin at even offsets.
    at = start + sizeBytes + (sizeBytes % 2);
  }
  if (bytes.length > MOST_HEADER_BYTES) throw unsupported('the header is too long');
  return null;
}

function readFormat(view: DataView, at: number, sizeBytes: number): { format: SampleFormat; sampleRateHz: number } {
  const tag = view.getUint16(at, true);
  // The extensible header repeats the format code after the other fields.
  const kind = tag === EXTENSIBLE && sizeBytes >= 26 ? view.getUint16(at + 24, true) : tag;
  const channels = view.getUint16(at + 2, true);
  const sampleRateHz = view.getUint32(at + 4, true);
  const bits = view.getUint16(at + 14, true);
  const isKnown = (kind === INTEGERS && [8, 16, 24, 32].includes(bits)) || (kind === FLOATS && [32, 64].includes(bits));
  if (!isKnown || channels < 1 || channels > 8 || sampleRateHz < 4_000 || sampleRateHz > 192_000) {
    throw unsupported(`format ${kind}, ${bits} bits, ${channels} channels, ${sampleRateHz} Hz`);
  }
  return { format: { kind: kind === FLOATS ? 'float' : 'integer', bytes: bits / 8, channels }, sampleRateHz };
}

function unsupported(cause: string): AppError {
  return new AppError('engine_failed', SPEECH_SERVER.wrongAnswer, { cause: `unsupported WAV: ${cause}` });
}
