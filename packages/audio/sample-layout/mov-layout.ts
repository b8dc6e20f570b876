import type { FileBytes } from '#audio/file-bytes.ts';
import { readBoxes, readDescriptions } from '#audio/mp4-boxes.ts';
import { pcmCodec, type SampleLayout } from './sample-layout.ts';

/** Offsets in a sound description of version 2 (QuickTime File Format, "Sound Media"). */
const VERSION_AT = 16;
const RATE_AT = 40;
const CHANNELS_AT = 48;
const USED_BITS_AT = 56;
const FLAGS_AT = 60;
const FRAME_BYTES_AT = 64;
const DESCRIPTION_BYTES = 68;
const IS_FLOAT = 1;
const IS_BIG_ENDIAN = 2;

/**
 * Reads the layout of a movie with a single track of samples that occupy more bits than they use:
 * FFmpeg 8.1 (libavformat/mov.c) would read fewer bytes than there are. Null for all other movies,
 * which have times, and perhaps pictures between their samples.
 */
export async function readMovLayout(file: FileBytes): Promise<SampleLayout | null> {
  const [description, ...furtherDescriptions] = await Array.fromAsync(readDescriptions(file, DESCRIPTION_BYTES));
  if (description === undefined || furtherDescriptions.length > 0) return null;
  const format = parseDescription(description);
  if (format === null) return null;
  const boxes = await Array.fromAsync(readBoxes(file, { startByte: 0, endByte: file.sizeBytes }));
  const [samples, ...furtherSamples] = boxes.filter(({ name }) => name === 'mdat');
  if (samples === undefined || furtherSamples.length > 0) return null;
  return {
    ...format,
    channelMask: 0,
    startByte: samples.contentByte,
    endByte: Math.min(file.sizeBytes, samples.endByte),
  };
}

function parseDescription(bytes: Buffer): Pick<SampleLayout, 'codec' | 'sampleRateHz' | 'channels'> | null {
  if (bytes.length < DESCRIPTION_BYTES || bytes.toString('latin1', 4, 8) !== 'lpcm') return null;
  if (bytes.readUInt16BE(VERSION_AT) !== 2) return null;
  const channels = bytes.readUInt32BE(CHANNELS_AT);
  const sampleBytes = bytes.readUInt32BE(FRAME_BYTES_AT) / channels;
  if (sampleBytes <= Math.ceil(bytes.readUInt32BE(USED_BITS_AT) / 8)) return null;
  const flags = bytes.readUInt32BE(FLAGS_AT);
  const codec = pcmCodec(sampleBytes, {
    isFloat: (flags & IS_FLOAT) !== 0,
    isBigEndian: (flags & IS_BIG_ENDIAN) !== 0,
  });
  return codec === null ? null : { codec, sampleRateHz: Math.round(bytes.readDoubleBE(RATE_AT)), channels };
}
