import type { FairScheduler } from '@jyutsing/concurrency/fair-scheduler';
import { yieldToEventLoop } from '@jyutsing/concurrency/yield-to-event-loop';
import { AppError, toAppError } from '@jyutsing/contracts/errors';
import { SYNTHESIS_SAMPLE_RATE_HZ, type SpokenTime } from '@jyutsing/contracts/synthesizer';
import { segmentWords } from '@jyutsing/text/segment-words';
import { EventBuffer } from './event-buffer.ts';
import {
  inMs,
  samplesIn,
  type Speak,
  type Speech,
  type SpeechEvent,
  type SpeechPart,
  type SpeechText,
} from './speech.ts';

/** Letters of a Latin word that take about as long as one Chinese character. */
const LETTERS_PER_SYLLABLE = 3;

export type SpeechStream = {
  speak: Speak;
  /**
   * The scheduler of the models that compute in worker processes; all speech of the process shares
   * it.
   */
  scheduler: FairScheduler;
};

/**
 * Speaks all parts of a text as one continuous sound. Times of words count from its beginning, and
 * are estimated if the model does not give them.
 *
 * A model whose unit is the piece gets one part at a time, the next one when it has finished the
 * present one and no further ahead: a text occupies one worker and memory holds two pieces at most.
 * Before the first sound, and if there never is any, failures of the model become
 * `upstream_unavailable`.
 */
export async function* streamSpeech(
  { speak, scheduler }: SpeechStream,
  speech: Speech,
  signal: AbortSignal,
): AsyncGenerator<SpeechEvent> {
  const { text, style } = speech;
  const { wordTimes, placement } = speech.model.capabilities;
  const runs = runsOf(speech);
  const speakInTurn = placement === 'worker' ? schedule(speak, scheduler) : speak;
  let spokenSamples = 0;
  // Pauses become shorter with the speech around them.
  const pause = (pauseMs: number) => silence(pauseMs / style.speed);
  let run = 0;
  try {
    for await (const { events, parts } of oneAhead(speakInTurn, runs, signal)) {
      const pauseMs = runs[run]?.text.pausesMs[0] ?? 0;
      run += 1;
      let isPaused = pauseMs === 0;
      const startMs = inMs(spokenSamples) + inMs(samplesIn(pauseMs / style.speed));
      for await (const event of events) {
        // Events that were buffered before the abort are dropped.
        signal.throwIfAborted();
        if (event.type === 'word') {
          if (wordTimes) yield shiftWord(event, startMs);
        } else if (event.samples.length > 0) {
          // With the sound after it, because a client must not get anything before the first sound.
          if (!isPaused) yield* pause(pauseMs);
          if (!isPaused) spokenSamples += samplesIn(pauseMs / style.speed);
          isPaused = true;
          spokenSamples += event.samples.length;
          yield event;
        }
      }
      const endMs = inMs(spokenSamples);
      // A part without sound has no words either.
      if (wordTimes || endMs <= startMs) continue;
      for (const word of estimateWords(parts, startMs, endMs)) yield { type: 'word', word, syllables: [] };
    }
    if (spokenSamples === 0) throw new AppError('engine_failed', 'The speech model made no sound for this text.');
    yield* pause(text.pausesMs.at(-1) ?? 0);
  } catch (failure) {
    signal.throwIfAborted();
    throw spokenSamples === 0 ? asUnreachable(failure) : failure;
  }
}

/**
 * The speech of each call of the model, with the pause before it: one part, or for models of whole
 * texts all parts between two pauses.
 */
function runsOf(speech: Speech): Speech[] {
  const { text, model } = speech;
  const { unit, readings } = model.capabilities;
  const runs: { parts: SpeechPart[]; pauseMs: number }[] = [];
  for (const [index, part] of text.parts.entries()) {
    const pauseMs = text.pausesMs[index] ?? 0;
    const last = runs.at(-1);
    if (unit === 'piece' || pauseMs > 0 || last === undefined) runs.push({ parts: [part], pauseMs });
    else last.parts.push(part);
  }
  const mayExplain =
    readings && text.language !== 'english' && text.parts.some((part) => 'text' in part && LATIN.test(part.text));
  return runs.map(({ parts, pauseMs }, index) => {
    const beside = mayExplain ? besideOf(runs, index) : text.beside;
    return { ...speech, text: { ...text, parts, pausesMs: [pauseMs, ...parts.map(() => 0)], beside } };
  });
}

const LATIN = /\p{Script=Latin}/u;
/** A sentence has seldom more parts. */
const BESIDE = 4;

