import { AppError } from '@jyutsing/contracts/errors';
import { SYNTHESIS_SAMPLE_RATE_HZ } from '@jyutsing/contracts/synthesizer';
import type { SpeechEvent } from './speech.ts';

/**
 * Sound that may wait for its reader; beyond it the producer waits. Longer than nearly every piece
 * of a text, so that a worker is free as soon as it has made a piece, however slow the reader is;
 * 1.4 MB.
 */
const MAX_WAITING_SAMPLES = 30 * SYNTHESIS_SAMPLE_RATE_HZ;

type Outcome = { failure: unknown } | { done: true };

/**
 * Starts a producer of events at once and holds what it yields, up to half a minute of sound, until
 * it is read. Call `cancel` unless the events are read to their end.
 */
export class EventBuffer {
  /**
   * Resolves when the producer has ended: true if it has finished, false if it failed or was
   * cancelled.
   */
  readonly finished: Promise<boolean>;
  readonly #cancelling = new AbortController();
  readonly #maxWaitingSamples: number;
  readonly #waiting: SpeechEvent[] = [];
  #waitingSamples = 0;
  #outcome: Outcome | null = null;
  #wakeReader: (() => void) | null = null;
  #wakeProducer: (() => void) | null = null;

  constructor(
    start: (signal: AbortSignal) => AsyncIterable<SpeechEvent>,
    signal: AbortSignal,
    maxWaitingSamples = MAX_WAITING_SAMPLES,
  ) {
    this.#maxWaitingSamples = maxWaitingSamples;
    const abort = () => this.#stop(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    this.finished = this.#produce(start).then((outcome) => {
      this.#outcome = outcome;
      signal.removeEventListener('abort', abort);
      this.#wakeReader?.();
      return 'done' in outcome;
    });
  }

  /**
   * Read it once. Throws the producer's failure after the events before it, and the signal's reason
   * at once.
   */
  async *events(): AsyncGenerator<SpeechEvent> {
    try {
      for (;;) {
        this.#cancelling.signal.throwIfAborted();
        const event = this.#waiting.shift();
        if (event !== undefined) {
          this.#waitingSamples -= samplesIn(event);
          this.#wakeProducer?.();
          yield event;
        } else if (this.#outcome === null) {
          await new Promise<void>((wake) => (this.#wakeReader = wake));
        } else if ('failure' in this.#outcome) {
          throw this.#outcome.failure;
        } else return;
      }
    } finally {
      if (this.#outcome === null) this.cancel();
    }
  }

  /** Ends the producer at once. Has no effect on one that has ended. */
  cancel(): void {
    this.#stop(new AppError('client_closed_request'));
  }

  async #produce(start: (signal: AbortSignal) => AsyncIterable<SpeechEvent>): Promise<Outcome> {
    const { signal } = this.#cancelling;
    try {
      signal.throwIfAborted();
      for await (const event of start(signal)) {
        this.#waiting.push(event);
        this.#waitingSamples += samplesIn(event);
        this.#wakeReader?.();
        while (this.#waitingSamples > this.#maxWaitingSamples && !signal.aborted) {
          await new Promise<void>((wake) => (this.#wakeProducer = wake));
        }
        signal.throwIfAborted();
      }
      return { done: true };
    } catch (failure) {
      return { failure };
    }
  }

  #stop(reason: unknown): void {
    this.#cancelling.abort(reason);
    this.#wakeProducer?.();
    this.#wakeReader?.();
  }
}

function samplesIn(event: SpeechEvent): number {
  return event.type === 'audio' ? event.samples.length : 0;
}
