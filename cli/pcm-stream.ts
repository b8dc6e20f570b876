import type { Readable } from 'node:stream';
import { AppError } from '@jyutsing/contracts/errors';
import { CONTAINER_BYTES, containerFormat, mayBeMp3 } from './container-format.ts';

/** Signed little-endian 16-bit samples. */
export type Pcm = { sampleRate: number; channels: number; chunks: AsyncIterable<Uint8Array> };

const MAX_HEADER_BYTES = 4_096;
const PCM_FORMATS = [1, 0xfffe];

/**
 * Reads the beginning of a stream: a WAV stream says its rate and channels itself, anything else is
 * mono PCM of `rawRate` Hz. Throws `invalid_parameter` for a WAV stream of other samples, and
 * `unsupported_audio_format` for a compressed file.
 */
export async function readPcm(stream: Readable, rawRate: number): Promise<Pcm> {
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let start = Buffer.alloc(0);
  /** False at the end of the stream. */
  const more = async () => {
    const next = await chunks.next();
    if (next.done !== true) start = Buffer.concat([start, next.value]);
    return next.done !== true;
  };
  let hasMore = true;
  while (start.length < (mayBeMp3(start) ? CONTAINER_BYTES : 12) && hasMore) hasMore = await more();
  const container = containerFormat(start);
  if (container !== null) {
    throw new AppError('unsupported_audio_format', `Standard input is ${container}, not samples or WAV; decode it:`);
  }
  const isWav = start.toString('latin1', 0, 4) === 'RIFF' && start.toString('latin1', 8, 12) === 'WAVE';
  if (!isWav) return { sampleRate: rawRate, channels: 1, chunks: wholeSamples(start, chunks) };
  for (;;) {
    const header = parseHeader(start);
    if (header !== null) {
      const { sampleRate, channels, dataAt } = header;
      return { sampleRate, channels, chunks: wholeSamples(start.subarray(dataAt), chunks) };
    }
    if (start.length > MAX_HEADER_BYTES || !(await more())) {
      throw new AppError('invalid_parameter', 'The header of the WAV stream is broken.');
    }
  }
}

/** Returns null while the header is incomplete. */
function parseHeader(bytes: Buffer): { sampleRate: number; channels: number; dataAt: number } | null {
  let format: { sampleRate: number; channels: number } | null = null;
  for (let at = 12; at + 8 <= bytes.length;) {
    const name = bytes.toString('latin1', at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    if (name === 'data') return format === null ? null : { ...format, dataAt: at + 8 };
    if (name === 'fmt ') {
      if (at + 24 > bytes.length) return null;
      const isPcm = PCM_FORMATS.includes(bytes.readUInt16LE(at + 8)) && bytes.readUInt16LE(at + 22) === 16;
      if (!isPcm) throw new AppError('invalid_parameter', 'A WAV stream must have 16-bit samples (pcm_s16le).');
      format = { channels: bytes.readUInt16LE(at + 10), sampleRate: bytes.readUInt32LE(at + 12) };
    }
    // Chunks are padded to an even length.
    at += 8 + length + (length % 2);
  }
  return null;
}

/** Pieces of whole samples; half a sample at the end is dropped. */
async function* wholeSamples(first: Buffer, chunks: AsyncIterator<Buffer>): AsyncGenerator<Uint8Array> {
  let rest = first;
  for (;;) {
    const whole = rest.subarray(0, rest.length - (rest.length % 2));
    if (whole.length > 0) yield whole;
    const next = await chunks.next();
    if (next.done === true) return;
    rest = Buffer.concat([rest.subarray(whole.length), next.value]);
  }
}
