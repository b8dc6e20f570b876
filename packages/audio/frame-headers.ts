/** The header of a frame of a format that has no header of its own. */
export type FrameHeader = {
  /** Properties that are the same in all frames of a file. */
  kind: string;
  sizeBytes: number;
};

/** Reads the header of a frame that begins at `at`; null when none does. */
export type ReadFrameHeader = (bytes: Buffer, at: number) => FrameHeader | null;

/**
 * Bit rates of MPEG audio in kbit/s, by layer and the four header bits; 0 where not allowed, and
 * for the free format, whose frames do not state their size (ISO 11172-3, 13818-3).
 */
const MPEG1_KBPS: Readonly<Record<number, readonly number[]>> = {
  1: [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448, 0],
  2: [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 0],
  3: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0],
};
const MPEG2_KBPS: Readonly<Record<number, readonly number[]>> = {
  1: [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256, 0],
  2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0],
  3: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0],
};
const MPEG1_SAMPLE_RATES_HZ = [44_100, 48_000, 32_000];

/** The header of an MPEG audio frame. */
export type MpegAudioHeader = FrameHeader & {
  layer: number;
  /** False for MPEG-2 and 2.5, which have lower rates. */
  isMpeg1: boolean;
  sampleRateHz: number;
  channels: number;
  /** Samples of each channel. */
  samples: number;
  /** Bytes by which the frame is longer than others of its bit rate. */
  paddingBytes: number;
};

/**
 * Reads the header of an MPEG audio frame of any layer; the size is 0 in the free format, where
 * frames do not state it.
 */
export function mpegAudioFrame(bytes: Buffer, at: number): MpegAudioHeader | null {
  if (at + 4 > bytes.length) return null;
  const header = bytes.readUInt32BE(at);
  // Check eleven sync bits, then version and layer, which both have one reserved value.
  const version = (header >>> 19) & 3;
  const layer = 4 - ((header >>> 17) & 3);
  const rateCode = (header >>> 12) & 15;
  const baseRateHz = MPEG1_SAMPLE_RATES_HZ[(header >>> 10) & 3] ?? 0;
  if (header >>> 21 !== 0x7ff || version === 1 || layer === 4 || rateCode === 15 || baseRateHz === 0) return null;
  const isMpeg1 = version === 3;
  const sampleRateHz = isMpeg1 ? baseRateHz : baseRateHz / (version === 2 ? 2 : 4);
  const kbps = (isMpeg1 ? MPEG1_KBPS : MPEG2_KBPS)[layer]?.[rateCode] ?? 0;
  const samples = layer === 1 ? 384 : layer === 3 && !isMpeg1 ? 576 : 1_152;
  // Layer I counts in slots of four bytes.
  const slotBytes = layer === 1 ? 4 : 1;
  const paddingBytes = ((header >>> 9) & 1) * slotBytes;
  const unpaddedBytes = Math.floor((samples * 125 * kbps) / sampleRateHz / slotBytes) * slotBytes;
  return {
    kind: `layer ${layer} at ${sampleRateHz} Hz`,
    sizeBytes: kbps === 0 ? 0 : unpaddedBytes + paddingBytes,
    layer,
    isMpeg1,
    sampleRateHz,
    channels: ((header >>> 6) & 3) === 3 ? 1 : 2,
    samples,
    paddingBytes,
  };
}

/** Reads the header of a frame of MP3, but for the free format. */
export const mp3Frame = ofLayers([3]);
/** Reads the header of a frame of MPEG audio of layer I or II. */
export const mp2Frame = ofLayers([1, 2]);

function ofLayers(layers: readonly number[]): ReadFrameHeader {
  return (bytes, at) => {
    const frame = mpegAudioFrame(bytes, at);
    return frame !== null && frame.sizeBytes > 0 && layers.includes(frame.layer) ? frame : null;
  };
}

/** Bytes of the side information behind the header of layer III (ISO 11172-3, 13818-3). */
const SIDE_INFORMATION_BYTES = [9, 17, 32];
const INFO_NAMES = ['Xing', 'Info'];

/** Tells whether a frame of MP3 has no sound but facts about the file, as LAME writes first. */
export function isInfoFrame(bytes: Buffer): boolean {
  if (mp3Frame(bytes, 0) === null) return false;
  return SIDE_INFORMATION_BYTES.some((length) => INFO_NAMES.includes(bytes.toString('latin1', 4 + length, 8 + length)));
}

const ADTS_HEADER_BYTES = 7;
const AAC_SAMPLE_RATES = 13;

