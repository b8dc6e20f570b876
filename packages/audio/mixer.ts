import { AV_SAMPLE_FMT_FLTP, AVERROR_INPUT_CHANGED, type AVSampleFormat } from 'node-av/constants';
import { avChannelLayoutDefault, SoftwareResampleContext, type Frame } from 'node-av/lib';
import { AppError } from '@jyutsing/contracts/errors';
import { refuseDenseSound } from './sound-density.ts';
import { createStereoMix } from './stereo-mix.ts';

/** Turns frames of any rate, format and layout into mono floats at one rate. */
export type Mixer = {
  /** Returns the samples completed by a frame, if any; valid until the next call. */
  push(frame: Frame): Float32Array;
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
  /** Frames that are mixed together, because calls of the library cost more than their work. */
  framesAtATime?: number;
  /** The only channel that is wanted, from 0; frames that do not have it are silent. */
  channel?: number | undefined;
};

/**
 * Mixes channels to two by the standard weights (ITU-R BS.775 as in swresample), scaled so that
 * full-scale input stays within −1..1, and these to one as `createStereoMix` does; or takes one
 * channel.
 */
export function createMixer(
  sampleRateHz: number,
  { lookaheadMs = 0, framesAtATime = 1, channel }: MixerOptions = {},
): Mixer {
  const stereo = createStereoMix(sampleRateHz, lookaheadMs);
  let resampler: SoftwareResampleContext | null = null;
  let shape: Shape | null = null;
  const first = createOutput();
  const second = createOutput();

  /** Frames that the resampler holds. */
  let held = 0;
  /** Whether the resampler takes frames of the present shape as they are. */
  let takesFrames = false;

  /** Whether the resampler makes two channels, of which `stereo` makes one. */
  const isPaired = () => channel === undefined && shape !== null && shape.channels > 1;
  const convert = (planes: Buffer[] | null, count: number): Float32Array => {
    if (resampler === null) return new Float32Array(0);
    held = 0;
    const capacity = resampler.getOutSamples(count) + 64;
    const outputs = [first, ...(isPaired() ? [second] : [])].map((output) => output.ofCapacity(capacity));
    const written = resampler.convertSync(outputs, capacity, planes, count);
    if (written < 0) throw new AppError('corrupt_audio');
    const samples = first.samples(written);
    if (!isPaired()) return samples;
    const others = second.samples(written);
    if (hasStandardLayout(shape)) toMeanAndDifference(samples, others);
    return stereo.push(samples, others);
  };
  const flush = (): Float32Array => {
    const rest = convert(null, 0);
    return isPaired() ? concatenate(rest.slice(), stereo.flush()) : rest;
  };
  /** Gives a frame to the resampler; false when it is unlike the frames before. */
  const hold = (frame: Frame): boolean => {
    const code = resampler?.convertFrame(null, frame) ?? AVERROR_INPUT_CHANGED;
    if (code === AVERROR_INPUT_CHANGED) return false;
    if (code < 0) throw new AppError('corrupt_audio');
    held += 1;
    return true;
  };
  const mixHeld = () => (held < framesAtATime ? NO_SAMPLES : convert(NO_INPUT.slice(0, shape?.channels), 0));

  return {
    push(frame) {
      if (takesFrames && hold(frame)) return mixHeld();
      const next = shapeOf(frame);
      let flushed = NO_SAMPLES;
      if (shape === null || !isSame(shape, next)) {
        refuseDenseSound(next);
        // Some files change rate or layout midway; flush the old filters first.
        if (shape !== null) flushed = flush().slice();
        resampler?.free();
        resampler = openResampler(next, sampleRateHz, weightsOf(next, channel));
        shape = next;
        takesFrames = hold(frame);
        if (takesFrames) return flushed.length === 0 ? mixHeld() : concatenate(flushed, mixHeld());
      }
      const mixed = convert(frame.extendedData, frame.nbSamples);
      return flushed.length === 0 ? mixed : concatenate(flushed, mixed);
    },
    flush,
    close: () => resampler?.free(),
  };
}

const NO_SAMPLES = new Float32Array(0);
/** Empty planes, one for each channel: without any the resampler would end the sound. */
const NO_INPUT = Array.from({ length: 64 }, () => Buffer.alloc(1));

/** Memory for one channel of output, which grows as needed. */
function createOutput() {
  let bytes = Buffer.alloc(0);
  return {
    ofCapacity(samples: number): Buffer {
      if (bytes.length < samples * 4) bytes = Buffer.from(new ArrayBuffer(samples * 8));
      return bytes;
    },
    samples: (count: number) => new Float32Array(bytes.buffer, bytes.byteOffset, count),
  };
}

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
function toMeanAndDifference(left: Float32Array, right: Float32Array): void {
  for (let i = 0; i < left.length; i += 1) {
    const [a, b] = [left[i]!, right[i]!];
    left[i] = (a + b) / 2;
    right[i] = (a - b) / 2;
  }
}

function openResampler(shape: Shape, sampleRateHz: number, weights: number[] | null): SoftwareResampleContext {
  const resampler = new SoftwareResampleContext();
  const defaultLayout = avChannelLayoutDefault(shape.channels);
  const layout = hasStandardLayout(shape) ? { ...defaultLayout, mask: shape.mask } : defaultLayout;
  const output = avChannelLayoutDefault(
    weights === null ? Math.min(2, shape.channels) : weights.length / shape.channels,
  );
  const failed =
    resampler.allocSetOpts2(output, AV_SAMPLE_FMT_FLTP, sampleRateHz, layout, shape.format, shape.sampleRateHz) < 0 ||
    // For float output the library would otherwise let the sum of the channels exceed full scale.
    resampler.setOption('rematrix_maxval', 1) < 0 ||
    (weights !== null && resampler.setMatrix(weights, shape.channels) < 0) ||
    resampler.init() < 0;
  if (failed) {
    resampler.free();
    throw new AppError('corrupt_audio', 'The channels of this recording cannot be mixed.');
  }
  return resampler;
}

function concatenate(a: Float32Array, b: Float32Array): Float32Array {
  const joined = new Float32Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}
