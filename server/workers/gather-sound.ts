import { toInt16 } from '@jyutsing/audio/encoding/sample-values';
import type { SynthesisEvent } from '@jyutsing/contracts/synthesizer';
import type { SpeechEvent } from '#features/synthesis/speech.ts';

/** Sound is held back at most this long; words come with the sound after them. */
const GATHER_MS = 20;
/**
 * Longest joined sound, 500 ms: a message costs more than its bytes. Messages of a second are
 * slower again: their buffers make the receiver collect garbage all the time.
 */
const MAX_SAMPLES = 12_000;

type Sound = Extract<SynthesisEvent, { type: 'audio' }>;
type Word = Extract<SynthesisEvent, { type: 'word' }>;
type Step = { event: SynthesisEvent } | { failure: unknown } | 'end' | 'late';

/**
 * Joins the events of a model that is faster than its listeners into lists, each of words and the
 * sound with them in one piece, so that fewer messages go between processes. The first sound, and
 * any after a pause, is passed on at once; what is held is passed on before a failure.
 */
export async function* gatherSound(events: AsyncIterable<SynthesisEvent>): AsyncGenerator<SpeechEvent[]> {
  const source = events[Symbol.asyncIterator]();
  const held = createHeld();
  let isOver = false;
  try {
    let next = stepOf(source);
    for (;;) {
      const step = await (held.late === null ? next : Promise.race([next, held.late]));
      if (step === 'late') {
        yield held.pass();
        continue;
      }
      if (step === 'end' || 'failure' in step) {
        isOver = true;
        if (!held.isEmpty()) yield held.pass();
        if (step === 'end') return;
        throw step.failure;
      }
      const { event } = step;
      if (event.type === 'word') held.addWord(event);
      else {
        if (!held.hasRoomFor(event)) yield held.pass();
        if (held.addSound(event)) yield held.pass();
      }
      next = stepOf(source);
    }
  } finally {
    held.stopTimer();
    if (!isOver) await source.return?.();
  }
}

async function stepOf(source: AsyncIterator<SynthesisEvent>): Promise<Step> {
  try {
    const { done, value } = await source.next();
    return done === true ? 'end' : { event: value };
  } catch (failure) {
    return { failure };
  }
}

/** What is not passed on yet. */
function createHeld() {
  let words: Word[] = [];
  let sounds: Sound[] = [];
  let samples = 0;
  let passedMs = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  const held = {
    /** Resolves when sound must be passed on; null without any. */
    late: null as Promise<'late'> | null,
    isEmpty: () => words.length + sounds.length === 0,
    hasRoomFor: ({ samples: more }: Sound) => samples === 0 || samples + more.length <= MAX_SAMPLES,
    addWord: (word: Word) => void words.push(word),
    /** True when it must be passed on now. */
    addSound(sound: Sound): boolean {
      sounds.push(sound);
      samples += sound.samples.length;
      const leftMs = GATHER_MS - (performance.now() - passedMs);
      if (leftMs <= 0) return true;
      held.late ??= new Promise((resolve) => (timer = setTimeout(resolve, leftMs, 'late')));
      return false;
    },
    pass(): SpeechEvent[] {
      const list: SpeechEvent[] = sounds.length === 0 ? words : [...words, { type: 'audio', samples: joined(sounds) }];
      words = [];
      sounds = [];
      samples = 0;
      passedMs = performance.now();
      held.stopTimer();
      return list;
    },
    stopTimer() {
      clearTimeout(timer);
      held.late = null;
    },
  };
  return held;
}

function joined(sounds: readonly Sound[]): Int16Array<ArrayBuffer> {
  const whole = new Int16Array(sounds.reduce((sum, { samples }) => sum + samples.length, 0));
  let at = 0;
  for (const { samples } of sounds) {
    toInt16(samples, whole, at);
    at += samples.length;
  }
  return whole;
}
