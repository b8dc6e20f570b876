/** Enough to tell the formats apart. */
export const SNIFFED_BYTES = 16;

/** The first bytes of audio files, and their media types. */
const SIGNATURES: readonly [at: number, bytes: string, mediaType: string][] = [
  [0, 'RIFF', 'audio/wav'],
  [0, 'fLaC', 'audio/flac'],
  [0, 'OggS', 'audio/ogg'],
  [0, 'ID3', 'audio/mpeg'],
  [0, 'FORM', 'audio/aiff'],
  [0, 'caff', 'audio/x-caf'],
  [0, '#!AMR', 'audio/amr'],
  [0, '\x1a\x45\xdf\xa3', 'video/webm'],
  [4, 'ftyp', 'video/mp4'],
];

/** The media type of a recording by its first bytes, so that a browser can play it. */
export function mediaTypeOf(start: Uint8Array): string {
  const text = Buffer.from(start).toString('latin1');
  const signature = SIGNATURES.find(([at, bytes]) => text.startsWith(bytes, at));
  if (signature !== undefined) return signature[2];
  const [first = 0, second = 0] = start;
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return 'application/octet-stream';
  // The layer bits of MPEG audio; AAC has none set.
  return (second & 0x06) === 0 ? 'audio/aac' : 'audio/mpeg';
}

/**
 * The first and last byte of a header `Range`; null for the whole file, also for several ranges and
 * other units, which a server may ignore.
 */
export function byteRange(
  header: string | undefined,
  sizeBytes: number,
): { first: number; last: number } | 'unsatisfiable' | null {
  const parts = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '');
  const [, from = '', to = ''] = parts ?? [];
  if (parts === null || (from === '' && to === '')) return null;
  const first = from === '' ? Math.max(0, sizeBytes - Number(to)) : Number(from);
  const last = from === '' || to === '' ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1);
  if (from !== '' && to !== '' && Number(to) < Number(from)) return null;
  return first > last ? 'unsatisfiable' : { first, last };
}
