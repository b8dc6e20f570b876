import { setTimeout as sleep } from 'node:timers/promises';
import {
  DEFAULT_TURN_DETECTION,
  type LiveEvent,
  type LiveOptions,
  type LiveSession,
} from '@jyutsing/contracts/live-recognition';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import type { Language } from '@jyutsing/contracts/transcript';

/** A spoken sentence: mono sound at 16 kHz, and the time of its speech. */
export type Sentence = {
  text: string;
  language: Language;
  samples: Float32Array;
  speechStartMs: number;
  speechEndMs: number;
};

/** The recognition of a sentence. Latencies count from the moment in which the sound was spoken. */
export type PlayedSentence = {
  sentence: Sentence;
  text: string;
  /** Milliseconds from the beginning of speech to the first stable text; null if there was none. */
  firstDeltaMs: number | null;
  /**
   * Milliseconds from the end of speech to the last text, without the silence that ends a segment.
   */
  completionMs: number | null;
};

const CHUNK_MS = 100;
const GAP_MS = 1_000;
const SPOKEN_LEVEL = 0.02;

const msOf = (index: number) => (index * 1_000) / RECOGNIZER_SAMPLE_RATE_HZ;
const isSpoken = (sample: number) => Math.abs(sample) > SPOKEN_LEVEL;

/** Finds the speech in a synthesized sentence, which has no noise. */
export function toSentence(text: string, language: Language, samples: Float32Array): Sentence {
  const speechStartMs = msOf(samples.findIndex(isSpoken));
  return { text, language, samples, speechStartMs, speechEndMs: msOf(samples.findLastIndex(isSpoken)) };
}

type Timed = { atMs: number; event: LiveEvent };

/** Speaks sentences into one session, at the pace of real time, with pauses between them. */
export async function playSentences(
  open: (options: LiveOptions) => LiveSession,
  options: Pick<LiveOptions, 'models'> & Partial<LiveOptions>,
  sentences: readonly Sentence[],
  onSpoken: () => void,
): Promise<PlayedSentence[]> {
  const session = open({ context: null, turnDetection: DEFAULT_TURN_DETECTION, ...options });
  const events: Timed[] = [];
  const reading = (async () => {
    for await (const event of session.events) events.push({ atMs: performance.now(), event });
  })();
  const startedMs = performance.now();
  const begins: number[] = [];
  let spokenMs = 0;
  for (const { samples } of sentences) {
    begins.push(spokenMs);
    const gap = new Float32Array((GAP_MS * RECOGNIZER_SAMPLE_RATE_HZ) / 1_000);
    for (const sound of [samples, gap]) {
      const step = (CHUNK_MS * RECOGNIZER_SAMPLE_RATE_HZ) / 1_000;
      for (let at = 0; at < sound.length; at += step) {
        const chunk = sound.subarray(at, at + step);
        spokenMs += (chunk.length * 1_000) / RECOGNIZER_SAMPLE_RATE_HZ;
        await sleep(Math.max(0, startedMs + spokenMs - performance.now()));
        await session.write(chunk);
      }
    }
    onSpoken();
  }
  session.end();
  await reading;
  return sentences.map((sentence, index) => view(sentence, begins[index]!, startedMs, events));
}

function view(sentence: Sentence, beginMs: number, startedMs: number, events: readonly Timed[]): PlayedSentence {
  const untilMs = beginMs + (sentence.samples.length * 1_000) / RECOGNIZER_SAMPLE_RATE_HZ + GAP_MS / 2;
  const ends = events.flatMap(({ atMs, event }) => (event.type === 'segment-end' ? [{ atMs, event }] : []));
  const sentenceEnds = ends.filter(({ event: { startMs, endMs } }) => {
    const middleMs = (startMs + endMs) / 2;
    return middleMs >= beginMs && middleMs < untilMs;
  });
  const numbers = new Set(sentenceEnds.map(({ event }) => event.segment));
  const deltas = events.flatMap(({ atMs, event }) =>
    event.type === 'segment-delta' && numbers.has(event.segment) && event.stableText !== '' ? [{ atMs, event }] : [],
  );
  const spokenAtMs = startedMs + beginMs;
  const [first] = deltas;
  const last = sentenceEnds.at(-1);
  return {
    sentence,
    text: sentenceEnds.map(({ event }) => event.text).join(' '),
    firstDeltaMs: first === undefined ? null : first.atMs - spokenAtMs - sentence.speechStartMs,
    completionMs:
      last === undefined ? null : last.atMs - spokenAtMs - sentence.speechEndMs - DEFAULT_TURN_DETECTION.silenceMs,
  };
}
