import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openVoice } from '#packages/engines/syllable/open-voice.ts';
import { soundsOf } from '#packages/engines/syllable/sounds-of.ts';
import { readVoiceFile } from '#packages/engines/syllable/voice-file.ts';
import { buildVoice } from './build-voice.ts';
import { cutSyllable } from './cut-syllable.ts';
import { MS, RATE_HZ } from './signal.ts';

const PITCHES: Readonly<Record<string, number>> = { aa1: 190, saa3: 150, maa4: 105 };

/** A made-up recording: silence, an onset, and a vowel of harmonics near two formants. */
function recordingOf(label: keyof typeof PITCHES): Float32Array {
  const pitchHz = PITCHES[label]!;
  const [silence, onset, vowel] = [60 * MS, label === 'aa1' ? 0 : 110 * MS, 500 * MS];
  let noise = 1;
  return Float32Array.from({ length: 2 * silence + onset + vowel }, (_, i) => {
    const at = i - silence;
    if (at < 0 || at >= onset + vowel) return 0;
    const edge = Math.min(1, at / (10 * MS), (onset + vowel - at) / (30 * MS));
    if (at < onset && label === 'saa3') {
      noise = (noise * 16_807) % 2_147_483_647;
      return 0.05 * (noise / 1_073_741_824 - 1);
    }
    const formants = at < onset ? [250, 1_000] : [750, 1_200];
    return edge * (at < onset ? 0.1 : 0.3) * harmonics(pitchHz, formants, i);
  });
}

function harmonics(pitchHz: number, formants: readonly number[], i: number): number {
  let sum = 0;
  for (let n = 1; n * pitchHz < 4_000; n += 1) {
    const weight = formants.reduce((most, hz) => Math.max(most, 1 / (1 + ((n * pitchHz - hz) / 150) ** 2)), 0.02);
    sum += weight * Math.cos((2 * Math.PI * n * pitchHz * i) / RATE_HZ);
  }
  return sum / 4;
}

const folder = await mkdtemp(join(tmpdir(), 'syllable-voice-'));
afterAll(() => rm(folder, { recursive: true }));
const cut = Object.keys(PITCHES).map((label) => cutSyllable(recordingOf(label), label, 150));

test('a syllable is cut where its sounds change, and marked once in every period', () => {
  for (const { label, marks, rime, start, end, coda } of cut) {
    const inside = marks.filter((mark) => mark > rime && mark < end);
    const pitchHz = (RATE_HZ * (inside.length - 1)) / (inside.at(-1)! - inside[0]!);
    expect(pitchHz / PITCHES[label]!).toBeCloseTo(1, 1);
    expect(coda).toBe(end);
    const onsetMs = (rime - start) / MS;
    expect(Math.abs(onsetMs - (label === 'aa1' ? 0 : 110))).toBeLessThan(25);
  }
});

test('a moment without pitch, where a tone turns, does not end the voice', () => {
  const creaking = recordingOf('maa4');
  creaking.fill(0, 270 * MS, 285 * MS);
  const { start, rime } = cutSyllable(creaking, 'maa4', 150);
  expect(Math.abs((rime - start) / MS - 110)).toBeLessThan(25);
});

test('a long rime is shortened by whole periods', () => {
  for (const { rime, end, marks } of cut) {
    expect((end - rime) / MS).toBeGreaterThan(240);
    expect((end - rime) / MS).toBeLessThan(330);
    const inside = [...marks].filter((mark) => mark > rime && mark < end);
    const periods = inside.slice(1).map((mark, i) => mark - inside[i]!);
    const usual = periods.toSorted((a, b) => a - b)[periods.length >> 1]!;
    for (const period of periods) expect(Math.abs(period / usual - 1)).toBeLessThan(0.2);
  }
});

test('a voice file gives back the syllables that were built into it', async () => {
  const path = join(folder, 'tiny.voice');
  const file = buildVoice(cut.map(({ samples, ...unit }) => ({ samples, units: [unit] })));
  await writeFile(path, file);
  const voice = await openVoice(path, soundsOf('cantonese'));
  for (const { label, samples } of cut) {
    const { sound, tune } = voice.find(label, false)!;
    expect([sound.label, tune.label]).toEqual([label, label]);
    expect(sound.samples).toHaveLength(samples.length);
    // Opus keeps the wave of vowels, not that of noise.
    const [from, to] = [sound.rime, sound.end];
    expect(correlation(sound.samples.subarray(from, to), samples.subarray(from, to))).toBeGreaterThan(0.9);
  }
  voice.close();
  expect(() => readVoiceFile(file.subarray(0, -1))).toThrow('cut off');
  expect(() => readVoiceFile(new Uint8Array(20))).toThrow('not a voice file');
});

test('a recording without a voice at the pitch of its tone is refused', () => {
  expect(() => cutSyllable(new Float32Array(RATE_HZ / 2), 'aa1', 150)).toThrow('no voice');
});

function correlation(a: Float32Array, b: Float32Array): number {
  let [ab, aa, bb] = [0, 0, 0];
  for (const [i, x] of a.entries()) [ab, aa, bb] = [ab + x * b[i]!, aa + x * x, bb + b[i]! ** 2];
  return ab / Math.sqrt(aa * bb);
}
