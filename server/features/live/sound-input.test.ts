import { expect, it } from 'vitest';
import { bytesPerSecond, createChannelSplitter, createSoundInput, type SoundFormat } from './sound-input.ts';

const linear = (channels = 1): SoundFormat => ({ encoding: 'linear16', sampleRateHz: 16_000, channels });
const bytesOf = (samples: readonly number[]) => new Uint8Array(Int16Array.from(samples).buffer);

it('keeps half a sample until its other half arrives', () => {
  const input = createSoundInput(linear());
  const bytes = bytesOf([16_384, -16_384]);
  expect([...input(bytes.subarray(0, 1))]).toEqual([]);
  expect([...input(bytes.subarray(1, 3))]).toEqual([0.5]);
  expect([...input(bytes.subarray(3))]).toEqual([-0.5]);
});

it('mixes channels', () => {
  expect([...createSoundInput(linear(2))(bytesOf([16_384, 0, -16_384, -16_384]))]).toEqual([0.25, -0.5]);
});

it('a second of 8 kHz telephone sound gives a second for the recognizer', () => {
  const format: SoundFormat = { encoding: 'mulaw', sampleRateHz: 8_000, channels: 1 };
  const samples = createSoundInput(format)(new Uint8Array(8_000).fill(0x80));
  expect(bytesPerSecond(format)).toBe(8_000);
  expect(samples.length).toBeGreaterThan(15_900);
  expect(samples[8_000]).toBeCloseTo(32_124 / 32_768, 2);
});

it('splits channels of bytes that are cut anywhere', () => {
  const split = createChannelSplitter(linear(3));
  const bytes = bytesOf([1, 258, -3, 4, 515, -6]);
  const pieces = [bytes.subarray(0, 7), bytes.subarray(7)].map((piece) => [...split(piece)]);
  const channels = [0, 1, 2].map((channel) => Buffer.concat(pieces.map((piece) => piece[channel]!)));
  expect(channels.map((channel) => [channel.readInt16LE(0), channel.readInt16LE(2)])).toEqual([
    [1, 4],
    [258, 515],
    [-3, -6],
  ]);
});

it('splits a channel when it is asked for, so that others can run in between', () => {
  const channels = createChannelSplitter(linear(2))(Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8))[Symbol.iterator]();
  expect(channels.next()).toEqual({ value: Uint8Array.of(1, 2, 5, 6), done: false });
  expect(channels.next()).toEqual({ value: Uint8Array.of(3, 4, 7, 8), done: false });
  expect(channels.next().done).toBe(true);
});
