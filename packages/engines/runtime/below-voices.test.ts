import { resolve } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { LiveSegmenter } from '@jyutsing/audio/speech/live-segmenter';
import { segmentSpeech } from '@jyutsing/audio/speech/segmenter';
import type { PcmChunk } from '@jyutsing/contracts/audio';
import { DEFAULT_TURN_DETECTION } from '@jyutsing/contracts/live-recognition';
import { noise } from '#testbed/sound/audio.ts';
import { resample, speak } from '#testbed/sound/espeak-speech.ts';
import { createDetectorOf, createLiveDetectorOf } from './speech-detection.ts';

const RATE_HZ = 16_000;
/** Peak level of the quiet speech: −34 dB of full scale. */
const QUIET = 0.02;
const EARLIER_MS = 60;
/** Over hum Silero hears a voice longer. */
const LATER_MS = 280;

type Span = { speechStartMs: number; speechEndMs: number; samples: Float32Array };

/** A wave with an amplitude. */
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
  ['hum of 50 Hz', wave(50, 0.01)],
  ['hum of 60 Hz', wave(60, 0.01)],
];

/** Quiet speech in 600 ms of silence, with the noise of a good microphone. */
let quiet: Float32Array;
beforeAll(async () => {
  const { channels, sampleRateHz } = await speak('gam1 jat6 tin1 hei3 hou2 hou2');
  const speech = resample(channels[0]!, sampleRateHz, RATE_HZ);
  const pause = 0.6 * RATE_HZ;
  const hiss = noise(1_200 + speech.length / 16 + 1, 0.000_3).channels[0]!;
  quiet = hiss.subarray(0, 2 * pause + speech.length).map((sample, i) => sample + QUIET * (speech[i - pause] ?? 0));
});

const envOf = (detector: string) => ({
  builtinModelsDir: resolve(import.meta.dirname, '../../../models'),
  settings: { STT_VAD: detector },
});

async function* chunksOf(samples: Float32Array): AsyncGenerator<PcmChunk> {
  for (let at = 0; at < samples.length; at += 8_000) {
    yield { samples: samples.slice(at, at + 8_000), sampleRateHz: RATE_HZ, startMs: at / 16 };
  }
}

async function spansOfRecording(samples: Float32Array, detector: string): Promise<Span[]> {
  const createDetector = createDetectorOf(envOf(detector));
  const events = await Array.fromAsync(segmentSpeech(chunksOf(samples), new AbortController().signal, createDetector));
  return events.flatMap((event) => (event.type === 'segment' ? [event.segment] : []));
}

async function spansOfLive(samples: Float32Array, detector: string): Promise<Span[]> {
  const segmenter = new LiveSegmenter(await createLiveDetectorOf(envOf(detector))(), DEFAULT_TURN_DETECTION);
  const events = [...(await segmenter.push(samples)), ...segmenter.commit('end')];
  segmenter.close();
  return events.flatMap((event) => (event.type === 'piece' ? [event.speech] : []));
}

const CASES = ['silero', 'webrtc'].flatMap((detector) => [
  { detector, where: 'of a recording', spansOf: spansOfRecording },
  { detector, where: 'that arrives live', spansOf: spansOfLive },
]);

const isNear = (actualMs: number, expectedMs: number) =>
  actualMs >= expectedMs - EARLIER_MS && actualMs <= expectedMs + LATER_MS;

it.each(CASES)('$detector finds quiet speech $where over an offset, rumble and hum', async ({ detector, spansOf }) => {
  const [expected, ...additional] = await spansOf(quiet, detector);
  expect(additional).toEqual([]);
  const wrong: unknown[] = [];
  for (const [name, add] of ADDED) {
    const sound = quiet.map((sample, i) => sample + add(i / RATE_HZ));
    const [found, ...furtherSpans] = await spansOf(sound, detector);
    const isFound =
      found !== undefined &&
      furtherSpans.length === 0 &&
      isNear(found.speechStartMs, expected!.speechStartMs) &&
      isNear(found.speechEndMs, expected!.speechEndMs);
    if (!isFound) wrong.push({ name, found: found && [found.speechStartMs, found.speechEndMs] });
  }
  expect(wrong).toEqual([]);
});

it.each(CASES)('$detector takes none of them $where for speech', async ({ detector, spansOf }) => {
  const wrong: string[] = [];
  for (const [name, add] of ADDED) {
    const sound = Float32Array.from({ length: 2 * RATE_HZ }, (_sample, i) => add(i / RATE_HZ));
    if ((await spansOf(sound, detector)).length > 0) wrong.push(name);
  }
  expect(wrong).toEqual([]);
});

it('what is recognized is the sound as it came', async () => {
  const sound = quiet.map((sample) => sample + 0.02);
  for (const { detector, spansOf } of CASES) {
    const [span] = await spansOf(sound, detector);
    expect(span!.samples.reduce((sum, sample) => sum + sample, 0) / span!.samples.length).toBeCloseTo(0.02, 3);
  }
});
