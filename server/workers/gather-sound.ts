import type { SynthesisEvent } from '@jyutsing/contracts/synthesizer';

/** Events are held back at most this long. */
const GATHER_MS = 10;
/**
 * Longest joined sound, 250 ms. Messages of a second are slower: their buffers make the receiver
 * collect garbage all the time.
 */
const MAX_SAMPLES = 6_000;

/**
 * Joins the events of a model that is faster than its listeners into lists, each of words and the
 * sound with them in one piece, so that fewer messages go between processes. The first sound, and
 * any after a pause, is passed on at once.
 */
export async function* gatherSound(events: AsyncIterable<SynthesisEvent>): AsyncGenerator<SynthesisEvent[]> {
  let held: SynthesisEvent[] = [];
  let samples = 0;
  let passedMs = Number.NEGATIVE_INFINITY;
  const pass = (): SynthesisEvent[] => {
    const list = joined(held, samples);
    held = [];
    samples = 0;
    passedMs = performance.now();
    return list;
  };
  for await (const event of events) {
    if (event.type !== 'audio') {
      held.push(event);
      continue;
    }
    if (samples > 0 && samples + event.samples.length > MAX_SAMPLES) yield pass();
    held.push(event);
    samples += event.samples.length;
    if (performance.now() - passedMs >= GATHER_MS) yield pass();
  }
  if (held.length > 0) yield pass();
}

/** The words, and all sound as the last event. */
function joined(events: readonly SynthesisEvent[], samples: number): SynthesisEvent[] {
  const sounds = events.filter((event) => event.type === 'audio');
  if (sounds.length < 2) return [...events];
  const whole = new Float32Array(samples);
  let at = 0;
  for (const sound of sounds) {
    whole.set(sound.samples, at);
    at += sound.samples.length;
  }
  return [...events.filter((event) => event.type !== 'audio'), { type: 'audio', samples: whole }];
}
