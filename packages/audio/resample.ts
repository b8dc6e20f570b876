import { AV_SAMPLE_FMT_FLT } from 'node-av/constants';
import { avChannelLayoutDefault, SoftwareResampleContext } from 'node-av/lib';
import { AppError } from '@jyutsing/contracts/errors';
import { bytesOf, createOutputMemory } from './output-memory.ts';

/** Resamples a mono stream. */
export type Resampler = {
  /** Returns the samples completed by this input; the filter holds some back until more arrives. */
  push(samples: Float32Array): Float32Array<ArrayBuffer>;
  /** Returns the samples still held by the filter. */
  flush(): Float32Array<ArrayBuffer>;
  /** Frees the filter; call nothing else afterwards. */
  close(): void;
};

type ResamplerOptions = {
  /** Whether returned samples are valid only until the next call. */
  reusesMemory?: boolean;
};

/**
 * Creates a resampler (swresample's windowed sinc); length and timing of the audio stay. Throws
 * `engine_failed` for invalid rates.
 */
export function createResampler(
  fromHz: number,
  toHz: number,
  { reusesMemory = false }: ResamplerOptions = {},
): Resampler {
  // Check the rates first: the library would complain on stderr.
  if (!(fromHz >= 1 && toHz >= 1)) throw new AppError('engine_failed', undefined, { cause: 'a rate below 1 Hz' });
  const context = new SoftwareResampleContext();
  const mono = avChannelLayoutDefault(1);
  const isOpened =
    context.allocSetOpts2(mono, AV_SAMPLE_FMT_FLT, toHz, mono, AV_SAMPLE_FMT_FLT, fromHz) >= 0 && context.init() >= 0;
  if (!isOpened) {
    context.free();
    throw new AppError('engine_failed', undefined, { cause: `no filter from ${fromHz} Hz to ${toHz} Hz` });
  }
  const kept = createOutputMemory();
  const convert = (input: Buffer[] | null, count: number): Float32Array<ArrayBuffer> => {
    const capacity = context.getOutSamples(count) + 64;
    const output = reusesMemory ? kept : createOutputMemory();
    const written = context.convertSync([output.ofCapacity(capacity)], capacity, input, count);
    if (written < 0) throw new AppError('engine_failed', undefined, { cause: 'the sound could not be resampled' });
    return output.samples(written);
  };
  return {
    push: (samples) => convert([bytesOf(samples)], samples.length),
    flush: () => convert(null, 0),
    close: () => context.free(),
  };
}
