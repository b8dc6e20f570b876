import type { Sound } from './audio.ts';

/** How samples and sizes are written; all have defaults. */
type WavOptions = {
  /** Bits of the container of a sample: 8 (unsigned), 16, 24, 32 or 64. */
  bits?: number;
  /** The bits that count, in WAVE_FORMAT_EXTENSIBLE; the samples fill the upper ones. */
  validBits?: number;
  isFloat?: boolean;
  isBigEndian?: boolean;
  /** The size that the header states for the sound; default: the true one. */
  statedBytes?: number;
  /** Chunks before the format, between format and sound, and behind the sound. */
  before?: Buffer;
  between?: Buffer;
  behind?: Buffer;
};

const PCM = 1;
const FLOAT = 3;
const EXTENSIBLE = 0xfffe;
/** The rest of the identifier of a format in WAVE_FORMAT_EXTENSIBLE, behind the old 2-byte tag. */
const SUBFORMAT_REST = Buffer.from('000000001000800000aa00389b71', 'hex');

/** A chunk of a RIFF file; a chunk of odd size is followed by a byte that does not count. */
export function riffChunk(name: string, content: Uint8Array, isBigEndian = false): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  writeUInt32(head, content.length, 4, isBigEndian);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}

/** A WAV file as programs write it that do not write the plain 44 bytes of header. */
export function wavVariant(sound: Sound, options: WavOptions = {}): Buffer {
  const { isBigEndian = false, before, between, behind } = options;
  const samples = samplesOf(sound, options);
  const data = riffChunk('data', samples, isBigEndian);
  const { statedBytes = samples.length } = options;
  writeUInt32(data, statedBytes, 4, isBigEndian);
  const chunks = [before, riffChunk('fmt ', formatOf(sound, options), isBigEndian), between, data, behind];
  const content = Buffer.concat([Buffer.from('WAVE'), ...chunks.filter((chunk) => chunk !== undefined)]);
  const file = riffChunk(isBigEndian ? 'RIFX' : 'RIFF', content, isBigEndian);
  if (statedBytes === 0 || statedBytes >= 0x7fff_0000) writeUInt32(file, statedBytes, 4, isBigEndian);
  return file;
}

function formatOf({ sampleRateHz, channels }: Sound, options: WavOptions): Buffer {
  const { bits = 16, validBits, isFloat = false, isBigEndian = false } = options;
  const format = Buffer.alloc(validBits === undefined ? 16 : 40);
  const tag = isFloat ? FLOAT : PCM;
  const blockBytes = (channels.length * bits) / 8;
  const write = (value: number, at: number) => writeUInt16(format, value, at, isBigEndian);
  write(validBits === undefined ? tag : EXTENSIBLE, 0);
  write(channels.length, 2);
  writeUInt32(format, sampleRateHz, 4, isBigEndian);
  writeUInt32(format, sampleRateHz * blockBytes, 8, isBigEndian);
  write(blockBytes, 12);
  write(bits, 14);
  if (validBits !== undefined) {
    write(22, 16);
    write(validBits, 18);
    writeUInt32(format, channels.length === 1 ? 4 : 2 ** channels.length - 1, 20, isBigEndian);
    write(tag, 24);
    SUBFORMAT_REST.copy(format, 26);
  }
  return format;
}

function samplesOf({ channels }: Sound, { bits = 16, validBits, isFloat, isBigEndian }: WavOptions): Buffer {
  const bytes = bits / 8;
  const length = channels[0]?.length ?? 0;
  const samples = Buffer.alloc(length * channels.length * bytes);
  // A writer that leaves the number out, as 0, fills the container.
  const unused = 2 ** (bits - (validBits || bits));
  const scale = 2 ** (bits - 1) - 1;
  let at = 0;
  for (let i = 0; i < length; i += 1) {
    for (const channel of channels) {
      const sample = channel[i] ?? 0;
      if (isFloat === true) writeFloat(samples, sample, { at, bytes });
      else {
        const value = Math.round((Math.max(-1, Math.min(1, sample)) * scale) / unused) * unused;
        if (bits === 8) samples.writeUInt8(value + 128, at);
        else samples.writeIntLE(Math.min(value, scale), at, Math.min(bytes, 6));
      }
      if (isBigEndian === true) samples.subarray(at, at + bytes).reverse();
      at += bytes;
    }
  }
  return samples;
}

function writeFloat(samples: Buffer, value: number, { at, bytes }: { at: number; bytes: number }): void {
  if (bytes === 8) samples.writeDoubleLE(value, at);
  else samples.writeFloatLE(value, at);
}

function writeUInt32(bytes: Buffer, value: number, at: number, isBigEndian: boolean): void {
  if (isBigEndian) bytes.writeUInt32BE(value, at);
  else bytes.writeUInt32LE(value, at);
}

function writeUInt16(bytes: Buffer, value: number, at: number, isBigEndian: boolean): void {
  if (isBigEndian) bytes.writeUInt16BE(value, at);
  else bytes.writeUInt16LE(value, at);
}
