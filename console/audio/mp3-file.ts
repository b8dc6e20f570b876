/** A part of an MP3 file that begins with a heading, if `title` is not null. */
export type Mp3Part = { bytes: Uint8Array<ArrayBuffer>; title: string | null };

/** Kilobits a second by the index in a frame header, layer III of MPEG 1 and of MPEG 2 and 2.5. */
const RATES = [
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
] as const;
const SAMPLE_RATES = [44_100, 48_000, 32_000] as const;
/** An offset in bytes that is not given. */
const NO_OFFSET = 0xff_ff_ff_ff;
/** A table of contents counts its chapters in one byte. */
const MAX_CHAPTERS = 255;

/**
 * Joins MP3 files with a constant bit rate, and marks the parts with titles as chapters, which
 * players of podcasts show. Leaves out the frame at the beginning of each file that tells players
 * its length, because they would take that of the first for the whole.
 */
export function joinMp3(parts: readonly Mp3Part[]): Blob {
  const sounds = parts.map(({ bytes }) => withoutInfo(bytes));
  let endMs = 0;
  const times = sounds.map(({ bytes, bitsPerMs }) => {
    const startMs = endMs;
    endMs += (bytes.length * 8) / bitsPerMs;
    return startMs;
  });
  const titled = parts.flatMap(({ title }, index) => (title === null ? [] : { title, startMs: times[index] ?? 0 }));
  const chapters = titled.slice(0, MAX_CHAPTERS).map((chapter, index, all) => ({
    ...chapter,
    // The first chapter begins with the file.
    startMs: index === 0 ? 0 : chapter.startMs,
    endMs: all[index + 1]?.startMs ?? endMs,
  }));
  const tag = chapters.length === 0 ? [] : [chapterTag(chapters)];
  return new Blob([...tag, ...sounds.map(({ bytes }) => bytes)], { type: 'audio/mpeg' });
}

/** The frames of a file with sound, and its constant rate; Infinity for one that is no MP3. */
function withoutInfo(bytes: Uint8Array<ArrayBuffer>): { bytes: Uint8Array<ArrayBuffer>; bitsPerMs: number } {
  const [first = 0, second = 0, third = 0] = bytes;
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return { bytes, bitsPerMs: Infinity };
  const version = (second >> 3) & 3;
  const isFirst = version === 3;
  const kilobits = RATES[isFirst ? 0 : 1][third >> 4] ?? 0;
  const sampleRate = (SAMPLE_RATES[(third >> 2) & 3] ?? 44_100) / (isFirst ? 1 : version === 2 ? 2 : 4);
  const length = Math.floor(((isFirst ? 144 : 72) * kilobits * 1_000) / sampleRate) + ((third >> 1) & 1);
  const isInfo = /Info|Xing/.test(String.fromCharCode(...bytes.subarray(0, Math.min(length, 64))));
  return { bytes: isInfo ? bytes.slice(length) : bytes, bitsPerMs: kilobits };
}

type Chapter = { title: string; startMs: number; endMs: number };

/** An ID3v2.3 tag with a table of contents and the chapters (id3.org/id3v2-chapters-1.0). */
function chapterTag(chapters: readonly Chapter[]): Uint8Array<ArrayBuffer> {
  const ids = chapters.map((_, index) => `chp${index}\0`);
  const contents = frame('CTOC', ['toc\0', [3, chapters.length], ...ids]);
  const frames = chapters.map(({ title, startMs, endMs }, index) =>
    frame('CHAP', [
      ids[index] ?? '',
      ...[startMs, endMs, NO_OFFSET, NO_OFFSET].map((value) => bigEndian(Math.round(value))),
      frame('TIT2', [[1, 0xff, 0xfe], utf16(title)]),
    ]),
  );
  const body = joined([contents, ...frames]);
  const { length } = body;
  // Seven bits of the length are in each byte.
  const size = [21, 14, 7, 0].map((shift) => (length >> shift) & 0x7f);
  return joined(['ID3', [3, 0, 0, ...size], body]);
}

type Bytes = string | readonly number[] | Uint8Array;

function frame(id: string, content: readonly Bytes[]): Uint8Array<ArrayBuffer> {
  const body = joined(content);
  return joined([id, bigEndian(body.length), [0, 0], body]);
}

const bigEndian = (value: number): number[] => [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff);

const utf16 = (text: string): number[] =>
  Array.from({ length: text.length }, (_, at) => text.charCodeAt(at)).flatMap((unit) => [unit & 0xff, unit >> 8]);

function joined(parts: readonly Bytes[]): Uint8Array<ArrayBuffer> {
  const arrays = parts.map((part) =>
    typeof part === 'string' ? new TextEncoder().encode(part) : Uint8Array.from(part),
  );
  const whole = new Uint8Array(arrays.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const array of arrays) {
    whole.set(array, at);
    at += array.length;
  }
  return whole;
}
