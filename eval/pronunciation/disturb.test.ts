import { expect, it } from 'vitest';
import { tones } from '#test/audio.ts';
import { disturb, speechLevelDb } from './disturb.ts';

function tone(frequencyHz: number): Float32Array {
  return tones([{ frequencyHz, durationMs: 1_000 }]).channels[0]!;
}

function levelDb(samples: Float32Array): number {
  return 10 * Math.log10(samples.reduce((sum, value) => sum + value * value, 0) / samples.length);
}

it('noise lies 10 dB below speech, and is the same again', () => {
  const sound = tone(400);
  const noisy = disturb(sound, 'noise 10 dB below', 3);
  const noise = noisy.map((value, index) => value - sound[index]!);
  expect(levelDb(noise)).toBeCloseTo(speechLevelDb(sound) - 10, 0);
  expect(disturb(sound, 'noise 10 dB below', 3)).toEqual(noisy);
});

function changeOnTelephoneDb(frequencyHz: number): number {
  const sound = tone(frequencyHz);
  const heard = disturb(sound, 'telephone', 1);
  expect(Math.abs(heard.length - sound.length)).toBeLessThan(64);
  return levelDb(heard) - levelDb(sound);
}

it('a telephone passes 1 kHz, and neither 100 Hz nor 6 kHz', () => {
  expect(changeOnTelephoneDb(1_000)).toBeCloseTo(0, 0);
  expect(changeOnTelephoneDb(100)).toBeLessThan(-15);
  expect(changeOnTelephoneDb(6_000)).toBeLessThan(-30);
});

it('a room leaves speech as loud as it was within a few dB, and changes it', () => {
  const sound = tone(400);
  const heard = disturb(sound, 'room', 5);
  expect(Math.abs(levelDb(heard) - levelDb(sound))).toBeLessThan(8);
  expect(heard).not.toEqual(sound);
  expect(disturb(sound, 'clean', 5)).toEqual(sound);
});
