import { AV_SAMPLE_FMT_FLT } from 'node-av/constants';
import { avChannelLayoutDefault, Frame, Rational } from 'node-av/lib';
import { describe, expect, it } from 'vitest';
import { createMixer } from './mixer.ts';

/** Makes a frame in which each channel has one constant value. */
function frameOf(values: readonly number[], count: number, sampleRateHz = 16_000): Frame {
  return frameOfSamples(values.length, count, (_, channel) => values[channel]!, sampleRateHz);
}

/** Makes a frame of the samples that `sampleAt` returns. */
function frameOfSamples(
  channels: number,
  count: number,
  sampleAt: (index: number, channel: number) => number,
  sampleRateHz = 16_000,
): Frame {
  const samples = Float32Array.from({ length: count * channels }, (_, at) =>
    sampleAt(Math.floor(at / channels), at % channels),
  );
  return Frame.fromAudioBuffer(Buffer.from(samples.buffer), {
    nbSamples: count,
    format: AV_SAMPLE_FMT_FLT,
    sampleRate: sampleRateHz,
    channelLayout: avChannelLayoutDefault(channels),
    timeBase: new Rational(1, sampleRateHz),
  });
}

/** Returns all samples that a mixer makes of frames. */
function mixed(frames: readonly Frame[], options: Parameters<typeof createMixer>[1] = {}): number[] {
  const mixer = createMixer(16_000, options);
  const samples = frames.flatMap((frame) => {
    using ownedFrame = frame;
    return [...mixer.push(ownedFrame)];
  });
  samples.push(...mixer.flush());
  mixer.close();
  return samples;
}

/** Frames of stereo at 44.1 kHz, then of one channel at 8 kHz. */
const twoKinds = () => [
  ...Array.from({ length: 7 }, (_, i) => frameOf([i / 10, -i / 20], 160 + i, 44_100)),
  ...Array.from({ length: 5 }, (_, i) => frameOf([i / 10], 200, 8_000)),
];

describe('channels in one', () => {
  it.each<[string, number[], number]>([
    ['one channel is as it was', [0.25], 0.25],
    ['the mean of two', [0.5, -0.25], 0.125],
  ])('%s', (_name, values, expected) => {
    const samples = mixed([frameOf(values, 400), frameOf(values, 1)]);
    expect(samples).toHaveLength(401);
    for (const sample of samples) expect(sample).toBeCloseTo(expected, 6);
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('full scale in all of %i stays within full scale', (count) => {
    const samples = mixed([
      frameOf(
        Array.from({ length: count }, () => 1),
        200,
      ),
    ]);
    expect(Math.max(...samples)).toBeLessThanOrEqual(1.000_001);
    expect(Math.min(...samples)).toBeGreaterThan(0.5);
  });

  it('several frames at a time give what they give one by one', () => {
    const expected = mixed(twoKinds());
    for (const samplesAtATime of [300, 600, 20_000]) expect(mixed(twoKinds(), { samplesAtATime })).toEqual(expected);
  });

  it('or only the wanted one, silent where frames have fewer', () => {
    const frames = [frameOf([0.1, 0.2, 0.3], 100), frameOf([0.4, -0.5], 100), frameOf([0.6], 100)];
    const samples = mixed(frames, { channel: 1 }).map((sample) => Math.round(sample * 10) / 10 + 0);
    expect(samples).toEqual([0.2, -0.5, 0].flatMap((value) => Array.from({ length: 100 }, () => value)));
  });

  it('of opposite phase are not lost, whatever channels are beside them', () => {
    const lost = [2, 3, 4, 5, 6, 7, 8, 10].filter((count) => {
      // Enough sound for a choice between mean and difference.
      const frames = Array.from({ length: 100 }, (_, frame) =>
        frameOfSamples(
          count,
          400,
          (index, channel) => ([0.5, -0.5][channel] ?? 0) * Math.sin((frame * 400 + index) / 3),
        ),
      );
      const samples = mixed(frames);
      return Math.hypot(...samples) / Math.sqrt(samples.length) < 0.05;
    });
    expect(lost).toEqual([]);
  });

  it.each([16_000, 44_100, 48_000])('of opposite phase at %i Hz are not lost where the phase changes', (rateHz) => {
    const tone = (index: number) => 0.5 * Math.sin((2 * Math.PI * 440 * index) / rateHz);
    const frames = Array.from({ length: 100 }, (_, frame) =>
      frameOfSamples(
        2,
        rateHz / 25,
        (index, channel) => tone((frame * rateHz) / 25 + index) * (channel === 1 && frame < 50 ? -1 : 1),
        rateHz,
      ),
    );
    const samples = mixed(frames, { lookaheadMs: 2_000, samplesAtATime: 8_192 });
    expect(Math.abs(samples.length - 64_000)).toBeLessThanOrEqual(2);
    const expected = samples.map((_, index) => 0.5 * Math.sin((2 * Math.PI * 440 * index) / 16_000));
    const wrong = samples.filter((sample, index) => Math.abs(sample - expected[index]!) > 0.01);
    // The ends of the filter, and the block in which the phase changes.
    expect(wrong.length).toBeLessThan(16 * 20);
  });

  it.each([1, 800])('of frames that change their channels are in order, %i samples at a time', (samplesAtATime) => {
    const samples = mixed([frameOf([0.5], 100), frameOf([0.2, 0.4], 100), frameOf([-0.5], 100)], { samplesAtATime });
    expect(samples.map((sample) => Math.round(sample * 10) / 10)).toEqual(
      [0.5, 0.3, -0.5].flatMap((value) => Array.from({ length: 100 }, () => value)),
    );
  });
});

describe('the length', () => {
  it.each([8_000, 11_025, 22_050, 44_100, 48_000, 96_000])('at %i Hz is the same time', (rateHz) => {
    const frames = Array.from({ length: 20 }, () => frameOf([0.5], rateHz / 25, rateHz));
    // The length is 0.8 s up to the rounding of the filters.
    expect(Math.abs(mixed(frames).length - 12_800)).toBeLessThanOrEqual(2);
  });

  it('of a file that changes its rate midway has both parts', () => {
    const samples = mixed([frameOf([0.5], 16_000, 16_000), frameOf([-0.5], 8_000, 8_000)]);
    expect(Math.abs(samples.length - 32_000)).toBeLessThanOrEqual(2);
    expect(samples[8_000]).toBeCloseTo(0.5, 3);
    expect(samples[24_000]).toBeCloseTo(-0.5, 3);
  });

  it('without frames is zero', () => {
    expect(mixed([])).toEqual([]);
  });
});

it('sound of too many samples for its time is refused at once', () => {
  const mixer = createMixer(16_000);
  using frame = frameOf([0, 0, 0, 0, 0, 0, 0, 0], 1, 192_000);
  expect(() => mixer.push(frame)).toThrow('8 channels at 192000 Hz');
  mixer.close();
});
