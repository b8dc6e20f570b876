import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PcmChunk } from '@jyutsing/contracts/audio';
import {
  RECOGNIZER_SAMPLE_RATE_HZ,
  type RecognitionEvent,
  type Recognizer,
  type RecognizerEngine,
  type RecognizerModel,
} from '@jyutsing/contracts/recognizer';
import { LANGUAGES, type Segment } from '@jyutsing/contracts/transcript';

/** An engine under test. `speech` is audio that it recognizes, or that resembles speech. */
export type RecognizerSubject = {
  engine: RecognizerEngine;
  model: RecognizerModel;
  open(): Promise<Recognizer>;
  speech: Float32Array;
  /** Other audio of another length, for concurrent streams. */
  otherSpeech: Float32Array;
  /**
   * Tells whether `speech` must give text; false for languages that the tests cannot synthesize.
   */
  mustRecognize: boolean;
};

/**
 * Rules for every recognizer, by name. Each throws an AssertionError when the subject breaks it.
 */
const RECOGNIZER_RULES = {
  'capabilities are declared': async ({ engine, model }: RecognizerSubject) => {
    for (const { name } of [engine, model]) assert.match(name, /^[a-z0-9][a-z0-9.-]*$/);
    assert.ok(model.version.length > 0, 'the version is part of the cache key');
    const qualities = Object.values(model.capabilities.languages);
    assert.ok(qualities.length > 0, 'a model without a language is never selected');
    for (const quality of qualities) assert.ok(quality > 0 && quality <= 100, `a quality of ${quality}`);
  },
  'silence gives no segment': async (subject: RecognizerSubject) => {
    const silence = new Float32Array(RECOGNIZER_SAMPLE_RATE_HZ * 5);
    assert.deepEqual(segmentsOf(await recognize(subject, silence)), []);
  },
  'an empty stream gives no segment': async (subject: RecognizerSubject) => {
    assert.deepEqual(segmentsOf(await recognize(subject, new Float32Array(0))), []);
  },
  'speech gives text': async (subject: RecognizerSubject) => {
    const segments = segmentsOf(await recognizeSpeech(subject));
    if (subject.mustRecognize) assert.ok(segments.length > 0, 'nothing was recognized');
  },
  'text is never empty': async (subject: RecognizerSubject) => {
    for (const segment of segmentsOf(await recognizeSpeech(subject))) {
      assert.notEqual(segment.text.trim(), '');
      for (const word of segment.words) assert.notEqual(word.text.trim(), '');
    }
  },
  'segments are ordered and do not overlap': async (subject: RecognizerSubject) => {
    let reachedMs = 0;
    for (const { startMs, endMs } of segmentsOf(await recognizeSpeech(subject))) {
      assert.ok(startMs >= reachedMs, `a segment starts at ${startMs}, before ${reachedMs}`);
      assert.ok(endMs > startMs, `a segment from ${startMs} to ${endMs}`);
      reachedMs = endMs;
    }
  },
  'segments lie within the recording': async (subject: RecognizerSubject) => {
    const durationMs = durationOf(subject.speech);
    for (const { startMs, endMs } of segmentsOf(await recognizeSpeech(subject))) {
      assert.ok(startMs >= 0 && endMs <= durationMs, `${startMs}–${endMs} in a recording of ${durationMs}`);
    }
  },
  'words lie within their segment, in order': async (subject: RecognizerSubject) => {
    for (const segment of segmentsOf(await recognizeSpeech(subject))) {
      let reachedMs = segment.startMs;
      for (const { startMs, endMs } of segment.words) {
        assert.ok(startMs >= reachedMs && endMs >= startMs && endMs <= segment.endMs, `a word at ${startMs}–${endMs}`);
        reachedMs = endMs;
      }
    }
  },
  'segments have words if word times are declared': async (subject: RecognizerSubject) => {
    const isPromised = subject.model.capabilities.timestamps === 'word';
    for (const segment of segmentsOf(await recognizeSpeech(subject))) {
      assert.equal(segment.words.length > 0, isPromised);
    }
  },
  'confidence is within 0..1, or null if not declared': async (subject: RecognizerSubject) => {
    const isPromised = subject.model.capabilities.confidence;
    for (const segment of segmentsOf(await recognizeSpeech(subject))) {
      for (const { confidence } of [segment, ...segment.words]) {
        if (isPromised) assert.ok(confidence !== null && confidence >= 0 && confidence <= 1, `${confidence}`);
        else assert.equal(confidence, null);
      }
    }
  },
  'readings are given if declared': async (subject: RecognizerSubject) => {
    for (const { words } of segmentsOf(await recognizeSpeech(subject))) {
      for (const { reading } of words) assert.equal(reading !== null, subject.model.capabilities.readings);
    }
  },
  'progress never decreases and stays within the recording': async (subject: RecognizerSubject) => {
    let reachedMs = 0;
    for (const event of await recognizeSpeech(subject)) {
      if (event.type !== 'progress') continue;
      assert.ok(event.processedMs >= reachedMs, `progress went from ${reachedMs} to ${event.processedMs}`);
      assert.ok(event.processedMs <= durationOf(subject.speech) + 1, `progress of ${event.processedMs}`);
      reachedMs = event.processedMs;
    }
  },
  'progress events come during recognition': async (subject: RecognizerSubject) => {
    const events = await recognize(subject, repeat(subject.speech, 4));
    assert.ok(events.filter((event) => event.type === 'progress').length >= 2, 'fewer than two progress events');
  },
  'the size of the chunks does not change the text': async (subject: RecognizerSubject) => {
    const inBig = segmentsOf(await recognize(subject, subject.speech, { chunkSamples: 16_000 }));
    const inSmall = segmentsOf(await recognize(subject, subject.speech, { chunkSamples: 777 }));
    assert.deepEqual(textsOf(inSmall), textsOf(inBig));
  },
  'concurrent streams are independent': async (subject: RecognizerSubject) => {
    const alone = [await recognizeSpeech(subject), await recognize(subject, subject.otherSpeech)];
    const recognizer = await subject.open();
    const together = await Promise.all([
      collect(recognizer, subject.speech, {}, subject),
      collect(recognizer, subject.otherSpeech, {}, subject),
    ]);
    await recognizer.close();
    assert.deepEqual(together.map(segmentsOf).map(textsOf), alone.map(segmentsOf).map(textsOf));
  },
  'an abort ends the stream within two seconds with its reason': async (subject: RecognizerSubject) => {
    const recognizer = await subject.open();
    const abort = new AbortController();
    const reason = { because: 'the client left' };
    const endless = repeat(subject.speech, 400);
    const work = collect(recognizer, endless, { signal: abort.signal }, subject).then(
      () => 'it was not aborted',
      (thrown: unknown) => thrown,
    );
    await sleep(100);
    abort.abort(reason);
    const ended = await Promise.race([work, sleep(2_000, 'it did not stop')]);
    assert.equal(ended, reason);
    await recognizer.close();
  },
  'an error of the audio source is passed on': async (subject: RecognizerSubject) => {
    const recognizer = await subject.open();
    const error = { because: 'the file is damaged' };
    const work = collect(recognizer, subject.speech, { failAtEnd: error }, subject).then(
      () => 'the error was not passed on',
      (thrown: unknown) => thrown,
    );
    assert.equal(await work, error);
    await recognizer.close();
  },
  'close can be called twice': async (subject: RecognizerSubject) => {
    const recognizer = await subject.open();
    await recognizer.close();
    await recognizer.close();
  },
} satisfies Record<string, (subject: RecognizerSubject) => Promise<void>>;

