import { expect, it } from 'vitest';
import { tones } from '#testbed/sound/audio.ts';
import { degrade, speechLevelDb } from './degrade.ts';

function tone(frequencyHz: number): Float32Array {
  return tones([{ frequencyHz, durationMs: 1_000 }]).channels[0]!;
}

function levelDb(samples: Float32Array): number {
  return 10 * Math.log10(samples.reduce((sum, value) => sum + value * value, 0) / samples.length);
}

it('noise lies 10 dB below speech and is deterministic', () => {
  const sound = tone(400);
  const noisy = degrade(sound, 'noise 10 dB below', 3);
  const noise = noisy.map((value, index) => value - sound[index]!);
  expect(levelDb(noise)).toBeCloseTo(speechLevelDb(sound) - 10, 0);
  expect(degrade(sound, 'noise 10 dB below', 3)).toEqual(noisy);
});

function changeOnTelephoneDb(frequencyHz: number): number {
  const sound = tone(frequencyHz);
  const degradeed = degrade(sound, 'telephone', 1);
  expect(Math.abs(degradeed.length - sound.length)).toBeLessThan(64);
  return levelDb(degradeed) - levelDb(sound);
}

it('a telephone passes 1 kHz, but not 100 Hz or 6 kHz', () => {
  expect(changeOnTelephoneDb(1_000)).toBeCloseTo(0, 0);
  expect(changeOnTelephoneDb(100)).toBeLessThan(-15);
  expect(changeOnTelephoneDb(6_000)).toBeLessThan(-30);
});

it('room reverberation keeps the level within 8 dB and changes the sound', () => {
  const sound = tone(400);
  const degradeed = degrade(sound, 'room', 5);
  expect(Math.abs(levelDb(degradeed) - levelDb(sound))).toBeLessThan(8);
  expect(degradeed).not.toEqual(sound);
  expect(degrade(sound, 'clean', 5)).toEqual(sound);
});
