import { createChannel, type Channel } from '@jyutsing/concurrency/channel';
import { AppError } from '@jyutsing/contracts/errors';
import { SYNTHESIS_SAMPLE_RATE_HZ } from '@jyutsing/contracts/synthesizer';
import type { SpeechEvent } from './speech.ts';

/**
 * Sound that may wait for its reader; beyond it the producer waits. Longer than nearly every piece
 * of a text, so that a worker is free as soon as it has made a piece, however slow the reader is;
 * 1.4 MB.
 */
const MAX_WAITING_SAMPLES = 30 * SYNTHESIS_SAMPLE_RATE_HZ;

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
  readonly #events: Channel<SpeechEvent>;

  constructor(
    start: (signal: AbortSignal) => AsyncIterable<SpeechEvent>,
    signal: AbortSignal,
    maxWaitingSamples = MAX_WAITING_SAMPLES,
  ) {
    this.#events = createChannel({ capacity: maxWaitingSamples, sizeOf: samplesIn });
    const abort = () => this.#stop(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    this.finished = this.#produce(start).finally(() => signal.removeEventListener('abort', abort));
  }

  /**
   * Read it once. Throws the producer's failure after the events before it, and the signal's reason
   * at once.
   */
  async *events(): AsyncGenerator<SpeechEvent> {
    try {
      yield* this.#events;
    } finally {
      this.cancel();
    }
  }

  /** Ends the producer at once. Has no effect on one that has ended. */
  cancel(): void {
    this.#stop(new AppError('client_closed_request'));
  }

  async #produce(start: (signal: AbortSignal) => AsyncIterable<SpeechEvent>): Promise<boolean> {
    const { signal } = this.#cancelling;
    try {
      signal.throwIfAborted();
      for await (const event of start(signal)) {
        await this.#events.send(event);
        signal.throwIfAborted();
      }
      this.#events.close();
      return true;
    } catch (failure) {
      this.#events.fail(failure);
      return false;
    }
  }

  #stop(reason: unknown): void {
    this.#cancelling.abort(reason);
    this.#events.abort(reason);
  }
}

function samplesIn(event: SpeechEvent): number {
  return event.type === 'audio' ? event.samples.length : 0;
}
