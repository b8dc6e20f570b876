import { AppError } from '@jyutsing/contracts/errors';
import { SYNTHESIS_SAMPLE_RATE_HZ, type SynthesisEvent } from '@jyutsing/contracts/synthesizer';

/**
 * Sound of one call that may wait for its listener; what makes more waits itself. Longer than nearly every piece of a text, so that a
 * process which says pieces is free as soon as it has said one, however slow the listener is; 3 MB as floats.
 */
const MAX_WAITING_SAMPLES = 30 * SYNTHESIS_SAMPLE_RATE_HZ;

type Outcome = { failure: unknown } | { done: true };

/**
 * Events that are taken at the pace of their maker, from the beginning on, until half a minute of sound waits to be read. Whoever does
 * not read them to their end calls `leave`.
 */
export class ReadAhead {
  /** Resolves when the maker has ended: true when it is done, false when it failed or was told to stop. */
  readonly made: Promise<boolean>;
  readonly #leaving = new AbortController();
  readonly #maxWaitingSamples: number;
  readonly #waiting: SynthesisEvent[] = [];
  #waitingSamples = 0;
  #outcome: Outcome | null = null;
  // Each of the two waits for the other alone, at one place.
  #wakeReader: (() => void) | null = null;
  #wakeMaker: (() => void) | null = null;

  constructor(
    start: (signal: AbortSignal) => AsyncIterable<SynthesisEvent>,
    signal: AbortSignal,
    maxWaitingSamples = MAX_WAITING_SAMPLES,
  ) {
    this.#maxWaitingSamples = maxWaitingSamples;
    const obey = () => this.#stop(signal.reason);
    if (signal.aborted) obey();
    signal.addEventListener('abort', obey, { once: true });
    this.made = this.#take(start).then((outcome) => {
      this.#outcome = outcome;
      signal.removeEventListener('abort', obey);
      this.#wakeReader?.();
      return 'done' in outcome;
    });
  }

  /** To be read once. Throws what the maker threw, after what it made before; the reason of the signal at once. */
  async *events(): AsyncGenerator<SynthesisEvent> {
    try {
      for (;;) {
        // What was made before an abort is of no use to anybody.
        this.#leaving.signal.throwIfAborted();
        const event = this.#waiting.shift();
        if (event !== undefined) {
          this.#waitingSamples -= samplesIn(event);
          this.#wakeMaker?.();
          yield event;
        } else if (this.#outcome === null) {
          await new Promise<void>((wake) => (this.#wakeReader = wake));
        } else if ('failure' in this.#outcome) {
          throw this.#outcome.failure;
        } else return;
      }
    } finally {
      this.leave();
    }
  }

  /** Ends the work at once. Does nothing to work that is over. */
  leave(): void {
    this.#stop(new AppError('client_closed_request'));
  }

  async #take(start: (signal: AbortSignal) => AsyncIterable<SynthesisEvent>): Promise<Outcome> {
    const { signal } = this.#leaving;
    try {
      signal.throwIfAborted();
      for await (const event of start(signal)) {
        this.#waiting.push(event);
        this.#waitingSamples += samplesIn(event);
        this.#wakeReader?.();
        while (this.#waitingSamples > this.#maxWaitingSamples && !signal.aborted) {
          await new Promise<void>((wake) => (this.#wakeMaker = wake));
        }
        signal.throwIfAborted();
      }
      return { done: true };
    } catch (failure) {
      return { failure };
    }
  }

  #stop(reason: unknown): void {
    this.#leaving.abort(reason);
    this.#wakeMaker?.();
    this.#wakeReader?.();
  }
}

function samplesIn(event: SynthesisEvent): number {
  return event.type === 'audio' ? event.samples.length : 0;
}
