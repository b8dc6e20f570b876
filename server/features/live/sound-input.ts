import { decodeG711, type G711Law } from '@jyutsing/audio/g711';
import { createStreamResampler } from '@jyutsing/audio/vocoder/resample';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';

/** Sound without a container, as live clients send it; `linear16` is signed and little-endian. */
export type SoundFormat = { encoding: 'linear16' | G711Law; sampleRateHz: number; channels: number };

/** Converts the bytes of a stream, however they are cut, to mono sound for a recognizer. */
type SoundInput = (bytes: Uint8Array) => Float32Array;

export function createSoundInput({ encoding, sampleRateHz, channels }: SoundFormat): SoundInput {
  const resampler = createStreamResampler(sampleRateHz, RECOGNIZER_SAMPLE_RATE_HZ);
  const takeFrames = createFrameBuffer(bytesPerFrame({ encoding, channels }));
  return (bytes) => {
    const frames = takeFrames(bytes);
    const samples = encoding === 'linear16' ? decodeLinear(frames) : decodeG711(frames, encoding);
    return resampler.push(channels === 1 ? samples : mixDown(samples, channels));
  };
}

/**
 * Returns the bytes of each channel, of bytes that are cut anywhere. A channel is split when it is
 * asked for, so that the caller can let others run in between; all are to be taken.
 */
export function createChannelSplitter({
  encoding,
  channels,
}: SoundFormat): (bytes: Uint8Array) => Iterable<Uint8Array> {
  const sampleBytes = bytesPerFrame({ encoding, channels: 1 });
  const frameBytes = sampleBytes * channels;
  const takeFrames = createFrameBuffer(frameBytes);
  return function* (bytes) {
    const frames = takeFrames(bytes);
    for (let channel = 0; channel < channels; channel += 1) {
      const split = new Uint8Array(frames.length / channels);
      let to = 0;
      for (let from = channel * sampleBytes; from < frames.length; from += frameBytes) {
        split[to] = frames[from]!;
        if (sampleBytes === 2) split[to + 1] = frames[from + 1]!;
        to += sampleBytes;
      }
      yield split;
    }
  };
}

/** Holds the bytes of an incomplete frame, a sample of each channel, until its rest arrives. */
function createFrameBuffer(frameBytes: number): (bytes: Uint8Array) => Buffer {
  let held = Buffer.alloc(0);
  return (bytes) => {
    const all = Buffer.concat([held, bytes]);
    const whole = all.length - (all.length % frameBytes);
    held = Buffer.from(all.subarray(whole));
    return all.subarray(0, whole);
  };
}

/** Bytes of one second. */
export function bytesPerSecond({ encoding, sampleRateHz, channels }: SoundFormat): number {
  return bytesPerFrame({ encoding, channels }) * sampleRateHz;
}

function bytesPerFrame({ encoding, channels }: Pick<SoundFormat, 'encoding' | 'channels'>): number {
  return (encoding === 'linear16' ? 2 : 1) * channels;
}

function decodeLinear(bytes: Buffer): Float32Array {
  const samples = new Float32Array(bytes.length / 2);
  for (let at = 0; at < samples.length; at += 1) samples[at] = bytes.readInt16LE(at * 2) / 32_768;
  return samples;
}

function mixDown(samples: Float32Array, channels: number): Float32Array {
  const mixed = new Float32Array(samples.length / channels);
  for (const [at, sample] of samples.entries()) mixed[Math.floor(at / channels)]! += sample / channels;
  return mixed;
}
