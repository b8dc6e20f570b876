import { toInt16 } from '@jyutsing/audio/encoding/sample-values';
import type { SynthesisEvent } from '@jyutsing/contracts/synthesizer';
import type { SpeechEvent } from '#features/synthesis/speech.ts';

/** Events are held back at most this long. */
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
 * any after a pause, is passed on at once.
 */
export async function* gatherSound(events: AsyncIterable<SynthesisEvent>): AsyncGenerator<SpeechEvent[]> {
  let words: Word[] = [];
  let sounds: Sound[] = [];
  let samples = 0;
  let passedMs = Number.NEGATIVE_INFINITY;
  const pass = (): SpeechEvent[] => {
    const list: SpeechEvent[] = sounds.length === 0 ? words : [...words, { type: 'audio', samples: joined(sounds) }];
    words = [];
    sounds = [];
    samples = 0;
    passedMs = performance.now();
    return list;
  };
  for await (const event of events) {
    if (event.type === 'word') {
      words.push(event);
      continue;
    }
    if (samples > 0 && samples + event.samples.length > MAX_SAMPLES) yield pass();
    sounds.push(event);
    samples += event.samples.length;
    if (performance.now() - passedMs >= GATHER_MS) yield pass();
  }
  if (words.length + sounds.length > 0) yield pass();
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
