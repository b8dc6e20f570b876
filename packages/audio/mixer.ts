import { AV_SAMPLE_FMT_FLTP, AVERROR_INPUT_CHANGED, type AVSampleFormat } from 'node-av/constants';
import { avChannelLayoutDefault, SoftwareResampleContext, type Frame } from 'node-av/lib';
import { AppError } from '@jyutsing/contracts/errors';
import { joinSamples } from './join-samples.ts';
import { bytesOf, createOutputMemory } from './output-memory.ts';
import { createResampler } from './resample.ts';
import { refuseDenseSound } from './sound-density.ts';
import { createStereoMix } from './stereo-mix.ts';

/** Turns frames of any rate, format and layout into mono floats at one rate. */
export type Mixer = {
  /**
   * Returns the samples completed by a frame, if any; valid until the next call. `samples`: how
   * many the frame has of each channel, where the caller knows.
   */
  push(frame: Frame, samples?: number): Float32Array;
  /** Returns the samples still held by the filters. */
  flush(): Float32Array;
  close(): void;
};

type Shape = { sampleRateHz: number; format: AVSampleFormat; channels: number; mask: bigint };

/** Layouts with more channels have no standard down-mix; their channels get equal weight. */
const MAX_STANDARD_CHANNELS = 8;

type MixerOptions = {
  /** Look-ahead of `createStereoMix` in milliseconds. */
  lookaheadMs?: number;
  /** Samples that are mixed together, because calls of the library cost more than their work. */
  samplesAtATime?: number;
  /** The only channel that is wanted, from 0; frames that do not have it are silent. */
  channel?: number | undefined;
};

/**
 * Mixes channels to two by the standard weights (ITU-R BS.775 as in swresample), scaled so that
 * full-scale input stays within −1..1, and these to one as `createStereoMix` does; or takes one
 * channel.
 */
export function createMixer(sampleRateHz: number, options: MixerOptions = {}): Mixer {
  const { samplesAtATime = 1 } = options;
  let line: Line | null = null;
  /** Samples of each channel that the line holds. */
  let held = 0;
  /** Whether the line takes frames of the present shape as they are. */
  let takesFrames = false;

  /** Gives a frame to the line; false when it is unlike the frames before. */
  const hold = (frame: Frame, samples: number): boolean => {
    const code = line?.converter.convertFrame(null, frame) ?? AVERROR_INPUT_CHANGED;
    if (code === AVERROR_INPUT_CHANGED) return false;
    if (code < 0) throw new AppError('corrupt_audio');
    held += samples;
    return true;
  };
  const mix = (planes: Buffer[] | null, samples: number): Float32Array => {
    held = 0;
    return line?.mix(planes, samples) ?? NO_SAMPLES;
  };
  const mixHeld = () => (held < samplesAtATime ? NO_SAMPLES : mix(NO_INPUT.slice(0, line?.shape.channels), 0));
  const flush = (): Float32Array => {
    held = 0;
    return line?.flush() ?? NO_SAMPLES;
  };

  return {
    push(frame, samples = frame.nbSamples) {
      if (takesFrames && hold(frame, samples)) return mixHeld();
      const shape = shapeOf(frame);
      let flushed: Float32Array = NO_SAMPLES;
      if (line === null || !isSame(line.shape, shape)) {
        refuseDenseSound(shape);
        // Some files change rate or layout midway; flush the old filters first.
        flushed = flush().slice();
        line?.close();
        line = openLine(shape, sampleRateHz, options);
        takesFrames = hold(frame, samples);
      }
      const mixed = takesFrames ? mixHeld() : mix(frame.extendedData, samples);
      return flushed.length === 0 ? mixed : joinSamples([flushed, mixed]);
    },
    flush,
    close: () => line?.close(),
  };
}

/** Mixes frames of one shape. */
type Line = {
  shape: Shape;
  /** The part of the library that takes the frames. */
  converter: SoftwareResampleContext;
  /** Mixes the samples that the converter holds, and others. */
  mix(planes: Buffer[] | null, samples: number): Float32Array;
  flush(): Float32Array;
  close(): void;
};

/**
 * Opens a line. Channels are mixed before they are resampled, which costs more than all else: in
 * one step the library would resample each channel.
 */
