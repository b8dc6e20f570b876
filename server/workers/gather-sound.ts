import { toInt16 } from '@jyutsing/audio/encoding/sample-values';
import { createChannel, type Channel } from '@jyutsing/concurrency/channel';
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
  const lists = createChannel<SpeechEvent[]>({ capacity: 0 });
  // Runs beside the reader, who gets the held sound while the model is silent.
  const passing = passOn(events, lists);
  try {
    yield* lists;
  } finally {
    await passing;
  }
}

async function passOn(events: AsyncIterable<SynthesisEvent>, lists: Channel<SpeechEvent[]>): Promise<void> {
  const held = createHeld();
  let takenMs = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  /** Resolves when the last list is taken; false once no reader is left. */
  let taking = Promise.resolve(true);
  const pass = () => {
    clearTimeout(timer);
    timer = undefined;
    taking = lists.send(held.empty()).finally(() => (takenMs = performance.now()));
    return taking;
  };
  try {
    for await (const event of events) {
      if (event.type === 'word') held.addWord(event);
      else {
        if (!(await taking) || (!held.hasRoomFor(event) && !(await pass()))) return;
        held.addSound(event);
        const leftMs = GATHER_MS - (performance.now() - takenMs);
        if (leftMs > 0) timer ??= setTimeout(pass, leftMs);
        else if (!(await pass())) return;
      }
    }
    if (!held.isEmpty()) lists.push(held.empty());
    lists.close();
  } catch (failure) {
    if (!held.isEmpty()) lists.push(held.empty());
    lists.fail(failure);
  } finally {
    clearTimeout(timer);
  }
}

/** Holds the events that are not passed on yet. */
function createHeld() {
  let words: Word[] = [];
  let sounds: Sound[] = [];
  let samples = 0;
  return {
    isEmpty: () => words.length + sounds.length === 0,
    hasRoomFor: ({ samples: more }: Sound) => samples === 0 || samples + more.length <= MAX_SAMPLES,
    addWord: (word: Word) => void words.push(word),
    addSound(sound: Sound): void {
      sounds.push(sound);
      samples += sound.samples.length;
    },
    /** Returns the words, then the sound in one piece, and holds nothing afterwards. */
    empty(): SpeechEvent[] {
      const list: SpeechEvent[] = sounds.length === 0 ? words : [...words, { type: 'audio', samples: joined(sounds) }];
      words = [];
      sounds = [];
      samples = 0;
      return list;
    },
  };
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
