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

/**
 * Joins the events of a model that is faster than its listeners into lists, each of words and the
 * sound with them in one piece, so that fewer messages go between processes. The first sound, and
 * any after a pause, is passed on at once; what is held is passed on before a failure. The model
 * waits while a list is not taken.
 */
export async function* gatherSound(events: AsyncIterable<SynthesisEvent>): AsyncGenerator<SpeechEvent[]> {
  const source = events[Symbol.asyncIterator]();
  const wake = { reader: () => {}, model: () => {} };
  const state: State = { outcome: null, hasLeft: false };
  const held = createHeld(() => wake.reader());
  const end = (outcome: Outcome) => {
    state.outcome = outcome;
    wake.reader();
  };
  // Beside the reader, who gets what is held while the model is silent.
  void readInto(held, source, state, wake).then(
    () => end('done'),
    (failure: unknown) => end({ failure }),
  );
  try {
    for (;;) {
      const { outcome } = state;
      if (held.isDue || (outcome !== null && !held.isEmpty())) {
        yield held.pass();
        wake.model();
      } else if (outcome === 'done') return;
      else if (outcome !== null) throw outcome.failure;
      else await new Promise<void>((resolve) => (wake.reader = resolve));
    }
  } finally {
    state.hasLeft = true;
    held.stopTimer();
    wake.model();
    if (state.outcome === null) await source.return?.();
  }
}

type Outcome = { failure: unknown } | 'done';
/** How the model ended, or null; and whether the reader has left. */
type State = { outcome: Outcome | null; hasLeft: boolean };
type Held = ReturnType<typeof createHeld>;

/** Holds the events of a model, which waits while sound that is due is not taken. */
async function readInto(
  held: Held,
  source: AsyncIterator<SynthesisEvent>,
  state: State,
  wake: { reader: () => void; model: () => void },
): Promise<void> {
  const untilTaken = () =>
    new Promise<void>((resolve) => {
      wake.model = resolve;
      held.isDue = true;
      wake.reader();
    });
  for (let step = await source.next(); step.done !== true && !state.hasLeft; step = await source.next()) {
    const event = step.value;
    if (event.type === 'word') held.addWord(event);
    else {
      if (!held.hasRoomFor(event)) await untilTaken();
      held.addSound(event);
      if (held.isDue) await untilTaken();
    }
  }
}

/** What is not passed on yet. `onDue`: called when sound was held for long enough. */
function createHeld(onDue: () => void) {
  let words: Word[] = [];
  let sounds: Sound[] = [];
  let samples = 0;
  let passedMs = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  const held = {
    /** Whether it must be passed on now. */
    isDue: false,
    isEmpty: () => words.length + sounds.length === 0,
    hasRoomFor: ({ samples: more }: Sound) => samples === 0 || samples + more.length <= MAX_SAMPLES,
    addWord: (word: Word) => void words.push(word),
    addSound(sound: Sound): void {
      sounds.push(sound);
      samples += sound.samples.length;
      const leftMs = GATHER_MS - (performance.now() - passedMs);
      if (leftMs <= 0) held.isDue = true;
      else timer ??= setTimeout(due, leftMs);
    },
    pass(): SpeechEvent[] {
      const list: SpeechEvent[] = sounds.length === 0 ? words : [...words, { type: 'audio', samples: joined(sounds) }];
      words = [];
      sounds = [];
      samples = 0;
      passedMs = performance.now();
      held.stopTimer();
      held.isDue = false;
      return list;
    },
    stopTimer() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
  const due = () => {
    held.isDue = true;
    onDue();
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
