import { openBytes, type FileBytes, type FilePart } from '#audio/file-bytes.ts';
import { avGetCodecName, Codec, type Stream } from 'node-av/lib';
import type { AudioContainer } from '@jyutsing/contracts/audio';

/** Containers of many tracks that describe each as WAV does. */
const CONTAINERS: readonly AudioContainer[] = ['avi', 'wma', 'webm'];
const CODECS = ['pcm_s16le', 'pcm_s24le'];
/** Headers of these containers lie in the first bytes of a file. */
const HEADER_BYTES = 65_536;
const WAVE_FORMAT_PCM = 0x00_01;
const WAVE_FORMAT_EXTENSIBLE = 0xff_fe;

/**
 * Corrects the codecs of an open file before its streams are analysed: a sample may occupy more
 * bits than it uses, and FFmpeg 8.1 (libavformat/riffdec.c) takes the bits that are used.
 */
export async function widenSamples(
  streams: readonly Stream[],
  container: AudioContainer,
  part: FilePart,
): Promise<void> {
  if (!CONTAINERS.includes(container)) return;
  using file = openBytes(part);
  for (const { codecpar } of streams) {
    if (!CODECS.includes(String(avGetCodecName(codecpar.codecId)))) continue;
    const occupiedBits = await occupiedByRate(codecpar, file);
    if (occupiedBits === undefined || occupiedBits <= codecpar.bitsPerCodedSample) continue;
    const wide = Codec.findDecoderByName(`pcm_s${occupiedBits}le` as never);
    if (wide === null) continue;
    codecpar.codecId = wide.id;
    codecpar.bitsPerCodedSample = occupiedBits;
  }
}

/**
 * Returns the bits that a sample occupies by the bit rate. Twice as many as it uses may be a
 * mistake; they are believed where the bytes of a frame, which the library does not tell, are twice
 * as many too.
 */
async function occupiedByRate(
  { bitRate, sampleRate, channels, bitsPerCodedSample: usedBits }: Stream['codecpar'],
  file: FileBytes,
): Promise<number | undefined> {
  const occupiedBits = Number(bitRate) / sampleRate / channels;
  if (occupiedBits < 2 * usedBits) return occupiedBits;
  const isStated = await statesFormat(file, { channels, sampleRate, occupiedBits, usedBits });
  return occupiedBits === 2 * usedBits && isStated ? occupiedBits : undefined;
}

type Format = { channels: number; sampleRate: number; occupiedBits: number; usedBits: number };

/** Returns true if the header of a file has a WAVEFORMATEX with these numbers. */
async function statesFormat(
  file: FileBytes,
  { channels, sampleRate, occupiedBits, usedBits }: Format,
): Promise<boolean> {
  const header = await file.read(0, HEADER_BYTES);
  const frameBytes = (channels * occupiedBits) / 8;
  const stated = Buffer.alloc(16);
  stated.writeUInt16LE(channels, 2);
  stated.writeUInt32LE(sampleRate, 4);
  stated.writeUInt32LE(sampleRate * frameBytes, 8);
  stated.writeUInt16LE(frameBytes, 12);
  stated.writeUInt16LE(usedBits, 14);
  return [WAVE_FORMAT_PCM, WAVE_FORMAT_EXTENSIBLE].some((tag) => {
    stated.writeUInt16LE(tag, 0);
    return header.includes(stated);
  });
}
