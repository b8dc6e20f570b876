import { yieldToEventLoop } from '@jyutsing/concurrency/yield-to-event-loop';

const CHECKED_EVERY = 64;

/** Lets others run when this process has computed for long; to be awaited often, which costs next to nothing in between. */
export type Pace = () => Promise<void> | undefined;

/** The pause throws the reason of a signal that was aborted meanwhile. */
export function startPace(signal?: AbortSignal): Pace {
  return () => yieldToEventLoop()?.then(() => signal?.throwIfAborted());
}

/** As `Array.map`, with a pause now and then. */
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
