import { avGetCodecName, Codec, type Stream } from 'node-av/lib';
import type { AudioContainer } from '@jyutsing/contracts/audio';

/** Containers of many tracks that describe each as WAV does. */
const CONTAINERS: readonly AudioContainer[] = ['avi', 'wma', 'webm'];
const CODECS = ['pcm_s16le', 'pcm_s24le'];

/**
 * Corrects the codecs of an open file before its streams are analysed. The bit rate of the header
 * is made of the bytes that a sample occupies, where FFmpeg 8.1 (libavformat/riffdec.c) takes the
 * bits that are used. Twice as many may be a mistake in the bit rate and are not believed.
 */
export function widenSamples(streams: readonly Stream[], container: AudioContainer): void {
  if (!CONTAINERS.includes(container)) return;
  for (const { codecpar } of streams) {
    const { bitRate, sampleRate, channels, bitsPerCodedSample } = codecpar;
    const occupiedBits = Number(bitRate) / sampleRate / channels;
    const isWider = occupiedBits > bitsPerCodedSample && occupiedBits < 2 * bitsPerCodedSample;
    if (!isWider || !CODECS.includes(String(avGetCodecName(codecpar.codecId)))) continue;
    const wide = Codec.findDecoderByName(`pcm_s${occupiedBits}le` as never);
    if (wide === null) continue;
    codecpar.codecId = wide.id;
    codecpar.bitsPerCodedSample = occupiedBits;
  }
}
