import type { FairScheduler } from '@jyutsing/concurrency/fair-scheduler';
import { yieldToEventLoop } from '@jyutsing/concurrency/yield-to-event-loop';
import { AppError, toAppError } from '@jyutsing/contracts/errors';
import { SYNTHESIS_SAMPLE_RATE_HZ, type SpokenTime } from '@jyutsing/contracts/synthesizer';
import { EventBuffer } from './event-buffer.ts';
import {
  inMs,
  samplesIn,
  type Mark,
  type Speak,
  type Speaker,
  type Speech,
  type SpeechEvent,
  type SpeechPart,
  type SpeechText,
  type StreamEvent,
} from './speech.ts';
import { estimateWords } from './estimate-words.ts';
import { noteMade, type MadeSpeech } from './start-in-time.ts';
import { createMarkFinder } from './find-marks.ts';

export type SpeechStream = {
  speak: Speak;
  /**
   * The scheduler of the models that compute in worker processes; all speech of the process shares
   * it.
   */
  scheduler: FairScheduler;
  /** Kept up to date at the end of each part, before its words. */
  made?: Pick<MadeSpeech, 'share' | 'longestPartMs'>;
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
  { speak, scheduler, made }: SpeechStream,
  speech: Speech,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent> {
  const { text, style } = speech;
  const runs = runsOf(speech);
  let spokenSamples = 0;
  // Pauses become shorter with the speech around them.
  const pause = (pauseMs: number) => silence(pauseMs / style.speed);
  try {
    for await (const { events, run } of oneAhead(schedule(speak, scheduler), runs, signal)) {
      const { parts, pausesMs, marks } = run.text;
      const { wordTimes } = run.model.capabilities;
      const pauseMs = pausesMs[0] ?? 0;
      const finder = createMarkFinder(parts, marks);
      let isPaused = pauseMs === 0;
      const startMs = inMs(spokenSamples) + inMs(samplesIn(pauseMs / style.speed));
      for await (const event of events) {
        // Events that were buffered before the abort are dropped.
        signal.throwIfAborted();
        if (event.type === 'word') {
          if (!wordTimes) continue;
          const shifted = shiftWord(event, startMs);
          yield* finder.before(shifted.word);
          yield shifted;
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
      if (made !== undefined) noteMade(made, text, { parts, soundMs: endMs - startMs });
      // A part without sound has no words either.
      for (const word of wordTimes || endMs <= startMs ? [] : estimateWords(parts, startMs, endMs)) {
        yield* finder.before(word);
        yield { type: 'word', word, syllables: [] };
      }
      yield* finder.rest(endMs);
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
 * texts all parts of a speaker between two pauses.
 */
function runsOf(speech: Speech): Speech[] {
  const { text } = speech;
  const runs: { speaker: Speaker; parts: SpeechPart[]; marks: Mark[]; pauseMs: number }[] = [];
  const usual: Speaker = { language: text.language, model: speech.model, voice: speech.voice };
  const marks = text.marks.values();
  let mark = marks.next().value;
  for (const [index, { speaker = usual, ...part }] of text.parts.entries()) {
    const pauseMs = text.pausesMs[index] ?? 0;
    const last = runs.at(-1);
    const isByPiece = speaker.model.capabilities.unit === 'piece';
    if (isByPiece || pauseMs > 0 || last?.speaker !== speaker)
      runs.push({ speaker, parts: [part], marks: [], pauseMs });
    else last.parts.push(part);
    const run = runs.at(-1)!;
    for (; mark !== undefined && mark.part === index; mark = marks.next().value) {
      run.marks.push({ ...mark, part: run.parts.length - 1 });
    }
  }
  const hasLatin = text.parts.some((part) => 'text' in part && LATIN.test(part.text));
  return runs.map((run, index) => {
    const { speaker, parts, pauseMs } = run;
    const { language, model, voice } = speaker;
    const mayExplain = hasLatin && model.capabilities.readings && language !== 'english';
    const beside = mayExplain ? besideOf(runs, index) : text.beside;
    const fromSimplified = text.fromSimplified && language === 'cantonese';
    const pausesMs = [pauseMs, ...parts.map(() => 0)];
    const runText = { ...text, language, parts, pausesMs, marks: run.marks, fromSimplified, beside };
    return { ...speech, model, voice, text: runText };
  });
}

const LATIN = /\p{Script=Latin}/u;
/** A sentence has seldom more parts. */
const BESIDE = 4;

/** The parts of the same speaker beside those of a run, up to a pause. */
function besideOf(
  runs: readonly { speaker: Speaker; parts: readonly SpeechPart[]; pauseMs: number }[],
  index: number,
): SpeechText['beside'] {
  let [from, to] = [index, index + 1];
  const isNext = (run: number) => runs[run]!.pauseMs === 0 && runs[run]!.speaker === runs[run - 1]!.speaker;
  while (from > 0 && index - from < BESIDE && isNext(from)) from -= 1;
  while (to < runs.length && to - index <= BESIDE && isNext(to)) to += 1;
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
 * Delays each call of one speech for a model in a worker process until its turn; its deadline is
 * the end of the sound that was made before.
 */
function schedule(speak: Speak, scheduler: FairScheduler): Speak {
  let firstSoundMs: number | null = null;
  let madeSamples = 0;
  return async function* (speech, signal) {
    const dueMs = (firstSoundMs ?? performance.now()) + inMs(madeSamples);
    const isInWorker = speech.model.capabilities.placement === 'worker';
    const release = isInWorker ? await scheduler.acquire({ accountId: speech.accountId, dueMs }, signal) : () => {};
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
): AsyncGenerator<{ events: AsyncGenerator<SpeechEvent>; run: Speech }> {
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
      yield { events: present.events(), run };
    }
  } finally {
    reading = -1;
    buffers.present?.cancel();
    buffers.next?.cancel();
  }
}

type WordEvent = Extract<SpeechEvent, { type: 'word' }>;

function shiftWord(event: WordEvent, byMs: number): WordEvent {
  const { word, syllables } = event;
  return { type: 'word', word: shift(word, byMs), syllables: syllables.map((syllable) => shift(syllable, byMs)) };
}

function shift({ text, startMs, endMs }: SpokenTime, byMs: number): SpokenTime {
  return { text, startMs: startMs + byMs, endMs: endMs + byMs };
}
