import { afterEach, describe, expect, it } from 'vitest';
import { joinSamples } from '#audio/join-samples.ts';
import { createTempoChanger, type TempoChanger } from './tempo.ts';

const RATE_HZ = 24_000;
const TEMPOS = [0.25, 0.5, 0.8, 1, 1.25, 2, 4];

const tone = (frequencyHz: number, seconds: number) =>
  Float32Array.from(
    { length: Math.round(RATE_HZ * seconds) },
    (_, i) => 0.4 * Math.sin((2 * Math.PI * frequencyHz * i) / RATE_HZ),
  );

const open: TempoChanger[] = [];
afterEach(() => {
  for (const changer of open.splice(0)) changer.close();
});

async function changed(samples: Float32Array, tempo: number, pieceSamples = samples.length): Promise<Float32Array> {
  const changer = await createTempoChanger(tempo, RATE_HZ);
  open.push(changer);
  const pieces: Float32Array[] = [];
  for (let at = 0; at < samples.length; at += pieceSamples) {
    pieces.push(changer.push(samples.subarray(at, at + pieceSamples)));
  }
  return joinSamples([...pieces, changer.flush()]);
}

/** Returns the frequency in the middle half of the sound, by counting its upward zero crossings. */
function frequencyOf(samples: Float32Array): number {
  const [from, to] = [Math.floor(samples.length / 4), Math.floor((samples.length * 3) / 4)];
  let crossings = 0;
  for (let i = from + 1; i < to; i += 1) if (samples[i - 1]! < 0 && samples[i]! >= 0) crossings += 1;
  return (crossings * RATE_HZ) / (to - from);
}

describe.each(TEMPOS)('at tempo %d', (tempo) => {
  it.each([0, 1, 777, RATE_HZ])('%i samples become exactly their share', async (length) => {
    expect(await changed(tone(200, length / RATE_HZ), tempo)).toHaveLength(Math.round(length / tempo));
  });

  it('the pitch stays', async () => {
    const frequencyHz = frequencyOf(await changed(tone(200, 8), tempo));
    expect(Math.abs(frequencyHz - 200)).toBeLessThan(4);
  });

  it('the length does not depend on how the sound was cut', async () => {
    const sound = tone(200, 0.5);
    const complete = await changed(sound, tempo);
    for (const pieceSamples of [240, 1_000, 9_999]) {
      expect(await changed(sound, tempo, pieceSamples)).toHaveLength(complete.length);
    }
  });

  it('the end fades to silence', async () => {
    const sound = await changed(tone(200, 1), tempo);
    expect(Math.abs(sound.at(-1)!)).toBeLessThan(0.05);
  });
});

it('two sounds changed at the same time do not mix', async () => {
  const [low, high] = await Promise.all([createTempoChanger(2, RATE_HZ), createTempoChanger(0.5, RATE_HZ)]);
  open.push(low, high);
  const pieces: [Float32Array[], Float32Array[]] = [[], []];
  const sounds = [tone(150, 1), tone(400, 1)] as const;
  for (let at = 0; at < RATE_HZ; at += 1_000) {
    pieces[0].push(low.push(sounds[0].subarray(at, at + 1_000)));
    pieces[1].push(high.push(sounds[1].subarray(at, at + 1_000)));
  }
  expect(Math.abs(frequencyOf(joinSamples([...pieces[0], low.flush()])) - 150)).toBeLessThan(4);
  expect(Math.abs(frequencyOf(joinSamples([...pieces[1], high.flush()])) - 400)).toBeLessThan(4);
});

it('samples that are too loud or no numbers do not spoil the sound', async () => {
  const sound = tone(200, 1);
  sound[5_000] = NaN;
  sound[6_000] = Infinity;
  const out = await changed(sound, 1.5);
  expect(out.every((sample) => Number.isFinite(sample) && Math.abs(sample) <= 1.01)).toBe(true);
});
