/** Kilobits a second of layer III by the index in a frame header: MPEG 1, then MPEG 2 and 2.5. */
const BIT_RATES = [
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
];
const SAMPLE_RATES = [44_100, 48_000, 32_000];

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
  const frameBytes = frameLength(bytes, 0);
  return frameBytes !== null && frameLength(bytes, frameBytes) !== null ? 'MP3' : null;
}

/** Whether the first bytes are a header of an MP3 frame, so that more are needed to be sure. */
export function mayBeMp3(bytes: Buffer): boolean {
  return frameLength(bytes, 0) !== null;
}

/** The bytes of the MP3 frame that begins here; null when none does. */
function frameLength(bytes: Buffer, at: number): number | null {
  if (at + 4 > bytes.length) return null;
  const header = bytes.readUInt32BE(at);
  const version = (header >>> 19) & 3;
  const isLayer3 = header >>> 21 === 0x7ff && version !== 1 && ((header >>> 17) & 3) === 1;
  const bitRate = BIT_RATES[version === 3 ? 0 : 1]?.[(header >>> 12) & 15];
  const sampleRate = SAMPLE_RATES[(header >>> 10) & 3];
  if (!isLayer3 || !bitRate || sampleRate === undefined) return null;
  const halvings = version === 3 ? 1 : version === 2 ? 2 : 4;
  const slots = version === 3 ? 144_000 : 72_000;
  return Math.floor((slots * bitRate * halvings) / sampleRate) + ((header >>> 9) & 1);
}
