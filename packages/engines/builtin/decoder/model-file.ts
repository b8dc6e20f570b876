import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { AppError } from '@jyutsing/contracts/errors';

/**
 * Container of the language model, little-endian:
 *
 *     bytes 0–3    'JYLM'
 *     bytes 4–7    format version
 *     bytes 8–11   length of the header
 *     bytes 12–15  CRC-32 of everything after byte 15
 *     then         the header (JSON, UTF-8), padded with spaces to a multiple of four
 *     then         the sections, each padded to a multiple of four
 *
 * See language-model.ts for the sections.
 */
const MODEL_FORMAT_VERSION = 1;
const MAGIC = 0x4d4c594a;
const PREAMBLE_BYTES = 16;

/** Element types of a section. */
type SectionType = 'u8' | 'u16' | 'u32';
type SectionArrays = { u8: Uint8Array; u16: Uint16Array; u32: Uint32Array };

/** Numbers of a section in any width. */
export type NumberArray = Uint8Array | Uint16Array | Uint32Array;

type SectionEntry = { name: string; type: SectionType; offset: number; length: number };

/** Header of a model file. */
export type ModelFileHeader = {
  /** Units of pronunciation: written syllables with tone, or phones. Numbered by position. */
  syllables: string[];
  /** All characters of the words, concatenated; numbered by position. */
  characters: string;
  /** Nats per step of a stored logarithm. */
  logStep: number;
  /** Origin of the model and how it was made, in prose. */
  description: string;
};

/** An opened model file. */
export type ModelFile = {
  header: ModelFileHeader;
  /** Returns a section in this width. Throws `engine_unavailable` when the section is missing. */
  section<T extends SectionType>(name: string, type: T): SectionArrays[T];
  /** Returns a section in its stored width; null when the file has none of that name. */
  numbers(name: string): NumberArray | null;
};

/** Writes a model file. */
export function encodeModelFile(header: ModelFileHeader, sections: Record<string, NumberArray>): Uint8Array {
  const entries: SectionEntry[] = [];
  let bodyBytes = 0;
  for (const [name, data] of Object.entries(sections)) {
    const type = data instanceof Uint8Array ? 'u8' : data instanceof Uint16Array ? 'u16' : 'u32';
    entries.push({ name, type, offset: bodyBytes, length: data.length });
    bodyBytes += paddedLength(data.byteLength);
  }
  const json = new TextEncoder().encode(JSON.stringify({ ...header, sections: entries }));
  const headerBytes = paddedLength(json.length);
  const file = new Uint8Array(PREAMBLE_BYTES + headerBytes + bodyBytes).fill(0x20, 0, PREAMBLE_BYTES + headerBytes);
  file.set(json, PREAMBLE_BYTES);
  for (const { name, offset } of entries) {
    const data = sections[name];
    if (data !== undefined) {
      const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
      file.set(bytes, PREAMBLE_BYTES + headerBytes + offset);
    }
  }
  const view = new DataView(file.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, MODEL_FORMAT_VERSION, true);
  view.setUint32(8, headerBytes, true);
  view.setUint32(12, crc32(file.subarray(PREAMBLE_BYTES)), true);
  return file;
}

/**
 * Opens a model file. Throws `engine_unavailable` when it is missing, damaged or of another
 * version.
 */
export function readModelFile(path: string): ModelFile {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (cause) {
    throw unusable('The language model of the built-in engine is missing; reinstall the project.', cause);
  }
  return decodeModelFile(bytes);
}

/** Opens the bytes of a model file; throws like `readModelFile`. */
export function decodeModelFile(bytes: Uint8Array): ModelFile {
  // Copy to offset 0: typed arrays over the file need aligned offsets, which a pooled buffer does
  // not have. (`slice` of a Node buffer does not copy.)
  const { buffer } = new Uint8Array(bytes);
  const view = new DataView(buffer);
  if (bytes.length < PREAMBLE_BYTES || view.getUint32(0, true) !== MAGIC) throw damaged();
  if (view.getUint32(4, true) !== MODEL_FORMAT_VERSION) {
    throw unusable('The language model of the built-in engine has another version; reinstall the project.');
  }
  const headerBytes = view.getUint32(8, true);
  const bodyStart = PREAMBLE_BYTES + headerBytes;
  if (bodyStart > bytes.length || headerBytes % 4 !== 0) throw damaged();
  if (crc32(new Uint8Array(buffer, PREAMBLE_BYTES)) !== view.getUint32(12, true)) throw damaged();
  const json = new TextDecoder().decode(new Uint8Array(buffer, PREAMBLE_BYTES, headerBytes));
  // The checksum matched, so the header is what build.ts wrote.
  const header = JSON.parse(json) as ModelFileHeader & { sections: SectionEntry[] };
  const open = <T extends SectionType>({ offset, length }: SectionEntry, type: T): SectionArrays[T] => {
    const make: { [K in SectionType]: () => SectionArrays[K] } = {
      u8: () => new Uint8Array(buffer, bodyStart + offset, length),
      u16: () => new Uint16Array(buffer, bodyStart + offset, length),
      u32: () => new Uint32Array(buffer, bodyStart + offset, length),
    };
    return make[type]();
  };
  return {
    header,
    section(name, type) {
      const entry = header.sections.find((candidate) => candidate.name === name && candidate.type === type);
      if (entry === undefined) throw damaged();
      return open(entry, type);
    },
    numbers(name) {
      const entry = header.sections.find((candidate) => candidate.name === name);
      return entry === undefined ? null : open(entry, entry.type);
    },
  };
}

/** Returns the numbers (0 to 2^32 − 1) in the narrowest array that holds them. */
export function narrowArray(numbers: ArrayLike<number>): NumberArray {
  let highest = 0;
  for (let i = 0; i < numbers.length; i++) highest = Math.max(highest, numbers[i] ?? 0);
  if (highest <= 0xff) return Uint8Array.from(numbers);
  return highest <= 0xffff ? Uint16Array.from(numbers) : Uint32Array.from(numbers);
}

function paddedLength(bytes: number): number {
  return Math.ceil(bytes / 4) * 4;
}

function damaged(): AppError {
  return unusable('The language model of the built-in engine is damaged; reinstall the project.');
}

function unusable(message: string, cause?: unknown): AppError {
  return new AppError('engine_unavailable', message, { cause });
}