/** The parts beside those of a run, up to a pause. */
function besideOf(
  runs: readonly { parts: readonly SpeechPart[]; pauseMs: number }[],
  index: number,
): SpeechText['beside'] {
  let [from, to] = [index, index + 1];
  while (from > 0 && index - from < BESIDE && runs[from]!.pauseMs === 0) from -= 1;
  while (to < runs.length && to - index <= BESIDE && runs[to]!.pauseMs === 0) to += 1;
  const partsOf = (neighbours: typeof runs) => neighbours.flatMap(({ parts }) => parts);
  return { before: partsOf(runs.slice(from, index)), after: partsOf(runs.slice(index + 1, to)) };
}

/** Silence in chunks of at most a second. Other requests are served between them. */
async function* silence(timeMs: number): AsyncGenerator<SpeechEvent> {
  for (let left = samplesIn(timeMs); left > 0; left -= SYNTHESIS_SAMPLE_RATE_HZ) {
    yield { type: 'audio', samples: new Int16Array(Math.min(left, SYNTHESIS_SAMPLE_RATE_HZ)) };
    await yieldToEventLoop();
  }
}

/** To the client, a model that makes no sound is a server that cannot be reached. */
function asUnreachable(failure: unknown): AppError {
  const error = toAppError(failure);
  if (error.status < 500) return error;
  const { retryAfterSeconds } = error;
  // A busy server says when to come back.
  const wait = retryAfterSeconds === null ? {} : { retryAfterSeconds };
  return new AppError('upstream_unavailable', undefined, { cause: error, ...wait });
}

/**
 * Delays each call of one speech until its turn; its deadline is the end of the sound that was made
 * before.
 */
function schedule(speak: Speak, scheduler: FairScheduler): Speak {
  let firstSoundMs: number | null = null;
  let madeSamples = 0;
  return async function* (speech, signal) {
    const dueMs = (firstSoundMs ?? performance.now()) + inMs(madeSamples);
    const release = await scheduler.acquire({ accountId: speech.accountId, dueMs }, signal);
    try {
      for await (const event of speak(speech, signal)) {
        if (event.type === 'audio') {
          firstSoundMs ??= performance.now();
          madeSamples += event.samples.length;
        }
        yield event;
      }
    } finally {
      release();
    }
  };
}

/**
 * Yields the events of each run in order. Starts the next run when the model has finished the
 * present one.
 */
async function* oneAhead(
  speak: Speak,
  runs: readonly Speech[],
  signal: AbortSignal,
): AsyncGenerator<{ events: AsyncGenerator<SpeechEvent>; parts: SpeechText['parts'] }> {
  const start = (run: Speech) => new EventBuffer((bufferSignal) => speak(run, bufferSignal), signal);
  const buffers: { present: EventBuffer | null; next: EventBuffer | null } = { present: null, next: null };
  let reading = 0;
  try {
    for (const [index, run] of runs.entries()) {
      reading = index;
      const present = buffers.next ?? start(run);
      Object.assign(buffers, { present, next: null });
      const following = runs[index + 1];
      void present.finished.then((isComplete) => {
        if (isComplete && reading === index && following !== undefined) buffers.next = start(following);
      });
      yield { events: present.events(), parts: run.text.parts };
    }
  } finally {
    reading = -1;
    buffers.present?.cancel();
    buffers.next?.cancel();
  }
}

/**
 * Gives each word a share of the sound by its length in syllables; pauses count to the words around
 * them. Off by some tenths of a second within a sentence.
 */
function estimateWords(parts: readonly SpeechPart[], startMs: number, endMs: number): SpokenTime[] {
  const words = parts.flatMap(wordsOf);
  const weights = words.map(syllablesIn);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const msPerWeight = (endMs - startMs) / total;
  let before = 0;
  return words.map((text, index) => {
    const from = before;
    before += weights[index] ?? 0;
    return { text, startMs: startMs + from * msPerWeight, endMs: startMs + before * msPerWeight };
  });
}

function wordsOf(part: SpeechPart): string[] {
  if ('phrases' in part) return part.phrases.flatMap(({ words }) => words.map(({ written }) => written));
  const words: string[] = [];
  for (const { segment, isWordLike } of segmentWords(part.text)) if (isWordLike === true) words.push(segment);
  return words;
}

function syllablesIn(word: string): number {
  const letters = word.match(/[A-Za-z\u00c0-\u024f]/gu)?.length ?? 0;
  return Math.max(1, [...word].length - letters + letters / LETTERS_PER_SYLLABLE);
}

function shiftWord(event: Extract<SpeechEvent, { type: 'word' }>, byMs: number): SpeechEvent {
  const { word, syllables } = event;
  return { type: 'word', word: shift(word, byMs), syllables: syllables.map((syllable) => shift(syllable, byMs)) };
}

function shift({ text, startMs, endMs }: SpokenTime, byMs: number): SpokenTime {
  return { text, startMs: startMs + byMs, endMs: endMs + byMs };
}
