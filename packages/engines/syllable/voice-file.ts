import { AppError } from '@jyutsing/contracts/errors';

/** Sample rate in hertz of the recordings of a voice file, and of the engine. */
export const VOICE_RATE_HZ = 24_000;
/** Number of samples of one Opus packet. */
export const PACKET_SAMPLES = 480;

/** Places of the parts of a recorded syllable, in samples from the beginning of its sound. */
export type UnitCuts = {
  /** Start of the onset, which ends at `rime`; a stop begins at its burst. */
  start: number;
  rime: number;
  /** End of the vowel; equal to `end` without a final nasal. */
  coda: number;
  end: number;
  /** One sample in every period of the voice, ascending. */
  marks: Int32Array;
};

/**
 * A syllable of a voice file. `from` counts samples of the sound of all recordings, end to end; the
 * syllables of a word share one recording. `label` is the syllable, or a `wordKey`.
 */
export type StoredUnit = UnitCuts & { label: string; from: number; length: number };

/** Returns the key of a syllable of a recorded word: `ni3.hao3/1` is the second one of 你好. */
export function wordKey(labels: readonly string[], index: number): string {
  return `${labels.join('.')}/${index}`;
}

/** Returns the syllable of a key: a syllable of a word, or a label of its own. */
export function syllableOf(key: string): string {
  const [word = '', index] = key.split('/');
  return index === undefined ? word : (word.split('.')[Number(index)] ?? '');
}

export type VoiceFile = {
  /** Number of samples that the encoder put before the first one. */
  delaySamples: number;
  units: ReadonlyMap<string, StoredUnit>;
  packets: readonly Uint8Array[];
};

/** First bytes of the file, which name the format and its version. */
const MAGIC = Buffer.from('JYVOICE1');

type Header = {
  delaySamples: number;
  packets: number;
  /** Fields of a unit: label, `from`, `length`, `start`, `rime`, `coda`, `end`, number of marks. */
  units: [string, number, number, number, number, number, number, number][];
};

/**
 * Writes a voice as one file: the index as JSON, the distances of the marks and the sizes of the
 * packets as 16-bit numbers, then the packets.
 */
export function writeVoiceFile({ delaySamples, units, packets }: VoiceFile): Uint8Array {
  const header: Header = {
    delaySamples,
    packets: packets.length,
    units: [...units.values()].map(({ label, from, length, start, rime, coda, end, marks }) => [
      label,
      from,
      length,
      start,
      rime,
      coda,
      end,
      marks.length,
    ]),
  };
  const json = Buffer.from(JSON.stringify(header));
  const marks = [...units.values()].flatMap((unit) =>
    [...unit.marks].map((mark, i) => mark - (unit.marks[i - 1] ?? 0)),
  );
  const numbers = [...marks, ...packets.map(({ length }) => length)];
  const tables = Buffer.alloc(numbers.length * 2);
  for (const [i, number] of numbers.entries()) tables.writeUInt16LE(number, i * 2);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(json.length);
  return Buffer.concat([MAGIC, size, json, tables, ...packets]);
}

/** Reads a voice file. Throws `engine_failed` when the bytes are not a complete one. */
export function readVoiceFile(bytes: Uint8Array): VoiceFile {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!buffer.subarray(0, MAGIC.length).equals(MAGIC))
    throw new AppError('engine_failed', 'This is not a voice file of version 1.');
  const jsonFrom = MAGIC.length + 4;
  let at = jsonFrom + buffer.readUInt32LE(MAGIC.length);
  const header = JSON.parse(buffer.toString('utf8', jsonFrom, at)) as Header;
  const next = () => {
    at += 2;
    return buffer.readUInt16LE(at - 2);
  };
  const units = new Map<string, StoredUnit>();
  for (const [label, from, length, start, rime, coda, end, count] of header.units) {
    const marks = new Int32Array(count);
    for (let i = 0; i < count; i += 1) marks[i] = next() + (marks[i - 1] ?? 0);
    units.set(label, { label, from, length, start, rime, coda, end, marks });
  }
  const sizes = Array.from({ length: header.packets }, next);
  const packets = sizes.map((size) => {
    at += size;
    return buffer.subarray(at - size, at);
  });
  if (at !== buffer.length) throw new AppError('engine_failed', 'The voice file is cut off.');
  return { delaySamples: header.delaySamples, units, packets };
}
