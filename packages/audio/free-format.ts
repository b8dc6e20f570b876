import { AV_CODEC_ID_MP3ADU, AV_PKT_DATA_SKIP_SAMPLES } from 'node-av/constants';
import { avChannelLayoutDefault, Codec, CodecContext, Packet, Rational } from 'node-av/lib';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { AppError } from '@jyutsing/contracts/errors';
import { mpegAudioFrame, type MpegAudioHeader } from './frame-headers.ts';

/** The shortest and the longest frame: 8 kbit/s at 24 kHz, 640 kbit/s at 8 kHz. */
const MIN_FRAME_BYTES = 24;
const MAX_FRAME_BYTES = 5_761;
/** Frames that must follow the first. */
const FRAMES_IN_A_ROW = 3;
const HEADER_BYTES = 4;
const CHECKSUM_BYTES = 2;

/**
 * Returns the bytes of a frame of MPEG audio in the free format without its padding, by default of
 * MP3; null when none begins at `at`. Frames of this format do not state their size: it is the
 * distance to the next header.
 */
export function freeFormatBytes(bytes: Buffer, at: number, layer = 3): number | null {
  const first = freeFormatFrame(bytes, at, layer);
  if (first === null) return null;
  for (let frameBytes = MIN_FRAME_BYTES; frameBytes <= MAX_FRAME_BYTES; frameBytes += 1) {
    if (isFollowed(bytes, { at, frameBytes }, first)) return frameBytes;
  }
  return null;
}

function freeFormatFrame(bytes: Buffer, at: number, layer = 3): MpegAudioHeader | null {
  const frame = mpegAudioFrame(bytes, at);
  return frame !== null && frame.layer === layer && frame.sizeBytes === 0 ? frame : null;
}

function isFollowed(
  bytes: Buffer,
  { at, frameBytes }: { at: number; frameBytes: number },
  first: MpegAudioHeader,
): boolean {
  let next = at;
  let frame: MpegAudioHeader | null = first;
  for (let frames = 0; frames < FRAMES_IN_A_ROW; frames += 1) {
    if (frame === null || frame.kind !== first.kind) return false;
    next += frameBytes + frame.paddingBytes;
    frame = freeFormatFrame(bytes, next, first.layer);
  }
  return true;
}

/** The parts of a frame (ISO 11172-3, 2.4.1). */
type FreeFrame = {
  header: MpegAudioHeader;
  bytes: Buffer;
  /** Bytes before the main data: header, checksum and side information. */
  headBytes: number;
  /** Bytes of the main data that lie in the frames before. */
  earlierBytes: number;
};

function parseFrame(bytes: Buffer, header: MpegAudioHeader): FreeFrame {
  const { isMpeg1, channels } = header;
  const hasChecksum = ((bytes[1] ?? 0) & 1) === 0;
  const sideAt = HEADER_BYTES + (hasChecksum ? CHECKSUM_BYTES : 0);
  const sideBytes = isMpeg1 ? (channels === 1 ? 17 : 32) : channels === 1 ? 9 : 17;
  const [first = 0, second = 0] = bytes.subarray(sideAt);
  const earlierBytes = isMpeg1 ? (first << 1) | (second >> 7) : first;
  return { header, bytes, headBytes: sideAt + sideBytes, earlierBytes };
}

/** Reads the frames of a file in order; after bytes that are no frame it looks for the next. */
function* readFrames(file: number, startByte: number, frameBytes: number): Generator<FreeFrame> {
  const buffer = Buffer.alloc(2 * MAX_FRAME_BYTES);
  for (let at = startByte; ;) {
    const bytes = buffer.subarray(0, readSync(file, buffer, 0, buffer.length, at));
    const offset = findFrame(bytes);
    if (offset === null && bytes.length < buffer.length) return;
    const header = offset === null ? null : freeFormatFrame(bytes, offset);
    if (offset === null || header === null) {
      at += MAX_FRAME_BYTES;
      continue;
    }
    const size = frameBytes + header.paddingBytes;
    if (offset + size > bytes.length && bytes.length < buffer.length) return;
    if (offset + size <= bytes.length) yield parseFrame(Buffer.from(bytes.subarray(offset, offset + size)), header);
    at += offset + size;
  }
}

function findFrame(bytes: Buffer): number | null {
  for (let at = 0; at < bytes.length; at += 1) if (freeFormatFrame(bytes, at) !== null) return at;
  return null;
}

/** The extent of the sound in the samples that a decoder returns. */
type Extent = { startSample: number; endSample: number };

/** The delay of a decoder comes on top of that of the encoder (technical FAQ of LAME). */
const DECODER_DELAY = 529;
const USUAL_ENCODER_DELAY = 576;
const USUAL_EXTENT: Extent = { startSample: USUAL_ENCODER_DELAY + DECODER_DELAY, endSample: Infinity };
const INFO_NAMES = ['Info', 'Xing'];
/** Offsets of the fields in a frame with information about the file, from its name on. */
const INFO_FLAGS_AT = 4;
const INFO_FRAMES_AT = 8;
/** Bytes of the fields that the flags announce: frames, bytes, places for seeking, quality. */
const INFO_FIELD_BYTES = [4, 4, 100, 4];
const ENCODERS = ['LAME', 'Lavf', 'Lavc'];
/** The same for the delays, from the name of the encoder on. */
const INFO_DELAYS_AT = 21;

/**
 * Reads the extent from the first frame, if that has no sound but information (LAME's Info tag);
 * null for a frame with sound.
 */
