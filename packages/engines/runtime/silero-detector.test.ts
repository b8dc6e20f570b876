import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LiveSegmenter } from '@jyutsing/audio/speech/live-segmenter';
import { segmentSpeech } from '@jyutsing/audio/speech/segmenter';
import type { PcmChunk } from '@jyutsing/contracts/audio';
import { DEFAULT_TURN_DETECTION } from '@jyutsing/contracts/live-recognition';
import { createRandom } from '#packages/numeric/random.ts';
import { resample, speak } from '#testbed/sound/espeak-speech.ts';
import { makeNotSpeech } from '#testbed/sound/not-speech.ts';
import { createDetectorOf, createLiveDetectorOf, speechDetectorOf } from './speech-detection.ts';

const env = { builtinModelsDir: resolve(import.meta.dirname, '../../../models'), settings: {} };

async function* chunks(samples: Float32Array, size: number): AsyncGenerator<PcmChunk> {
  for (let at = 0; at < samples.length; at += size) {
    yield { samples: samples.slice(at, at + size), sampleRateHz: 16_000, startMs: at / 16 };
  }
}

async function segments(samples: Float32Array, size = 8_000) {
  const events = await Array.fromAsync(
    segmentSpeech(chunks(samples, size), new AbortController().signal, createDetectorOf(env)),
  );
  return events.flatMap((event) => (event.type === 'segment' ? [event.segment] : []));
}

/** Makes a second of silence, a sentence, two seconds of silence, the sentence again. */
async function speech() {
  const { channels, sampleRateHz } = await speak('nei5 hou2 ma3, ngo5 hou2 hoi1 sam1', {
    voice: 'yue-latn-jyutping+f3',
    pitch: 60,
  });
  const sentence = resample(channels[0]!, sampleRateHz, 16_000);
  const samples = new Float32Array(sentence.length * 2 + 4 * 16_000);
  samples.set(sentence, 16_000);
  samples.set(sentence, sentence.length + 3 * 16_000);
  return { samples, sentenceMs: sentence.length / 16 };
}

it('finds both sentences, in any size of chunks, also when they are quiet', async () => {
  const { samples, sentenceMs } = await speech();
  const [first, second, ...laterSegments] = await segments(samples);
  expect(laterSegments).toEqual([]);
  expect(Math.abs(first!.speechStartMs - 1_000)).toBeLessThan(200);
  expect(Math.abs(second!.speechStartMs - (3_000 + sentenceMs))).toBeLessThan(200);
  const startsOf = (speechSegments: typeof laterSegments) => speechSegments.map(({ speechStartMs }) => speechStartMs);
  expect(startsOf(await segments(samples, 777))).toEqual(startsOf([first!, second!]));
  expect(await segments(samples.map((value) => value / 20))).toHaveLength(2);
});

it('finds no speech in noise and silence, and takes little music for speech', async () => {
  const noise = Float32Array.from({ length: 96_000 }, (_, i) => 0.1 * Math.sin(i * i * 12.9898));
  expect(await segments(noise)).toHaveLength(0);
  expect(await segments(new Float32Array(96_000))).toHaveLength(0);
  let takenSamples = 0;
  const kinds = ['piano', 'organ', 'drums', 'strings', 'flute'];
  for (const kind of kinds) {
    for (const { samples } of await segments(makeNotSpeech(kind, 1, 6_000))) takenSamples += samples.length;
  }
  // WebRTC's detector reports more than eight tenths as speech.
  expect(takenSamples / (kinds.length * 96_000)).toBeLessThan(0.1);
});

it('is used unless the setting names the other one or the model is missing', () => {
  expect(speechDetectorOf(env)).toBe('silero');
  expect(speechDetectorOf({ ...env, settings: { STT_VAD: 'webrtc' } })).toBe('webrtc');
  expect(speechDetectorOf({ ...env, builtinModelsDir: '/nowhere' })).toBe('webrtc');
  expect(() => speechDetectorOf({ ...env, settings: { STT_VAD: 'other' } })).toThrow('STT_VAD');
});

/** Returns the events of a session for sound that comes in pieces of `size`. */
async function follow(samples: Float32Array, size: number, turn = DEFAULT_TURN_DETECTION) {
  const segmenter = new LiveSegmenter(await createLiveDetectorOf(env)(), turn);
  const events = [];
  for (let at = 0; at < samples.length; at += size) {
    events.push(...(await segmenter.push(samples.subarray(at, at + size))));
  }
  events.push(...segmenter.commit('end'));
  segmenter.close();
  return events;
}
const starts = (events: Awaited<ReturnType<typeof follow>>) =>
  events.flatMap((event) => (event.type === 'segment-start' ? [event.startMs] : []));

describe('live', () => {
  it('finds both sentences in any size of pieces', async () => {
    const { samples, sentenceMs } = await speech();
    const speechStarts = starts(await follow(samples, 1_600));
    expect(speechStarts).toHaveLength(2);
    for (const [index, spokenMs] of [1_000, 3_000 + sentenceMs].entries()) {
      const speechMs = speechStarts[index]! + DEFAULT_TURN_DETECTION.prefixPaddingMs;
      expect(Math.abs(speechMs - spokenMs)).toBeLessThan(150);
    }
    expect(starts(await follow(samples, 777))).toEqual(speechStarts);
  });

  it('takes little music for speech', async () => {
    const kinds = ['piano', 'organ', 'drums', 'strings', 'flute'];
    let takenSamples = 0;
    for (const kind of kinds) {
      for (const event of await follow(makeNotSpeech(kind, 1, 6_000), 1_600)) {
        if (event.type === 'piece') takenSamples += event.speech.samples.length;
      }
    }
    expect(takenSamples / (kinds.length * 96_000)).toBeLessThan(0.1);
  });

  it('goes on in time after a commit in the middle of a word', async () => {
    const { samples } = await speech();
    const segmenter = new LiveSegmenter(await createLiveDetectorOf(env)(), DEFAULT_TURN_DETECTION);
    await segmenter.push(samples.subarray(0, 20_123));
    segmenter.commit('commit');
    const events = await segmenter.push(samples.subarray(20_123));
    events.push(...segmenter.commit('end'));
    const ends = events.flatMap((event) => (event.type === 'segment-end' ? [event.endMs] : []));
    expect(ends).toHaveLength(2);
    expect(segmenter.receivedMs() - samples.length / 16).toBeCloseTo(0);
    const last = events.findLast((event) => event.type === 'piece');
    expect(Math.abs((last?.speech.speechEndMs ?? 0) - (samples.length / 16 - 1_000))).toBeLessThan(300);
  });

  it('a higher threshold takes less for speech', async () => {
    const { samples: clear } = await speech();
    // The model is sure of clear speech at every threshold.
    const random = createRandom(5);
    const samples = clear.map((sample) => sample + (random() - 0.5) / 4);
    const speechMs = async (threshold: number) =>
      (await follow(samples, 1_600, { ...DEFAULT_TURN_DETECTION, threshold })).reduce(
        (sum, event) => (event.type === 'piece' ? sum + event.speech.speechEndMs - event.speech.speechStartMs : sum),
        0,
      );
    expect(await speechMs(1)).toBeLessThan(await speechMs(0.1));
  });
});