/** Reads the header of a frame of raw AAC (ISO 14496-3, ADTS). */
export function adtsFrame(bytes: Buffer, at: number): FrameHeader | null {
  if (at + ADTS_HEADER_BYTES > bytes.length || (bytes.readUInt16BE(at) & 0xfff6) !== 0xfff0) return null;
  const rateCode = ((bytes[at + 2] ?? 0) >> 2) & 15;
  const sizeBytes = (bytes.readUInt32BE(at + 3) >>> 13) & 0x1fff;
  if (rateCode >= AAC_SAMPLE_RATES || sizeBytes < ADTS_HEADER_BYTES) return null;
  return { kind: `${(bytes[at + 1] ?? 0) & 8} ${rateCode}`, sizeBytes };
}

const LOAS_HEADER_BYTES = 3;

/** Reads the header of a frame of AAC in LATM (ISO 14496-3, LOAS AudioSyncStream). */
export function loasFrame(bytes: Buffer, at: number): FrameHeader | null {
  if (at + LOAS_HEADER_BYTES > bytes.length || bytes.readUInt16BE(at) >>> 5 !== 0x2b7) return null;
  const payloadBytes = bytes.readUIntBE(at, LOAS_HEADER_BYTES) & 0x1fff;
  return payloadBytes === 0 ? null : { kind: 'loas', sizeBytes: LOAS_HEADER_BYTES + payloadBytes };
}

const AC3_HEADER_BYTES = 6;
const AC3_KBPS = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640];
const AC3_SAMPLE_RATES_HZ = [48_000, 44_100, 32_000];
/** Versions of the bit stream: above the first number it is E-AC-3, above the second unknown. */
const MAX_AC3_VERSION = 10;
const MAX_EAC3_VERSION = 16;

/** Reads the header of a frame of AC-3 or E-AC-3 (ETSI TS 102 366). */
export function ac3Frame(bytes: Buffer, at: number): FrameHeader | null {
  if (at + AC3_HEADER_BYTES > bytes.length || bytes.readUInt16BE(at) !== 0x0b77) return null;
  const version = (bytes[at + 5] ?? 0) >> 3;
  if (version > MAX_EAC3_VERSION) return null;
  if (version > MAX_AC3_VERSION) {
    return { kind: 'eac3', sizeBytes: ((bytes.readUInt16BE(at + 2) & 0x7ff) + 1) * 2 };
  }
  const code = bytes[at + 4] ?? 0;
  const kbps = AC3_KBPS[(code & 0x3f) >> 1];
  const sampleRateHz = AC3_SAMPLE_RATES_HZ[code >> 6];
  if (kbps === undefined || sampleRateHz === undefined) return null;
  const words = Math.floor((kbps * 96_000) / sampleRateHz) + (sampleRateHz === 44_100 ? code & 1 : 0);
  return { kind: `ac3 ${sampleRateHz}`, sizeBytes: words * 2 };
}

/**
 * Bytes of a packet of MPEG-TS, and those that a file has for each: alone, behind a time (as
 * cameras write it), or before a checksum.
 */
export const TRANSPORT_BYTES = 188;
export const TRANSPORT_PACKET_BYTES = [TRANSPORT_BYTES, 192, 204];

/**
 * Returns a reader for packets of MPEG-TS of one size: 188 bytes, or more with a time before them
 * or a checksum behind them (ISO 13818-1, BDAV).
 */
export function transportPacket(sizeBytes: number): ReadFrameHeader {
  return (bytes, at) => (bytes[at] === 0x47 ? { kind: 'ts', sizeBytes } : null);
}

const GSM_FRAME_BYTES = 33;

/** Reads the header of a frame of GSM full rate, whose first four bits are 1101 (RFC 3551). */
export function gsmFrame(bytes: Buffer, at: number): FrameHeader | null {
  return (bytes[at] ?? 0) >> 4 === 0xd ? { kind: 'gsm', sizeBytes: GSM_FRAME_BYTES } : null;
}

/** Bytes of a frame behind its first byte, by the type in that byte (3GPP TS 26.101, 26.201). */
const AMR_BYTES = {
  nb: [12, 13, 15, 17, 19, 20, 26, 31, 5, 6, 5, 5, 0, 0, 0, 0],
  wb: [17, 23, 32, 36, 40, 46, 50, 58, 60, 5, 0, 0, 0, 0, 0, 0],
} as const;
/** Bits of the first byte that are always 0 (RFC 4867, section 5.3). */
const AMR_PADDING = 0x83;

/** Returns a reader for the frames of a file of AMR, narrow or wide band. */
export function amrFrame(band: keyof typeof AMR_BYTES): ReadFrameHeader {
  return (bytes, at) => {
    const first = bytes[at];
    if (first === undefined || (first & AMR_PADDING) !== 0) return null;
    return { kind: 'amr', sizeBytes: 1 + (AMR_BYTES[band][first >> 3] ?? 0) };
  };
}
