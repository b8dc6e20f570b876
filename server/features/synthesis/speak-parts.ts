import { AppError, toAppError } from '@jyutsing/contracts/errors';
import { SYNTHESIS_SAMPLE_RATE_HZ, type SpokenTime, type SynthesisEvent } from '@jyutsing/contracts/synthesizer';
import { ReadAhead } from './read-ahead.ts';
import type { Speak, SpeakCall, Speaker } from './stages.ts';
import type { DeadlineScheduler } from '@jyutsing/concurrency/deadline-scheduler';
import { estimateWords } from './word-times.ts';

/** Who speaks, and whose turn it is among all that is spoken. */
export type SpeakingPlace = {
  speak: Speak;
  turns: DeadlineScheduler;
  speaker: Pick<Speaker, 'capabilities' | 'places'>;
};

/**
 * Says all parts of a call, which has at least one, as one stretch of sound; times of words count from its beginning, and are estimated
 * where the model does not tell them (see `estimateWords`).
 *
 * A model whose unit is the piece is given one part at a time: the next when it is done with the present one, and no further ahead, so
 * that a text has one place among others that are spoken and memory holds two pieces at most. Throws what `speak` throws after the
 * first sound; before it, and when there never is any, `upstream_unavailable` in place of every failure of a speaker.
 */
export async function* speakParts(
  place: SpeakingPlace,
  call: SpeakCall,
  signal: AbortSignal,
): AsyncGenerator<SynthesisEvent> {
  const { unit, wordTimes } = place.speaker.capabilities;
  const calls = unit === 'text' ? [call] : call.parts.map((part) => ({ ...call, parts: [part] }));
  let spokenSamples = 0;
  try {
    for await (const { events, parts } of oneAhead(inTurn(place), calls, signal)) {
      const startMs = inMs(spokenSamples);
      for await (const event of events) {
        // A piece that was made already does not hear of it.
        signal.throwIfAborted();
        if (event.type === 'word') {
          if (wordTimes) yield wordLater(event, startMs);
        } else if (event.samples.length > 0) {
          spokenSamples += event.samples.length;
          yield event;
        }
      }
      const endMs = inMs(spokenSamples);
      // A part of which nothing was said has no words either.
      if (wordTimes || endMs === startMs) continue;
      for (const word of estimateWords(parts, startMs, endMs)) yield { type: 'word', word, syllables: [] };
    }
    if (spokenSamples === 0) throw new AppError('engine_failed', 'The speech model made no sound for this text.');
  } catch (failure) {
    signal.throwIfAborted();
    throw spokenSamples === 0 ? asUnreachable(failure) : failure;
  }
}

/** Whatever keeps a speaker from making a sound, the caller can do no more about it than about a server that is not there. */
function asUnreachable(failure: unknown): AppError {
  const error = toAppError(failure);
  return error.status < 500 ? error : new AppError('upstream_unavailable', undefined, { cause: error });
}

/** The same, where the calls of one speech each wait for their turn: until its listener has heard all that was made before. */
function inTurn({ speak, turns, speaker: { places } }: SpeakingPlace): Speak {
  if (places === null) return speak;
  let firstSoundMs: number | null = null;
  let madeSamples = 0;
  return async function* (call, signal) {
    const dueMs = (firstSoundMs ?? performance.now()) + inMs(madeSamples);
    const handOn = await turns.take(places, dueMs, signal);
    try {
      for await (const event of speak(call, signal)) {
        if (event.type === 'audio') {
          firstSoundMs ??= performance.now();
          madeSamples += event.samples.length;
        }
        yield event;
      }
    } finally {
      handOn();
    }
  };
}

/** The events of each call in order. The next call is begun when the engine is done with the present one. */
async function* oneAhead(
  speak: Speak,
  calls: readonly SpeakCall[],
  signal: AbortSignal,
): AsyncGenerator<{ events: AsyncGenerator<SynthesisEvent>; parts: SpeakCall['parts'] }> {
  const begin = (call: SpeakCall) => new ReadAhead((own) => speak(call, own), signal);
  const ahead: { present: ReadAhead | null; next: ReadAhead | null } = { present: null, next: null };
  let reading = 0;
  try {
    for (const [index, call] of calls.entries()) {
      reading = index;
      const present = ahead.next ?? begin(call);
      Object.assign(ahead, { present, next: null });
      const following = calls[index + 1];
      void present.made.then((isMade) => {
        if (isMade && reading === index && following !== undefined) ahead.next = begin(following);
      });
      yield { events: present.events(), parts: call.parts };
    }
  } finally {
    reading = -1;
    ahead.present?.leave();
    ahead.next?.leave();
  }
}

function inMs(samples: number): number {
  return (samples * 1_000) / SYNTHESIS_SAMPLE_RATE_HZ;
}

function wordLater(event: Extract<SynthesisEvent, { type: 'word' }>, byMs: number): SynthesisEvent {
  const { word, syllables } = event;
  return { type: 'word', word: later(word, byMs), syllables: syllables.map((each) => later(each, byMs)) };
}

function later({ text, startMs, endMs }: SpokenTime, byMs: number): SpokenTime {
  return { text, startMs: startMs + byMs, endMs: endMs + byMs };
}
