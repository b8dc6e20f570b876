import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { measureVoiceSample } from '@jyutsing/audio/voice/measure-voice-sample';
import { VOICE_PROFILE_VERSION } from '@jyutsing/audio/voice/measure-voice';
import { loadShippedVoices, type ShippedVoice } from './shipped-voices.ts';

const SHIPPED_VOICES_DIR = join(import.meta.dirname, '../../../voices');

let shipped: ShippedVoice[];
let folder: string;
beforeAll(async () => {
  shipped = loadShippedVoices(SHIPPED_VOICES_DIR);
  folder = await mkdtemp(join(tmpdir(), 'jyutsing-shipped-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('seven voices ship: three women, two men, a child, an older speaker', () => {
  expect(shipped.map(({ voice }) => [voice.id, voice.gender])).toEqual([
    ['jasmine', 'female'],
    ['maria', 'female'],
    ['kelvin', 'male'],
    ['marcus', 'male'],
    ['lok-lok', 'neutral'],
    ['granny-chan', 'female'],
    ['emily', 'female'],
  ]);
  for (const { voice } of shipped) {
    const language = voice.id === 'emily' ? 'english' : 'cantonese';
    expect(voice).toMatchObject({ accountId: null, language, consentedAtMs: null });
    expect(voice.name).toMatch(/^\p{Script=Han}+ [A-Z][A-Za-z ]+$/u);
  }
});

test('no two voices have the same name', () => {
  const names = shipped.flatMap((shippedVoice) => [...new Set(shippedVoice.names.map((name) => name.toLowerCase()))]);
  expect(new Set(names).size).toBe(names.length);
});

test('a sample matches the profile of its voice and has the format of private samples', async () => {
  for (const { voice, samplePath } of shipped) {
    // Otherwise training/voices/make-shipped-voices.ts must run again.
    expect(voice.profile.version).toBe(VOICE_PROFILE_VERSION);
    const wav = await readFile(samplePath);
    expect(wav.length).toBe(voice.sample.sizeBytes);
    expect([wav.toString('latin1', 0, 4), wav.readUInt16LE(22), wav.readUInt32LE(24)]).toEqual(['RIFF', 1, 24_000]);
    expect(voice.sample.durationMs).toBeCloseTo((wav.length - 44) / 48, -1);
    const { profile } = await measureVoiceSample(samplePath, new AbortController().signal);
    expect(Math.abs(semitones(profile.pitchMedianHz, voice.profile.pitchMedianHz))).toBeLessThan(1.5);
    // The first two formants depend more on the vowels than on the voice.
    expect(Math.abs(profile.formantsHz[2] / voice.profile.formantsHz[2] - 1)).toBeLessThan(0.12);
  }
});

test('any two voices of a language differ by two semitones, or in the length of their vocal tracts', () => {
  for (const [i, { voice: one }] of shipped.entries()) {
    for (const { voice: other } of shipped.slice(i + 1)) {
      if (one.language !== other.language) continue;
      const apart = Math.abs(semitones(one.profile.pitchMedianHz, other.profile.pitchMedianHz));
      const longer = Math.abs(one.profile.formantsHz[2] / other.profile.formantsHz[2] - 1);
      expect([one.id, other.id, apart >= 2 || longer >= 0.05]).toEqual([one.id, other.id, true]);
    }
  }
});

const semitones = (a: number, b: number) => 12 * Math.log2(a / b);

test('a malformed voice is refused with its name', async () => {
  for (const [content, id] of [
    ['{', 'broken'],
    ['{}', 'empty'],
  ] as const) {
    await cp(join(SHIPPED_VOICES_DIR, 'maria'), join(folder, id), { recursive: true });
    await writeFile(join(folder, id, 'voice.json'), content);
    expect(() => loadShippedVoices(folder)).toThrow(`The shipped voice "${id}" is malformed.`);
    await rm(join(folder, id), { recursive: true });
  }
  await cp(join(SHIPPED_VOICES_DIR, 'maria'), join(folder, 'silent'), { recursive: true });
  await rm(join(folder, 'silent', 'sample.wav'));
  expect(() => loadShippedVoices(folder)).toThrow('The shipped voice "silent" is malformed.');
});