export type RecognizerRule = keyof typeof RECOGNIZER_RULES;
export const RECOGNIZER_RULE_NAMES = Object.keys(RECOGNIZER_RULES) as RecognizerRule[];

/** Checks one rule; rejects with an AssertionError when the engine breaks it. */
export async function checkRecognizer(rule: RecognizerRule, subject: RecognizerSubject): Promise<void> {
  await RECOGNIZER_RULES[rule](subject);
}

type StreamOptions = { chunkSamples?: number; signal?: AbortSignal; failAtEnd?: unknown };

const recognized = new WeakMap<RecognizerSubject, Promise<RecognitionEvent[]>>();

/** Returns the events of `speech`, which is recognized once for all rules about them. */
function recognizeSpeech(subject: RecognizerSubject): Promise<RecognitionEvent[]> {
  const events = recognized.get(subject) ?? recognize(subject, subject.speech);
  recognized.set(subject, events);
  return events;
}

async function recognize(subject: RecognizerSubject, samples: Float32Array, options: StreamOptions = {}) {
  const recognizer = await subject.open();
  try {
    return await collect(recognizer, samples, options, subject);
  } finally {
    await recognizer.close();
  }
}

async function collect(
  recognizer: Recognizer,
  samples: Float32Array,
  options: StreamOptions,
  { model }: RecognizerSubject,
): Promise<RecognitionEvent[]> {
  const events: RecognitionEvent[] = [];
  const signal = options.signal ?? new AbortController().signal;
  const language = LANGUAGES.find((candidate) => model.capabilities.languages[candidate] !== undefined) ?? 'cantonese';
  const request = { language, context: null, romanize: false };
  for await (const event of recognizer.recognize(chunks(samples, options), request, signal)) {
    events.push(event);
  }
  return events;
}

async function* chunks(
  samples: Float32Array,
  { chunkSamples = 8_000, failAtEnd }: StreamOptions,
): AsyncGenerator<PcmChunk> {
  for (let at = 0; at < samples.length; at += chunkSamples) {
    // Yields between chunks, like a decoder.
    await new Promise((resolve) => setImmediate(resolve));
    const startMs = (at * 1_000) / RECOGNIZER_SAMPLE_RATE_HZ;
    yield { samples: samples.slice(at, at + chunkSamples), sampleRateHz: RECOGNIZER_SAMPLE_RATE_HZ, startMs };
  }
  if (failAtEnd !== undefined) throw failAtEnd;
}

function segmentsOf(events: RecognitionEvent[]): Segment[] {
  return events.flatMap((event) => (event.type === 'segment-end' ? [event.segment] : []));
}

function textsOf(segments: Segment[]): string[] {
  return segments.map((segment) => segment.text);
}

function durationOf(samples: Float32Array): number {
  return (samples.length * 1_000) / RECOGNIZER_SAMPLE_RATE_HZ;
}

function repeat(samples: Float32Array, times: number): Float32Array {
  const all = new Float32Array(samples.length * times);
  for (let i = 0; i < times; i += 1) all.set(samples, i * samples.length);
  return all;
}
