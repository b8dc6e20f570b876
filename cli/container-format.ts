import { mp3Frame } from '@jyutsing/audio/frame-headers';

/** Enough for two headers of MP3, which frames of at most 1,441 bytes are between. */
export const CONTAINER_BYTES = 1_445;

/** The format of the first bytes of a file; null for WAV, for raw samples and for unknown ones. */
export function containerFormat(bytes: Buffer): string | null {
  const text = bytes.toString('latin1', 0, 8);
  if (text.startsWith('ID3')) return 'MP3';
  if (text.startsWith('OggS')) return 'Ogg';
  if (text.startsWith('fLaC')) return 'FLAC';
  if (text.startsWith('\u001aE\u00df\u00a3')) return 'WebM or Matroska';
  if (text.slice(4) === 'ftyp') return 'MP4 or M4A';
  // Raw samples may look like one header, but hardly like a second one where it must be.
  const first = mp3Frame(bytes, 0);
  return first !== null && mp3Frame(bytes, first.sizeBytes) !== null ? 'MP3' : null;
}

/** Whether the first bytes are a header of an MP3 frame, so that more are needed to be sure. */
export function mayBeMp3(bytes: Buffer): boolean {
  return mp3Frame(bytes, 0) !== null;
}
