import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PcmChunk } from '@jyutsing/contracts/audio';
import type { DiarizationEvent, Diarizer, SpeakerTurn } from '@jyutsing/contracts/diarizer';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { loadEngines, SHIPPED_ENGINES_DIR } from '@jyutsing/engines/registry';
import { noise, silence, tones, type Sound } from '#testbed/sound/audio.ts';
import { installTestModel } from '#test/sherpa-onnx/recognizer-models.ts';
import { camPlusPlusFiles, pyannoteFiles } from '#test/sherpa-onnx/speaker-models.ts';
import { joinSounds, resample, speak } from '#testbed/sound/espeak-speech.ts';
import { checkSpeakerRange } from './diarizer-rules.ts';

/** Test models in place of downloaded ones; they find one speaker wherever the audio is loud. */
const modelsDir = await mkdtemp(join(tmpdir(), 'diarizer-contract-'));
await installTestModel(modelsDir, 'pyannote-segmentation-3.0', pyannoteFiles());
await installTestModel(modelsDir, 'campplus-speaker', camPlusPlusFiles());
afterAll(() => rm(modelsDir, { recursive: true, force: true }));
const env = { builtinModelsDir: resolve(import.meta.dirname, '../../models'), modelsDir, settings: {} };
const registry = await loadEngines({ enginesDir: SHIPPED_ENGINES_DIR, env });
const models = registry.selectAll('diarizer');

const WOMAN = { voice: 'en-us+f3', pitch: 75 };
const MAN = { voice: 'en-us+m7', pitch: 20 };

async function conversation(): Promise<Float32Array> {
  const lines = [
    await speak('Good morning, how can I help you with your booking today?', WOMAN),
    await speak('I would like to take the late train to the harbour tomorrow evening.', MAN),
    await speak('There is one at seven, and another one at half past nine.', WOMAN),
    await speak('Then please give me two places by the window at half past nine.', MAN),
  ];
  return samplesOf(joinSounds(lines, 500));
}

function samplesOf({ sampleRateHz, channels }: Sound): Float32Array {
  return resample(channels[0] ?? new Float32Array(0), sampleRateHz, RECOGNIZER_SAMPLE_RATE_HZ);
}

async function* stream(samples: Float32Array, chunkSize = 8_000, failAtEnd?: unknown): AsyncGenerator<PcmChunk> {
  for (let at = 0; at < samples.length; at += chunkSize) {
    await new Promise((resolve) => setImmediate(resolve));
    const piece = samples.slice(at, at + chunkSize);
    yield { samples: piece, sampleRateHz: RECOGNIZER_SAMPLE_RATE_HZ, startMs: at / 16 };
  }
  if (failAtEnd !== undefined) throw failAtEnd;
}

function turnsOf(events: readonly DiarizationEvent[]): SpeakerTurn[] {
  return events.flatMap((event) => (event.type === 'turns' ? event.turns : []));
}

const never = new AbortController().signal;

it('the built-in diarizer is always available, ranked after sherpa-onnx', () => {
  expect(models.map(({ engine }) => engine)).toEqual(['sherpa-onnx', 'builtin']);
});

