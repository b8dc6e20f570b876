import type { FileBytes } from '#audio/file-bytes.ts';

/** How the samples of a file are written, and where they lie. */
export type SampleLayout = {
  /** The codec as FFmpeg names it, such as `pcm_s24le`. */
  codec: string;
  sampleRateHz: number;
  channels: number;
  /** Speaker positions as bits (WAVEFORMATEXTENSIBLE); 0 when the header has none. */
  channelMask: number;
  /** Offset of the first byte of the samples. */
  startByte: number;
  /** Offset after the last byte of the samples, within the file. */
  endByte: number;
  /** True where the program that wrote the file did not come to state its size. */
  isUnfinished?: boolean;
};

/**
 * Reads the layout from the header of one kind of file; null when the samples are compressed or the
 * header states no layout.
 */
export type ReadLayout = (file: FileBytes) => Promise<SampleLayout | null>;

export const G711_CODECS = { alaw: 'pcm_alaw', mulaw: 'pcm_mulaw' };

/** Names the codec of integers or floats; null for sizes that no codec has. */
export function pcmCodec(
  sampleBytes: number,
  {
    isFloat = false,
    isBigEndian,
    isUnsigned8 = false,
  }: { isFloat?: boolean; isBigEndian: boolean; isUnsigned8?: boolean },
): string | null {
  if (!SAMPLE_BYTES.includes(sampleBytes)) return null;
  if (sampleBytes === 1) return isFloat ? null : isUnsigned8 ? 'pcm_u8' : 'pcm_s8';
  return `pcm_${isFloat ? 'f' : 's'}${sampleBytes * 8}${isBigEndian ? 'be' : 'le'}`;
}

const SAMPLE_BYTES = [1, 2, 3, 4, 8];