function readInfoFrame({ bytes, headBytes, header }: FreeFrame): Extent | null {
  // Encoders count no checksum here, even where the frame claims to have one.
  const infoAt = [headBytes, headBytes - CHECKSUM_BYTES].find((at) =>
    INFO_NAMES.includes(bytes.toString('latin1', at, at + 4)),
  );
  if (infoAt === undefined || bytes.length < infoAt + INFO_FRAMES_AT + 4) return null;
  const flags = bytes.readUInt32BE(infoAt + INFO_FLAGS_AT);
  const frames = (flags & 1) === 1 ? bytes.readUInt32BE(infoAt + INFO_FRAMES_AT) : Infinity;
  const fieldBytes = INFO_FIELD_BYTES.reduce((sum, size, flag) => sum + ((flags >> flag) & 1) * size, 0);
  const encoderAt = infoAt + INFO_FRAMES_AT + fieldBytes;
  const delaysAt = encoderAt + INFO_DELAYS_AT;
  const hasDelays =
    ENCODERS.includes(bytes.toString('latin1', encoderAt, encoderAt + 4)) && delaysAt + 3 <= bytes.length;
  const delays = hasDelays ? bytes.readUIntBE(delaysAt, 3) : USUAL_ENCODER_DELAY << 12;
  const padding = Math.max(0, (delays & 0xfff) - DECODER_DELAY);
  return { startSample: (delays >> 12) + DECODER_DELAY, endSample: frames * header.samples - padding };
}

/** Main data that later frames may refer to. */
const MAX_EARLIER_BYTES = 511;

/**
 * Turns frames into application data units (RFC 5219), which hold all of their main data, so that
 * the decoder needs no size. Data of frames that are missing is zero.
 */
function* readUnits(frames: Iterable<FreeFrame>): Generator<Buffer> {
  let reservoir: Buffer = Buffer.alloc(MAX_EARLIER_BYTES);
  for (const { bytes, headBytes, earlierBytes } of frames) {
    const main = bytes.subarray(headBytes);
    const earlier = reservoir.subarray(MAX_EARLIER_BYTES - earlierBytes);
    yield Buffer.concat([bytes.subarray(0, headBytes), earlier, main]);
    reservoir = Buffer.concat([reservoir, main]).subarray(-MAX_EARLIER_BYTES);
  }
}

/** Writes a unit into a packet, so that the decoder drops samples outside the sound. */
function fillPacket(packet: Packet, bytes: Buffer, dropped: { startSamples: number; endSamples: number }): void {
  packet.unref();
  packet.data = bytes;
  if (dropped.startSamples === 0 && dropped.endSamples === 0) return;
  const trim = Buffer.alloc(10);
  trim.writeUInt32LE(dropped.startSamples, 0);
  trim.writeUInt32LE(dropped.endSamples, 4);
  packet.addSideData(AV_PKT_DATA_SKIP_SAMPLES, trim);
}

function openDecoder(sampleRateHz: number, channels: number): CodecContext {
  const codec = Codec.findDecoder(AV_CODEC_ID_MP3ADU);
  if (codec === null) throw new AppError('engine_unavailable');
  const decoder = new CodecContext();
  decoder.allocContext3(codec);
  decoder.threadCount = 1;
  decoder.sampleRate = sampleRateHz;
  decoder.channelLayout = avChannelLayoutDefault(channels);
  decoder.pktTimebase = new Rational(1, sampleRateHz);
  if (decoder.open2Sync(codec, null) < 0) {
    decoder.freeContext();
    throw new AppError('corrupt_audio');
  }
  return decoder;
}

/** A file in the free format, opened for reading packets. */
export type FreeFormatInput = {
  sampleRateHz: number;
  channels: number;
  durationMs: number;
  /** Returns the next packet, in the same object each time, or null at the end of the file. */
  readPacket(): Packet | null;
  openDecoder(): CodecContext;
  close(): void;
};

/**
 * Opens MP3 in the free format, which FFmpeg 8.1 does not decode (libavcodec/mpegaudiodecheader.c).
 * `frameBytes`: see `freeFormatBytes`. Throws `corrupt_audio`.
 */
export function openFreeFormat(path: string, startByte: number, frameBytes: number): FreeFormatInput {
  const file = openSync(path, 'r');
  const first = readFrames(file, startByte, frameBytes).next();
  if (first.done === true) {
    closeSync(file);
    throw new AppError('corrupt_audio');
  }
  const { header, bytes } = first.value;
  const { sampleRateHz, channels, samples } = header;
  const info = readInfoFrame(first.value);
  const { startSample, endSample: statedEnd } = info ?? USUAL_EXTENT;
  const soundByte = info === null ? startByte : startByte + bytes.length;
  const frameCount = Math.floor((fstatSync(file).size - soundByte) / frameBytes);
  // Two frames more than are stated belong to another recording, which was appended.
  const endSample = (frameCount - 2) * samples > statedEnd ? Infinity : statedEnd;
  const durationSamples = Math.max(0, Math.min(endSample, frameCount * samples) - startSample);
  const units = readUnits(readFrames(file, soundByte, frameBytes));
  const packet = new Packet();
  packet.alloc();
  let position = 0;
  return {
    sampleRateHz,
    channels,
    durationMs: (durationSamples * 1_000) / sampleRateHz,
    readPacket() {
      const unit = units.next();
      if (unit.done === true || position >= endSample) return null;
      const dropped = {
        startSamples: Math.min(samples, Math.max(0, startSample - position)),
        endSamples: Math.max(0, position + samples - endSample),
      };
      fillPacket(packet, unit.value, dropped);
      packet.pts = BigInt(position - startSample);
      packet.duration = BigInt(samples);
      position += samples;
      return packet;
    },
    openDecoder: () => openDecoder(sampleRateHz, channels),
    close() {
      packet.free();
      closeSync(file);
    },
  };
}
