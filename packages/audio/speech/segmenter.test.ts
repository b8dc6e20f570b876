import { describe, expect, it } from 'vitest';
import type { PcmChunk } from '@jyutsing/contracts/audio';
import { noise, silence, tones, type Sound } from '#testbed/sound/audio.ts';
import { whistle } from '#test/audio-whistled.ts';
import { segmentSpeech, type SpeechSegment } from './segmenter.ts';

const never = new AbortController().signal;

async function* chunksOf(samples: Float32Array, chunkSamples = 8_000): AsyncGenerator<PcmChunk> {
  for (let at = 0; at < samples.length; at += chunkSamples) {
    yield { samples: samples.slice(at, at + chunkSamples), sampleRateHz: 16_000, startMs: at / 16 };
  }
}

async function segments(samples: Float32Array, chunkSamples?: number): Promise<SpeechSegment[]> {
  const speechSegments: SpeechSegment[] = [];
  for await (const event of segmentSpeech(chunksOf(samples, chunkSamples), never)) {
    if (event.type === 'segment') speechSegments.push(event.segment);
  }
  return speechSegments;
}

const samplesOf = (sound: Sound) => sound.channels[0] ?? new Float32Array(0);
const speech = (syllables: number) =>
  samplesOf(whistle(Array.from({ length: syllables }, (_, i) => ['hoeng1', 'gong2', 'jan4', 'nei5'][i % 4] ?? null)));

function join(...parts: Float32Array[]): Float32Array {
  const all = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

const pause = (durationMs: number) => samplesOf(silence(durationMs));
const scaled = (samples: Float32Array, factor: number) => samples.map((sample) => sample * factor);
const mixed = (a: Float32Array, b: Float32Array) => a.map((sample, i) => sample + (b[i] ?? 0));

describe('sounds other than speech give no segment', () => {
  it.each([
    ['nothing', new Float32Array(0)],
    ['a single sample', new Float32Array(1)],
    ['silence', pause(10_000)],
    ['quiet hiss', samplesOf(noise(10_000, 0.003))],
    ['loud steady noise', samplesOf(noise(10_000, 0.5))],
    ['noise that begins after silence', join(pause(3_000), samplesOf(noise(8_000, 0.2)))],
    ['a dialling tone', samplesOf(tones([{ frequencyHz: 425, durationMs: 10_000 }]))],
    ['mains hum', samplesOf(tones([{ frequencyHz: 50, durationMs: 10_000, level: 0.1 }]))],
    ['a click', join(pause(2_000), new Float32Array(160).fill(0.9), pause(2_000))],
  ])('%s', async (_, samples) => {
    expect(await segments(samples)).toEqual([]);
  });
});

describe('speech', () => {
  it('is found where it is, to a tenth of a second, with padding around it', async () => {
    const [only, ...laterSegments] = await segments(join(pause(2_000), speech(4), pause(2_000)));
    expect(laterSegments).toEqual([]);
    expect(Math.abs((only?.speechStartMs ?? 0) - 2_000)).toBeLessThan(100);
    expect(Math.abs((only?.speechEndMs ?? 0) - 3_080)).toBeLessThan(100);
    expect(only?.startMs).toBeLessThan(only?.speechStartMs ?? 0);
    expect((only?.samples.length ?? 0) / 16).toBeGreaterThan(1_200);
  });

  it('is found when the recording begins and ends in the middle of it', async () => {
    const [only, ...laterSegments] = await segments(speech(6));
    expect(laterSegments).toEqual([]);
    expect(only?.speechStartMs).toBeLessThan(150);
    expect(only?.speechEndMs).toBeGreaterThan(1_450);
  });

  it.each([0.3, 0.1, 0.03])('is found at %f of its level', async (factor) => {
    expect(await segments(scaled(join(pause(1_000), speech(8), pause(1_000)), factor))).toHaveLength(1);
  });

  it('is found in noise 20 dB below it', async () => {
    const clean = join(pause(2_000), speech(8), pause(2_000));
    const speechSegments = await segments(mixed(clean, samplesOf(noise(clean.length / 16, 0.03))));
    expect(speechSegments).toHaveLength(1);
    expect(Math.abs((speechSegments[0]?.speechStartMs ?? 0) - 2_000)).toBeLessThan(250);
  });

  it('is one segment over a short pause and two over a long one', async () => {
    expect(await segments(join(pause(500), speech(4), pause(300), speech(4), pause(500)))).toHaveLength(1);
    expect(await segments(join(pause(500), speech(4), pause(1_000), speech(4), pause(500)))).toHaveLength(2);
  });

  it('without a long pause is cut at the longest one after 15 seconds, without loss', async () => {
    const long = join(speech(20), pause(300), speech(20), pause(450), speech(20), pause(250), speech(20));
    const speechSegments = await segments(join(pause(1_000), long, pause(1_000)));
    expect(speechSegments.length).toBeGreaterThan(1);
    // 20 syllables of 270 ms, a pause of 300 ms, 20 syllables: the pause of 450 ms begins here.
    expect(Math.abs((speechSegments[0]?.speechEndMs ?? 0) - (1_000 + 5_400 + 300 + 5_400))).toBeLessThan(150);
    const speechMs = speechSegments.reduce((sum, segment) => sum + segment.speechEndMs - segment.speechStartMs, 0);
    expect(speechMs).toBeGreaterThan(80 * 270 - 500);
  });

  it('without any pause is cut before 20 seconds', async () => {
    const speechSegments = await segments(join(pause(1_000), speech(180), pause(1_000)));
    for (const { speechStartMs, speechEndMs } of speechSegments)
      expect(speechEndMs - speechStartMs).toBeLessThanOrEqual(20_000);
    const speechMs = speechSegments.reduce((sum, segment) => sum + segment.speechEndMs - segment.speechStartMs, 0);
    expect(speechMs).toBeGreaterThan(180 * 270 - 1_000);
  });

  it('segment samples equal the recording at their time, without overlap', async () => {
    const recording = join(pause(700), speech(80), pause(900), speech(10), pause(650), speech(3));
    let reachedMs = 0;
    for (const { samples, startMs } of await segments(recording)) {
      expect(startMs).toBeGreaterThanOrEqual(reachedMs);
      expect(samples).toEqual(recording.slice(startMs * 16, startMs * 16 + samples.length));
      reachedMs = startMs + samples.length / 16;
    }
    expect(reachedMs).toBeGreaterThan(20_000);
  });

  it('the cuts do not depend on the chunk size', async () => {
    const recording = join(pause(700), speech(30), pause(900), speech(10), pause(900));
    expect(await segments(recording, 333)).toEqual(await segments(recording, 16_000));
  });
});

it('sound of another rate is refused instead of misheard', async () => {
  const wrong = (async function* () {
    yield { samples: new Float32Array(100), sampleRateHz: 8_000, startMs: 0 };
  })();
  await expect(segmentSpeech(wrong, never).next()).rejects.toMatchObject({ code: 'internal_error' });
});
