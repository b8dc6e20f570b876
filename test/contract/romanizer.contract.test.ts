import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PcmChunk } from '@jyutsing/contracts/audio';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import type { Romanizer } from '@jyutsing/contracts/romanizer';
import type { RecognizedSyllable } from '@jyutsing/contracts/transcript';
import { loadEngines, SHIPPED_ENGINES_DIR } from '@jyutsing/engines/registry';
import { isSyllable } from '@jyutsing/text/syllables/jyutping';
import { noise, type Sound } from '#testbed/sound/audio.ts';
import { durationOf, joinSounds, resample, speak } from '#testbed/sound/espeak-speech.ts';

const projectDir = resolve(import.meta.dirname, '../..');
const env = { builtinModelsDir: join(projectDir, 'models'), modelsDir: '/nowhere', settings: {} };
const registry = await loadEngines({ enginesDir: SHIPPED_ENGINES_DIR, env });
const models = registry.selectAll('romanizer');

const SENTENCES = ['gam1 jat6 tin1 hei3 hou2 hou2', 'ngo5 dei6 heoi3 gung1 jyun2 haang4 haa5'];
const GAP_MS = 500;
const spoken = await Promise.all(SENTENCES.map((sentence) => speak(sentence)));
const speech = samplesOf(joinSounds(spoken, GAP_MS));
const segments = spoken.map((sound, index) => {
  const startMs = spoken.slice(0, index).reduce((sum, before) => sum + durationOf(before) + GAP_MS, 0);
  return { startMs, endMs: startMs + durationOf(sound) };
});
const never = new AbortController().signal;

function samplesOf({ sampleRateHz, channels }: Sound): Float32Array {
  return resample(channels[0] ?? new Float32Array(0), sampleRateHz, RECOGNIZER_SAMPLE_RATE_HZ);
}

async function* chunks(samples: Float32Array, chunkSamples = 8_000, failAtEnd?: unknown): AsyncGenerator<PcmChunk> {
  for (let at = 0; at < samples.length; at += chunkSamples) {
    await new Promise((resolve) => setImmediate(resolve));
    yield { samples: samples.slice(at, at + chunkSamples), sampleRateHz: RECOGNIZER_SAMPLE_RATE_HZ, startMs: at / 16 };
  }
  if (failAtEnd !== undefined) throw failAtEnd;
}

const bestOf = (syllables: readonly RecognizedSyllable[]) =>
  syllables.map(({ alternatives }) => alternatives[0]?.reading ?? '');

describe.each(models)('$engine keeps the contract of a romanizer', (model) => {
  let romanizer: Romanizer;
  beforeAll(async () => {
    romanizer = await registry.open(model);
  });
  afterAll(() => romanizer.close());

  const romanize = async (
    audio: AsyncIterable<PcmChunk>,
    spans: readonly { startMs: number; endMs: number }[],
    signal = never,
  ) => {
    const events: RecognizedSyllable[][] = [];
    for await (const syllables of romanizer.romanize(audio, spans, signal)) events.push(syllables);
    return events;
  };

  it('has a name and a version', () => {
    expect(model.model).toMatch(/^[a-z0-9][a-z0-9.-]*$/);
    expect(model.version).not.toBe('');
  });

  it('gives one event per segment with its syllables', async () => {
    const events = await romanize(chunks(speech), segments);
    expect(events).toHaveLength(2);
    for (const [index, sentence] of SENTENCES.entries()) {
      const bases = bestOf(events[index] ?? []).map((reading) => reading.slice(0, -1));
      const expectedBases = sentence.split(' ').map((reading) => reading.slice(0, -1));
      const shared = expectedBases.filter((base) => bases.includes(base));
      expect(shared.length).toBeGreaterThanOrEqual(expectedBases.length - 1);
    }
  });

  it('alternatives are jyutping, most likely first, with probabilities of at most 1 in total', async () => {
    for (const { alternatives } of (await romanize(chunks(speech), segments)).flat()) {
      expect(alternatives.length).toBeGreaterThan(0);
      expect(alternatives.every(({ reading }) => isSyllable(reading))).toBe(true);
      const probabilities = alternatives.map(({ probability }) => probability);
      expect(probabilities).toEqual(probabilities.toSorted((a, b) => b - a));
      expect(Math.min(...probabilities)).toBeGreaterThan(0);
      expect(probabilities.reduce((sum, probability) => sum + probability, 0)).toBeLessThanOrEqual(1 + 1e-6);
    }
  });

  it('times are in order and near their segment', async () => {
    const events = await romanize(chunks(speech), segments);
    for (const [index, syllables] of events.entries()) {
      const { startMs: fromMs = 0, endMs: toMs = 0 } = segments[index] ?? {};
      let reachedMs = fromMs - 300;
      for (const { startMs, endMs } of syllables) {
        expect(startMs).toBeGreaterThanOrEqual(reachedMs);
        expect(endMs).toBeGreaterThanOrEqual(startMs);
        expect(endMs).toBeLessThanOrEqual(toMs + 300);
        reachedMs = startMs;
      }
    }
  });

  it('the chunk size does not change the result', async () => {
    expect(await romanize(chunks(speech, 1_237), segments)).toEqual(await romanize(chunks(speech, 1 << 20), segments));
  });

  it('segments of noise, without length and after the end give one event each', async () => {
    const events = await romanize(chunks(samplesOf(noise(2_000, 0.01))), [
      { startMs: 0, endMs: 0 },
      { startMs: 500, endMs: 1_500 },
      { startMs: 60_000, endMs: 61_000 },
    ]);
    expect(events).toHaveLength(3);
    expect(events[2]).toEqual([]);
  });

  it('no segments give no events, and an empty recording gives empty events', async () => {
    expect(await romanize(chunks(speech), [])).toEqual([]);
    expect(await romanize(chunks(new Float32Array(0)), segments)).toEqual([[], []]);
  });

  it('a segment of several minutes is romanized to its end', async () => {
    const long = samplesOf(
      joinSounds(
        Array.from({ length: 30 }, () => spoken[0]!),
        100,
      ),
    );
    const [syllables = []] = await romanize(chunks(long), [{ startMs: 0, endMs: long.length / 16 }]);
    expect(syllables.at(-1)?.endMs).toBeGreaterThan(long.length / 16 - 1_500);
    expect(syllables.length).toBeGreaterThan(30 * 4);
  });

  it('concurrent recordings are independent', async () => {
    const [, second] = segments;
    const alone = [await romanize(chunks(speech), segments), await romanize(chunks(speech), second ? [second] : [])];
    const together = await Promise.all([
      romanize(chunks(speech), segments),
      romanize(chunks(speech), second ? [second] : []),
    ]);
    expect(together).toEqual(alone);
  });

  it('an abort rejects with its reason, and an error of the audio source is passed on', async () => {
    const abort = new AbortController();
    const reason = { because: 'the client left' };
    abort.abort(reason);
    await expect(romanize(chunks(speech), segments, abort.signal)).rejects.toBe(reason);
    const broken = { because: 'the file is damaged' };
    const beyond = [{ startMs: 0, endMs: 600_000 }];
    await expect(romanize(chunks(speech, 8_000, broken), beyond)).rejects.toBe(broken);
  });

  it('close can be called twice', async () => {
    const other = await registry.open(model);
    await other.close();
    await expect(other.close()).resolves.toBeUndefined();
  });
});