describe.each(models)('$engine keeps the contract of a diarizer', (model) => {
  let diarizer: Diarizer;
  let speech = new Float32Array(0);
  beforeAll(async () => {
    diarizer = await registry.open(model);
    speech = new Float32Array(await conversation());
  });
  afterAll(() => diarizer.close());
  const diarize = (samples: Float32Array, chunkSize?: number) =>
    Array.fromAsync(diarizer.diarize(stream(samples, chunkSize), never));

  it('has a version, and a reason when its models are missing', () => {
    expect(model.version).toMatch(/^[\w.-]{1,64}$/);
    const nowhere = { builtinModelsDir: '/nowhere', modelsDir: '/nowhere', settings: {} };
    const missing = registry
      .engines('diarizer')
      .find(({ name }) => name === model.engine)!
      .models(nowhere);
    expect(missing.map(({ availability }) => availability)).toMatchObject([
      { available: false, reason: expect.stringMatching(/\w/) },
    ]);
  });

  it('turns are ordered, not empty and within the recording', async () => {
    const turns = turnsOf(await diarize(speech));
    expect(turns.length).toBeGreaterThan(0);
    const lengthMs = speech.length / 16;
    for (const { startMs, endMs } of turns) {
      expect(startMs).toBeGreaterThanOrEqual(0);
      expect(endMs).toBeGreaterThan(startMs);
      expect(endMs).toBeLessThanOrEqual(lengthMs);
    }
    expect(turns.map(({ startMs }) => startMs)).toEqual(turns.map(({ startMs }) => startMs).toSorted((a, b) => a - b));
  });

  it('speakers are numbered from 0 by their first turn', async () => {
    const seen: number[] = [];
    for (const { speaker } of turnsOf(await diarize(speech))) if (!seen.includes(speaker)) seen.push(speaker);
    expect(seen).toEqual(seen.map((_, index) => index));
  });

  it('progress never decreases, and the turns come once, at the end', async () => {
    const events = await diarize(speech);
    const progress = events.flatMap((event) => (event.type === 'progress' ? [event.processedMs] : []));
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
    expect(progress.at(-1)).toBeLessThanOrEqual(speech.length / 16);
    expect(events.map(({ type }) => type).indexOf('turns')).toBe(events.length - 1);
  });

  it.each([
    ['silence', samplesOf(silence(5_000))],
    ['nothing', new Float32Array(0)],
    ['a moment', new Float32Array(7)],
  ])('%s has no turns', async (_, samples) => {
    expect(turnsOf(await diarize(samples))).toEqual([]);
  });

  it('has as many speakers as the request says', async () => {
    await expect(checkSpeakerRange(diarizer, () => stream(speech))).resolves.toBeUndefined();
  });

  it('the chunk size does not change the result', async () => {
    const usual = turnsOf(await diarize(speech));
    for (const chunkSize of [777, speech.length]) expect(turnsOf(await diarize(speech, chunkSize))).toEqual(usual);
  });

  it('an abort rejects with its reason, and an error of the audio source is passed on', async () => {
    const abort = new AbortController();
    const reason = { because: 'the client left' };
    const long = new Float32Array(RECOGNIZER_SAMPLE_RATE_HZ * 3_600);
    const ended = Array.fromAsync(diarizer.diarize(stream(long), abort.signal)).then(
      () => 'it was not aborted',
      (thrown: unknown) => thrown,
    );
    await sleep(5);
    abort.abort(reason);
    expect(await ended).toBe(reason);
    const error = { because: 'the file is damaged' };
    await expect(Array.fromAsync(diarizer.diarize(stream(speech, 8_000, error), never))).rejects.toBe(error);
  });

  it('concurrent recordings are independent', async () => {
    const other = speech.slice(0, speech.length / 2);
    const [one, two] = await Promise.all([diarize(speech), diarize(other)]);
    expect(turnsOf(one)).toEqual(turnsOf(await diarize(speech)));
    expect(turnsOf(two)).toEqual(turnsOf(await diarize(other)));
  });
});

it('a diarizer that finds its own number of speakers breaks the rule', async () => {
  const lying: Diarizer = {
    async *diarize() {
      yield { type: 'turns', turns: [0, 1].map((speaker) => ({ startMs: speaker, endMs: speaker + 1, speaker })) };
    },
    close: async () => {},
  };
  await expect(checkSpeakerRange(lying, () => stream(new Float32Array(0)))).rejects.toThrow(
    '2 speakers, where 1 to 1 were wanted',
  );
});

describe('the built-in diarizer', () => {
  const model = models.find(({ engine }) => engine === 'builtin')!;
  let diarizer: Diarizer;
  beforeAll(async () => {
    diarizer = await registry.open(model);
  });
  afterAll(() => diarizer.close());
  const diarize = async (samples: Float32Array) =>
    turnsOf(await Array.fromAsync(diarizer.diarize(stream(samples), never)));

  it('a woman and a man taking turns are two speakers', async () => {
    const turns = await diarize(await conversation());
    expect(turns.map(({ speaker }) => speaker).filter((speaker, index, all) => speaker !== all[index - 1])).toEqual([
      0, 1, 0, 1,
    ]);
  });

  it('a single voice is one speaker, even in a short recording', async () => {
    const long = samplesOf(joinSounds([await speak('This is all that I have to say about it.', MAN)], 300));
    const short = samplesOf(await speak('Yes.', WOMAN));
    for (const samples of [long, short]) {
      expect(new Set((await diarize(samples)).map(({ speaker }) => speaker))).toEqual(new Set([0]));
    }
  });

  it.each([
    ['hiss', samplesOf(noise(5_000, 0.05))],
    ['a tone', samplesOf(tones([{ frequencyHz: 440, durationMs: 5_000 }]))],
  ])('%s has no speaker', async (_, samples) => {
    expect(await diarize(samples)).toEqual([]);
  });
});
