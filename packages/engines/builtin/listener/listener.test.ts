import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { joinSamples } from '@jyutsing/audio/join-samples';
import { createRandom } from '#packages/numeric/random.ts';
import { resample, speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import type { Language } from '@jyutsing/contracts/transcript';
import { openListener, type Listener } from './listener.ts';

const MODELS = resolve(import.meta.dirname, '../../../../models');
let listener: Listener;
let english: Float32Array;

beforeAll(async () => {
  listener = await openListener(MODELS);
  english = await spoken('Please send me the report before Friday.', { voice: 'en' });
});
afterAll(() => listener.close());

async function read(sound: Float32Array, language: Language, signal = new AbortController().signal) {
  return listener.read(await listener.hear(sound), language, signal);
}

async function spoken(text: string, options?: Parameters<typeof speak>[1]): Promise<Float32Array> {
  const { channels, sampleRateHz } = await speak(text, options);
  return resample(channels[0]!, sampleRateHz, 16_000);
}

test('reads English with marks, its words in order and within the sound', async () => {
  const { words, isSilent, isTrusted } = await read(english, 'english');
  expect([isSilent, isTrusted]).toEqual([false, true]);
  expect(words.map((word) => word.text).join(' ')).toMatch(/^Please send me .*report before Friday \.$/);
  let reachedMs = 0;
  for (const { startMs, endMs } of words) {
    expect(startMs).toBeGreaterThanOrEqual(reachedMs);
    expect(endMs).toBeGreaterThanOrEqual(startMs);
    reachedMs = endMs;
  }
  expect(reachedMs).toBeLessThanOrEqual(english.length / 16);
});

test('does not trust a text that has nothing to do with the sound', async () => {
  const cantonese = await spoken(toJyutping('今日天氣好好，我哋一齊去公園。'));
  expect((await read(cantonese, 'english')).isTrusted).toBe(false);
});

test('reads English within Chinese as English, and Chinese alone without it', async () => {
  const cantonese = await spoken(toJyutping('今日天氣好好，我哋一齊去公園。'));
  const pause = new Float32Array(1_600);
  for (const [before, after] of [
    [cantonese, english],
    [english, cantonese],
  ] as const) {
    const { words } = await read(joinSamples([before, pause, after]), 'cantonese');
    const fromMs = before === english ? 0 : (cantonese.length + pause.length) / 16;
    const latin = words.filter(({ text }) => /^[A-Za-z]+$/.test(text));
    const sentence = ['please', 'send', 'me', 'the', 'report', 'before', 'friday'];
    expect(latin.filter(({ text }) => sentence.includes(text.toLowerCase())).length).toBeGreaterThan(2);
    expect(latin[0]!.startMs).toBeGreaterThanOrEqual(fromMs - 100);
    expect(latin.at(-1)!.endMs).toBeLessThanOrEqual(fromMs + english.length / 16 + 100);
    expect(words.some(({ text }) => /\p{Script=Han}/u.test(text))).toBe(true);
  }
  expect((await read(cantonese, 'cantonese')).words.filter(({ text }) => /[A-Za-z]/.test(text))).toEqual([]);
});

test('reads nothing in silence, noise and clicks', async () => {
  const random = createRandom(3);
  const sounds = [
    new Float32Array(16_000),
    Float32Array.from({ length: 32_000 }, () => (random() - 0.5) / 4),
    Float32Array.of(0.5),
    new Float32Array(0),
  ];
  for (const language of ['cantonese', 'mandarin', 'english'] as const) {
    for (const sound of sounds) expect((await read(sound, language)).isSilent).toBe(true);
  }
});

test('hears the syllables of Cantonese without reading a text', async () => {
  const jyutping = toJyutping('今日天氣好好，我哋一齊去公園。');
  const syllables = listener.recognizeSyllables(await listener.hear(await spoken(jyutping)), 'cantonese');
  const readings = new Set(syllables.map(({ alternatives }) => alternatives[0]?.reading.slice(0, -1)));
  const expected = ['gam', 'jat', 'tin', 'hei', 'hou', 'ngo', 'dei', 'cai', 'heoi', 'gung', 'jyun'];
  expect(expected.filter((syllable) => readings.has(syllable)).length).toBeGreaterThanOrEqual(8);
});

test('neither hears nor reads again what was heard and read to identify the language', async () => {
  const { signal } = new AbortController();
  const sound = await listener.hearForLanguage(english);
  const read = await listener.read(sound, 'english', signal);
  const again = await listener.hear(english);
  expect(again).toBe(sound);
  expect(await listener.read(again, 'english', signal)).toBe(read);
  expect(await listener.hear(english)).not.toBe(sound);
});

test('goes on for others when one of its users closes it', async () => {
  const other = await openListener(MODELS);
  await other.close();
  await other.close();
  expect((await listener.compareLanguages(await listener.hear(english))).every(Number.isFinite)).toBe(true);
});

test('stops at once when the request is given up, and refuses more than it takes', async () => {
  await expect(read(english, 'english', AbortSignal.abort(new Error('given up')))).rejects.toThrow('given up');
  await expect(listener.hear(new Float32Array(27 * 16_000))).rejects.toThrow('speech engine failed');
});

test('misses files and damaged descriptions with a sentence', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'listener-'));
  const inFolder = join(folder, 'listener');
  await mkdir(inFolder);
  await expect(openListener(folder)).rejects.toThrow('description of the listener is missing or damaged');
  await copyFile(join(MODELS, 'listener/listener.json'), join(inFolder, 'listener.json'));
  await expect(openListener(folder)).rejects.toThrow('lower.onnx is missing');
  await writeFile(join(inFolder, 'listener.json'), '{}');
  await expect(openListener(folder)).rejects.toThrow('description of the listener is missing or damaged');
  await rm(folder, { recursive: true });
});
