import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { joinSamples } from '@jyutsing/audio/join-samples';
import { segmentSpeech, type SpeechSegment } from '@jyutsing/audio/speech/segmenter';
import type { PcmChunk } from '@jyutsing/contracts/audio';
import { resample, speak } from '#testbed/sound/espeak-speech.ts';
import { makeNotSpeech } from '#testbed/sound/not-speech.ts';
import { SURROUNDINGS } from '#testbed/sound/surroundings.ts';
import { createDetectorOf, voiceModelOf } from './speech-detection.ts';

const env = { builtinModelsDir: resolve(import.meta.dirname, '../../../models'), settings: {} };

async function* chunksOf(samples: Float32Array): AsyncGenerator<PcmChunk> {
  for (let at = 0; at < samples.length; at += 8_000) {
    yield { samples: samples.slice(at, at + 8_000), sampleRateHz: 16_000, startMs: at / 16 };
  }
}

async function segmentsOf(samples: Float32Array): Promise<SpeechSegment[]> {
  const events = await Array.fromAsync(
    segmentSpeech(chunksOf(samples), new AbortController().signal, createDetectorOf(env)),
  );
  return events.flatMap((event) => (event.type === 'segment' ? [event.segment] : []));
}

async function sentence(): Promise<Float32Array> {
  const { channels, sampleRateHz } = await speak('nei5 hou2 ma3, ngo5 hou2 hoi1 sam1', {
    voice: 'yue-latn-jyutping+f3',
  });
  return resample(channels[0]!, sampleRateHz, 16_000);
}

it('finds no speech in weather, machines and music without words', async () => {
  const taken: string[] = [];
  for (const [index, kind] of Object.keys(SURROUNDINGS).entries()) {
    const noise = makeNotSpeech(kind, 5_000, 4_000).map((value) => value * 0.5 ** (index % 4));
    if ((await segmentsOf(noise)).length > 0) taken.push(kind);
  }
  expect(taken).toEqual([]);
});

it('takes humming for speech only now and then', async () => {
  let taken = 0;
  for (let seed = 31_000; seed < 31_020; seed += 1) {
    const noise = makeNotSpeech('humming', seed, 4_000).map((value) => value * 0.3);
    if ((await segmentsOf(noise)).length > 0) taken += 1;
  }
  expect(taken).toBeLessThanOrEqual(1);
});

it('noise between two sentences belongs to neither of them', async () => {
  const spoken = await sentence();
  const sentenceMs = spoken.length / 16;
  const stretchMs = 900;
  const wrong: string[] = [];
  for (const kind of ['brown noise', 'wind in gusts', 'plucked tune']) {
    const noise = makeNotSpeech(kind, 5_001, 4_000).map((value) => value * 0.2);
    const times = (await segmentsOf(joinSamples([spoken, noise, spoken]))).map(({ speechStartMs, speechEndMs }) => [
      speechStartMs,
      speechEndMs,
    ]);
    const spokenTimes = [0, sentenceMs + 4_000].map((startMs) => [startMs, startMs + sentenceMs]);
    const isRight =
      times.length === 2 && times.flat().every((timeMs, i) => Math.abs(timeMs - spokenTimes.flat()[i]!) < stretchMs);
    if (!isRight) wrong.push(`${kind}: ${times.join(' | ')}`);
  }
  expect(wrong).toEqual([]);
});

it('a segment has the probability that it is no speech, which noise raises', async () => {
  const spoken = await sentence();
  const noise = makeNotSpeech('pink noise', 5_002, spoken.length / 16);
  const [clean] = await segmentsOf(spoken);
  const [noisy] = await segmentsOf(spoken.map((value, i) => value * 0.3 + 0.2 * (noise[i] ?? 0)));
  expect(clean!.noSpeech).toBeGreaterThan(0);
  expect(clean!.noSpeech).toBeLessThan(0.15);
  expect(noisy!.noSpeech).toBeGreaterThan(clean!.noSpeech! * 2);
});

it('hears the same voice at any level', async () => {
  const spoken = await sentence();
  const voiceOf = voiceModelOf(env);
  const [loud, quiet] = [await voiceOf(spoken), await voiceOf(spoken.map((value) => value / 50))];
  expect(loud.length).toBe(Math.floor(spoken.length / 512));
  expect(Math.max(...loud)).toBeGreaterThan(0.9);
  for (const [step, probability] of loud.entries()) expect(quiet[step]).toBeCloseTo(probability, 2);
});
