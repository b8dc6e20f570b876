import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { segmentSpeech } from '@jyutsing/audio/speech/segmenter';
import type { PcmChunk } from '@jyutsing/contracts/audio';
import { resample, speak } from '#test/espeak-speech.ts';
import { makeNotSpeech } from '#test/not-speech.ts';
import { createDetectorOf, speechDetectorOf } from './speech-detection.ts';

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

/** A second of silence, a sentence, two seconds of silence, the sentence again. */
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
  const [first, second, ...more] = await segments(samples);
  expect(more).toEqual([]);
  expect(Math.abs(first!.speechStartMs - 1_000)).toBeLessThan(200);
  expect(Math.abs(second!.speechStartMs - (3_000 + sentenceMs))).toBeLessThan(200);
  const startsOf = (found: typeof more) => found.map(({ speechStartMs }) => speechStartMs);
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
  // WebRTC's detector takes more than eight tenths.
  expect(takenSamples / (kinds.length * 96_000)).toBeLessThan(0.1);
});

it('is used unless the setting names the other one or the model is missing', () => {
  expect(speechDetectorOf(env)).toBe('silero');
  expect(speechDetectorOf({ ...env, settings: { STT_VAD: 'webrtc' } })).toBe('webrtc');
  expect(speechDetectorOf({ ...env, builtinModelsDir: '/nowhere' })).toBe('webrtc');
  expect(() => speechDetectorOf({ ...env, settings: { STT_VAD: 'other' } })).toThrow('STT_VAD');
});
