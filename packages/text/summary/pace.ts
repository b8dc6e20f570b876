import { yieldToEventLoop } from '@jyutsing/concurrency/yield-to-event-loop';

const CHECKED_EVERY = 64;

/** Yields to the event loop after long computation; cheap to call often. */
export type Pace = () => Promise<void> | undefined;

/** A pause throws the reason of an aborted signal. */
export function startPace(signal?: AbortSignal): Pace {
  return () => yieldToEventLoop()?.then(() => signal?.throwIfAborted());
}

/** `Array.map` with pauses. */
export async function mapAtPace<From, To>(
  items: readonly From[],
  pace: Pace,
  make: (item: From, index: number) => To,
): Promise<To[]> {
  const made: To[] = [];
  for (let index = 0; index < items.length; index += 1) {
    if (index % CHECKED_EVERY === 0) await pace();
    made.push(make(items[index]!, index));
  }
  return made;
}
