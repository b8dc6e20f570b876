import { join } from 'node:path';
import { decodeAudio } from '../../src/audio/decode.ts';
import { openAcousticModel } from '../../src/engines/builtin/acoustic-model.ts';
import { createDecoder } from '../../src/engines/builtin/decoder/index.ts';
import type { PcmChunk } from '../../src/contracts/audio.ts';
import {
  RECOGNIZER_SAMPLE_RATE_HZ,
  type EngineSurroundings,
  type RecognizerChoice,
} from '../../src/contracts/recognizer.ts';
import { scoringCharacters } from '../language-model/scoring.ts';
import { editDistance, errorRate, type Count, type ErrorRate } from './score.ts';
import type { EvaluationSet } from './sets.ts';

/** What one engine did on one set. `speed`: seconds of sound per second of processor time, decoding included. */
export type Row = {
  set: string;
  engine: string;
  recordings: number;
  errors: ({ what: string } & ErrorRate)[];
  speed: number;
};

/**
 * The built-in acoustic model alone: syllables as heard over the whole recording, without voice activity detection, lexicon or
 * language model. Greedy CTC against the reference jyutping.
 */
export async function evaluateSyllables(set: EvaluationSet, surroundings: EngineSurroundings): Promise<Row> {
  const folder = join(surroundings.builtinModelsDir, 'yue');
  const acoustic = await openAcousticModel({
    model: join(folder, 'acoustic.onnx'),
    description: join(folder, 'acoustic.json'),
  });
  const decoder = createDecoder({ labels: acoustic.labels, languageModelPath: join(folder, 'language-model.bin') });
  const toned: Count[] = [];
  const toneless: Count[] = [];
  const clock = startClock();
  for (const { path, jyutping } of set.items) {
    if (jyutping === null) continue;
    const samples = await clock.time(() => readSamples(path));
    const heard = await clock.time(async () => decoder.decodeSyllables(await acoustic.listen(samples)));
    clock.addSound(samples.length / RECOGNIZER_SAMPLE_RATE_HZ);
    const readings = heard.map((syllable) => syllable.jyutping);
    toned.push({ errors: editDistance(readings, jyutping), length: jyutping.length });
    const [bareHeard, bareExpected] = [readings.map(withoutTone), jyutping.map(withoutTone)];
    toneless.push({ errors: editDistance(bareHeard, bareExpected), length: jyutping.length });
  }
  await acoustic.close();
  return {
    set: set.name,
    engine: 'builtin acoustic model',
    recordings: toned.length,
    errors: [
      { what: 'syllable error with tone', ...errorRate(toned) },
      { what: 'syllable error without tone', ...errorRate(toneless) },
    ],
    speed: clock.speed(),
  };
}

/** A whole recogniser as the service uses it: character error rate; punctuation, blanks and spellings of one word do not count. */
export async function evaluateRecognizer(
  set: EvaluationSet,
  { engine, model }: RecognizerChoice,
  surroundings: EngineSurroundings,
): Promise<Row> {
  const recognizer = await engine.open(surroundings, model.name);
  const counts: Count[] = [];
  const clock = startClock();
  for (const { path, text } of set.items) {
    if (text === null) continue;
    let heard = '';
    await clock.time(async () => {
      const { signal } = new AbortController();
      const options = { language: 'cantonese', context: null } as const;
      for await (const event of recognizer.recognize(counted(path, clock.addSound), options, signal)) {
        if (event.type === 'segment-end') heard += event.segment.text;
      }
    });
    const expected = scoringCharacters(text);
    counts.push({ errors: editDistance(scoringCharacters(heard), expected), length: expected.length });
  }
  await recognizer.close();
  return {
    set: set.name,
    engine: model.name,
    recordings: counts.length,
    errors: [{ what: 'character error', ...errorRate(counts) }],
    speed: clock.speed(),
  };
}

/** Counts the processor's time and not the wall's, which other programs on the machine would lengthen. */
function startClock() {
  let workedMicroseconds = 0;
  let soundSeconds = 0;
  return {
    async time<T>(work: () => Promise<T>): Promise<T> {
      const before = process.cpuUsage();
      const result = await work();
      const { user, system } = process.cpuUsage(before);
      workedMicroseconds += user + system;
      return result;
    },
    addSound: (seconds: number) => void (soundSeconds += seconds),
    speed: () => soundSeconds / (workedMicroseconds / 1_000_000),
  };
}

async function* counted(path: string, addSound: (seconds: number) => void): AsyncGenerator<PcmChunk> {
  for await (const chunk of decode(path)) {
    addSound(chunk.samples.length / chunk.sampleRateHz);
    yield chunk;
  }
}

function decode(path: string): AsyncIterable<PcmChunk> {
  return decodeAudio(path, {
    sampleRateHz: RECOGNIZER_SAMPLE_RATE_HZ,
    signal: new AbortController().signal,
    maxDurationMs: 36e6,
  });
}

async function readSamples(path: string): Promise<Float32Array> {
  const chunks = await Array.fromAsync(decode(path));
  const samples = new Float32Array(chunks.reduce((length, chunk) => length + chunk.samples.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    samples.set(chunk.samples, at);
    at += chunk.samples.length;
  }
  return samples;
}

function withoutTone(syllable: string): string {
  return syllable.replace(/[1-6]$/, '');
}
