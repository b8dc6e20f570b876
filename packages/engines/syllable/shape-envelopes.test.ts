import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRandom } from '#packages/numeric/random.ts';
import { openFinish, type Finish } from './finish.ts';
import { LEAD } from './overlap-add.ts';
import { createEnvelopeShaper, createFrameMarks, soundAhead, type EnvelopeConversion } from './shape-envelopes.ts';

const RATE_HZ = 24_000;
const LENGTH = RATE_HZ;
let finish: Finish;
beforeAll(async () => {
  finish = await openFinish(resolve(import.meta.dirname, '../../../models/cmn/finish.onnx'));
});
afterAll(() => finish.close());

/** Makes noise, then a voice of 200 Hz whose formant jumps after half of the time, as at a join. */
function joinedSound(ahead: number) {
  const sound = new Float32Array(LENGTH + ahead);
  const random = createRandom(1);
  // Phrases begin with silence.
  for (let i = LEAD; i < LENGTH; i += 1) {
    if (i < LENGTH / 5) sound[i] = 0.1 * (2 * random() - 1);
    else {
      const formantHz = i < LENGTH / 2 ? 700 : 1_800;
      for (let hz = 200; hz < 4_000; hz += 200)
        sound[i]! += (0.1 / (1 + ((hz - formantHz) / 200) ** 2)) * Math.cos((2 * Math.PI * hz * i) / RATE_HZ);
    }
  }
  const voicing = createFrameMarks(sound.length);
  voicing.fill(1, LENGTH / 5 / 160);
  return { sound, voicing };
}

type Changes = { finish: Finish | null; convert: EnvelopeConversion | null };

/** Shapes the sound, taken up to each of these places in turn. */
async function shaped(changes: Changes, ends: readonly number[]): Promise<Float32Array> {
  const { sound, voicing } = joinedSound(soundAhead(changes));
  const shaper = createEnvelopeShaper(sound, { ...changes, voicing });
  const parts: Float32Array[] = [];
  for (const end of ends) parts.push(await shaper.take(end));
  return Float32Array.from(parts.flatMap((part) => [...part]));
}

const original = joinedSound(0).sound;
const difference = (a: Float32Array, b: Float32Array) =>
  a.reduce((largest, sample, i) => Math.max(largest, Math.abs(sample - b[i]!)), 0);

const levelDb = (part: Float32Array) => 10 * Math.log10(part.reduce((sum, sample) => sum + sample * sample, 1e-9));
const brighter: EnvelopeConversion = (envelopeDb) => {
  for (const bin of envelopeDb.keys()) envelopeDb[bin]! += bin / 100;
};

test('a conversion that changes nothing gives the sound itself', async () => {
  const unchanged = await shaped({ finish: null, convert: () => {} }, [LENGTH]);
  expect(unchanged.length).toBe(LENGTH);
  expect(difference(unchanged, original)).toBeLessThan(1e-6);
  const untouched = await shaped({ finish: null, convert: null }, [LENGTH]);
  expect(difference(untouched, original)).toBe(0);
});

test('the finish changes the sound alike however it is taken', async () => {
  const atOnce = await shaped({ finish, convert: null }, [LENGTH]);
  const inParts = await shaped({ finish, convert: null }, [-50, 100, 101, 5_000, 5_000, 4_000, 17_003, LENGTH]);
  expect(inParts.length).toBe(LENGTH);
  expect(difference(inParts, atOnce)).toBeLessThan(1e-5);
  expect(difference(atOnce, original)).toBeGreaterThan(0.01);
});

test('a conversion after the finish keeps the levels that it gave', async () => {
  const finished = await shaped({ finish, convert: null }, [LENGTH]);
  const converted = await shaped({ finish, convert: brighter }, [LENGTH]);
  for (let at = 2_400; at < LENGTH - 2_400; at += 2_400) {
    const change = levelDb(converted.subarray(at, at + 2_400)) - levelDb(finished.subarray(at, at + 2_400));
    expect(Math.abs(change)).toBeLessThan(3);
  }
  expect(difference(converted, finished)).toBeGreaterThan(0.01);
});
