import { describe, expect, it } from 'vitest';
import { trackPitch } from '@jyutsing/audio/voice/track-pitch';
import { resample, speak } from '#testbed/sound/espeak-speech.ts';
import { inventPerson, speakAs } from './other-person.ts';

const median = (values: Float32Array): number => values.filter((hz) => hz > 0).sort()[values.length >> 2] ?? 0;

describe('recordings converted to other speakers', () => {
  it('speakers differ, and a seed always gives the same one', () => {
    expect(inventPerson(3)).toEqual(inventPerson(3));
    const registers = Array.from({ length: 50 }, (_, seed) => inventPerson(seed).registerHz);
    expect(Math.min(...registers)).toBeLessThan(140);
    expect(Math.max(...registers)).toBeGreaterThan(250);
  });

  it('have their own register and tempo at the same sample rate', async () => {
    const { sampleRateHz, channels } = await speak('si1 maa1 faan1');
    const samples = resample(channels[0]!, sampleRateHz, 16_000);
    const person = { ...inventPerson(1), registerHz: 260, span: 1, tempo: 0.8 };
    const other = speakAs(samples, person);
    expect(other.length / samples.length).toBeCloseTo(1 / 0.8, 1);
    const pitch = median(trackPitch(other, 16_000, { minHz: 60, maxHz: 500 }).pitchHz);
    expect(pitch).toBeGreaterThan(200);
    expect(pitch).toBeLessThan(330);
    expect(other.every(Number.isFinite)).toBe(true);
  });

  it('are empty for empty input', () => {
    expect(speakAs(new Float32Array(0), inventPerson(1)).length).toBeLessThan(1_000);
    expect(speakAs(new Float32Array(4_000), inventPerson(1)).every(Number.isFinite)).toBe(true);
  });
});
