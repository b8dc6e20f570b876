import { expect, it } from 'vitest';
import { decodeG711 } from '@jyutsing/audio/g711';
import { fromInt16Bytes, toInt16Bytes } from '@jyutsing/audio/encoding/sample-values';
import { createRawSound, type RawSound } from './raw-sound.ts';

/** Half a second of 440 Hz at half of full scale. */
const TONE = Float32Array.from({ length: 12_000 }, (_, at) => Math.sin((2 * Math.PI * 440 * at) / 24_000) / 2);

function convert(format: RawSound, pieceBytes: number): Buffer {
  const sound = createRawSound(format);
  const pcm = toInt16Bytes(TONE);
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < pcm.length; at += pieceBytes) pieces.push(sound.push(pcm.subarray(at, at + pieceBytes)));
  return Buffer.concat([...pieces, sound.finish()]);
}

it.each([8_000, 16_000, 22_050, 24_000, 48_000])('speech of %i Hz sounds as before, however it is cut', (rate) => {
  const format: RawSound = { encoding: 'linear16', sampleRateHz: rate, container: 'none' };
  const whole = convert(format, 24_000);
  expect(convert(format, 777)).toEqual(whole);
  const samples = fromInt16Bytes(whole);
  expect(samples.length / rate).toBeGreaterThanOrEqual(0.5);
  expect(samples.length / rate).toBeLessThan(0.521);
  // The middle, which no edge reaches.
  for (let at = Math.round(rate * 0.1); at < rate * 0.4; at += 1) {
    expect(samples[at]).toBeCloseTo(Math.sin((2 * Math.PI * 440 * at) / rate) / 2, 2);
  }
});

it('telephone sound is one byte a sample, and WAV has a header that says so', () => {
  const bytes = convert({ encoding: 'mulaw', sampleRateHz: 8_000, container: 'wav' }, 5_000);
  expect(bytes.subarray(0, 4).toString()).toBe('RIFF');
  expect([bytes.readUInt16LE(20), bytes.readUInt32LE(24), bytes.readUInt16LE(34)]).toEqual([7, 8_000, 8]);
  const samples = decodeG711(bytes.subarray(44), 'mulaw');
  expect(samples.length / 8_000).toBeCloseTo(0.5, 1);
  expect(Math.max(...samples)).toBeCloseTo(0.5, 1);
});