function openLine(shape: Shape, sampleRateHz: number, { lookaheadMs = 0, channel }: MixerOptions): Line {
  const isMono = shape.channels === 1 && (channel ?? 0) === 0;
  const rateHz = isMono ? sampleRateHz : shape.sampleRateHz;
  const converter = openConverter(shape, rateHz, isMono ? null : weightsOf(shape, channel));
  const memory = createOutputMemory();
  const stereo = isMono || channel !== undefined ? null : createStereoMix(rateHz, lookaheadMs);
  const resampler = rateHz === sampleRateHz ? null : createResampler(rateHz, sampleRateHz, { reusesMemory: true });

  const convert = (outputs: Buffer[], capacity: number, planes: Buffer[] | null, samples: number): number => {
    const written = converter.convertSync(outputs, capacity, planes, samples);
    if (written < 0) throw new AppError('corrupt_audio');
    return written;
  };
  const mixToOne = (planes: Buffer[] | null, samples: number): Float32Array => {
    const capacity = converter.getOutSamples(samples) + 64;
    if (stereo === null) return memory.samples(convert([memory.ofCapacity(capacity)], capacity, planes, samples));
    const { mean, difference } = stereo.reserve(capacity);
    const written = convert([bytesOf(mean), bytesOf(difference)], capacity, planes, samples);
    if (hasStandardLayout(shape)) toMeanAndDifference(mean, difference, written);
    return stereo.take(written);
  };
  const resample = (samples: Float32Array) => resampler?.push(samples) ?? samples;
  return {
    shape,
    converter,
    mix: (planes, samples) => resample(mixToOne(planes, samples)),
    flush() {
      const pieces = [resample(mixToOne(null, 0)).slice()];
      if (stereo !== null) pieces.push(resample(stereo.flush()).slice());
      if (resampler !== null) pieces.push(resampler.flush());
      return joinSamples(pieces);
    },
    close() {
      converter.free();
      stereo?.close();
      resampler?.close();
    },
  };
}

const NO_SAMPLES = new Float32Array(0);
/** Empty planes, one for each channel: without any the resampler would end the sound. */
const NO_INPUT = Array.from({ length: 64 }, () => Buffer.alloc(1));

function shapeOf(frame: Frame): Shape {
  const layout = frame.channelLayout;
  return {
    sampleRateHz: frame.sampleRate,
    format: frame.format as AVSampleFormat,
    channels: layout.nbChannels,
    mask: layout.mask,
  };
}

function isSame(a: Shape, b: Shape): boolean {
  return a.sampleRateHz === b.sampleRateHz && a.format === b.format && a.channels === b.channels && a.mask === b.mask;
}

/** Whether swresample has weights for the channels. */
function hasStandardLayout(shape: Shape | null): boolean {
  return shape !== null && shape.mask !== 0n && shape.channels > 2 && shape.channels <= MAX_STANDARD_CHANNELS;
}

/**
 * Returns the weights of the channels in each channel of the output: the mean, and half of the
 * difference, for which every second channel counts as right. Null: one channel as it is, or left
 * and right as swresample makes them.
 */
function weightsOf(shape: Shape, channel: number | undefined): number[] | null {
  const numbers = Array.from({ length: shape.channels }, (_, index) => index);
  if (channel !== undefined) return numbers.map((index) => (index === channel ? 1 : 0));
  if (shape.channels === 1 || hasStandardLayout(shape)) return null;
  const weight = 1 / shape.channels;
  return [...numbers.map(() => weight), ...numbers.map((index) => (index % 2 === 0 ? weight : -weight))];
}

/** Turns left and right into their mean and half of their difference. */
function toMeanAndDifference(left: Float32Array, right: Float32Array, samples: number): void {
  for (let i = 0; i < samples; i += 1) {
    const [a, b] = [left[i]!, right[i]!];
    left[i] = (a + b) / 2;
    right[i] = (a - b) / 2;
  }
}

function openConverter(shape: Shape, sampleRateHz: number, weights: number[] | null): SoftwareResampleContext {
  const converter = new SoftwareResampleContext();
  const defaultLayout = avChannelLayoutDefault(shape.channels);
  const layout = hasStandardLayout(shape) ? { ...defaultLayout, mask: shape.mask } : defaultLayout;
  const output = avChannelLayoutDefault(
    weights === null ? Math.min(2, shape.channels) : weights.length / shape.channels,
  );
  const failed =
    converter.allocSetOpts2(output, AV_SAMPLE_FMT_FLTP, sampleRateHz, layout, shape.format, shape.sampleRateHz) < 0 ||
    // For float output the library would otherwise let the sum of the channels exceed full scale.
    converter.setOption('rematrix_maxval', 1) < 0 ||
    (weights !== null && converter.setMatrix(weights, shape.channels) < 0) ||
    converter.init() < 0;
  if (failed) {
    converter.free();
    throw new AppError('corrupt_audio', 'The channels of this recording cannot be mixed.');
  }
  return converter;
}
