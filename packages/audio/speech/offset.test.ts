import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DEFAULT_TURN_DETECTION } from '@jyutsing/contracts/live-recognition';
import { noise, wavBytes } from '#testbed/sound/audio.ts';
import { resample, speak } from '#testbed/sound/espeak-speech.ts';
import { decodeAudio } from '../decode.ts';
import { createLiveSpeechDetector } from './live-speech-detector.ts';
import { LiveSegmenter } from './live-segmenter.ts';
import { segmentSpeech } from './segmenter.ts';

const RATE_HZ = 16_000;
/** Peak level of the quiet speech: −34 dB of full scale. */
const QUIET = 0.02;
const TOLERANCE_MS = 60;

type Span = { speechStartMs: number; speechEndMs: number };

/** Waves with an amplitude, in seconds and hertz. */
const wave = (frequencyHz: number, level: number) => (s: number) => level * Math.sin(2 * Math.PI * frequencyHz * s);
const ADDED: [string, (s: number) => number][] = [
  ['an offset of 1 %', () => 0.01],
  ['an offset of 2 %', () => 0.02],
  ['an offset of −5 %', () => -0.05],
  ['an offset of 20 %', () => 0.2],
  ['a slowly drifting offset', (s) => 0.1 + wave(0.3, 0.1)(s)],
  ['an offset that begins in a pause', (s) => (s > 0.2 ? 0.05 : 0)],
  ['rumble of 8 Hz', wave(8, 0.1)],
  ['rumble of 20 Hz', wave(20, 0.1)],
  ['hum of 50 Hz', wave(50, 0.02)],
  ['hum of 60 Hz', wave(60, 0.02)],
];

let folder = '';
/** Quiet speech in 600 ms of silence, with the noise of a good microphone. */
let quiet: Float32Array;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'offset-test-'));
  const { channels } = await speak('gam1 jat6 tin1 hei3 hou2 hou2');
  const speech = resample(channels[0]!, 24_000, RATE_HZ);
  const pause = 0.6 * RATE_HZ;
  const hiss = noise(1_200 + speech.length / 16 + 1, 0.000_3).channels[0]!;
  quiet = hiss.subarray(0, 2 * pause + speech.length).map((sample, i) => sample + QUIET * (speech[i - pause] ?? 0));
});
afterAll(() => rm(folder, { recursive: true }));

const withAdded = (add: (s: number) => number) => quiet.map((sample, i) => sample + add(i / RATE_HZ));

async function spansOfFile(samples: Float32Array): Promise<Span[]> {
  const path = join(folder, 'quiet.wav');
  await writeFile(path, wavBytes({ sampleRateHz: RATE_HZ, channels: [samples] }));
  const { signal } = new AbortController();
  const sound = decodeAudio(path, { sampleRateHz: RATE_HZ, maxDurationMs: 60_000, signal, withoutRumble: true });
  const events = await Array.fromAsync(segmentSpeech(sound, signal));
  return events.flatMap((event) => (event.type === 'segment' ? [event.segment] : []));
}

async function spansOfLive(samples: Float32Array): Promise<Span[]> {
  const segmenter = new LiveSegmenter(await createLiveSpeechDetector(), DEFAULT_TURN_DETECTION);
  const events = [...(await segmenter.push(samples)), ...segmenter.commit('end')];
  segmenter.close();
  return events.flatMap((event) => (event.type === 'piece' ? [event.speech] : []));
}

function areAlike(actual: readonly Span[], expected: readonly Span[]): boolean {
  return (
    actual.length === expected.length &&
    actual.every(({ speechStartMs, speechEndMs }, i) => {
      const { speechStartMs: startMs, speechEndMs: endMs } = expected[i]!;
      return Math.abs(speechStartMs - startMs) <= TOLERANCE_MS && Math.abs(speechEndMs - endMs) <= TOLERANCE_MS;
    })
  );
}

it.each([
  ['of a file', spansOfFile],
  ['that arrives live', spansOfLive],
])('quiet speech %s is found in the same place with an offset, rumble or hum', async (_, spansOf) => {
  const expected = await spansOf(quiet);
  expect(expected.length).toBeGreaterThan(0);
  const wrong: unknown[] = [];
  for (const [name, add] of ADDED) {
    const actual = await spansOf(withAdded(add));
    if (!areAlike(actual, expected))
      wrong.push({ name, actual: actual.map(({ speechStartMs, speechEndMs }) => [speechStartMs, speechEndMs]) });
  }
  expect(wrong).toEqual([]);
});

it.each([
  ['of a file', spansOfFile],
  ['that arrives live', spansOfLive],
])('an offset, rumble or hum alone %s is no speech', async (_, spansOf) => {
  const wrong: string[] = [];
  for (const [name, add] of ADDED) {
    const sound = Float32Array.from({ length: 2 * RATE_HZ }, (_sample, i) => add(i / RATE_HZ));
    if ((await spansOf(sound)).length > 0) wrong.push(name);
  }
  expect(wrong).toEqual([]);
});
