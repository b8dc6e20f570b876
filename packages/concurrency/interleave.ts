type Step<Item> = { index: number; result: IteratorResult<Item, unknown> };

/**
 * Yields the items of two generators in the order in which they come, and returns the results of
 * both. A generator waits until its item is taken. When one fails, or the reader leaves, `stop`
 * aborts; the failure is thrown when both have ended.
 */
export async function* interleave<Item, First, Second>(
  first: (stop: AbortSignal) => AsyncGenerator<Item, First>,
  second: (stop: AbortSignal) => AsyncGenerator<Item, Second>,
  signal: AbortSignal,
): AsyncGenerator<Item, [First, Second]> {
  const over = new AbortController();
  const stop = AbortSignal.any([signal, over.signal]);
  const sources = [first(stop), second(stop)] as const;
  const next = async (index: number): Promise<Step<Item>> => ({ index, result: await sources[index]!.next() });
  const waiting = new Map([next(0), next(1)].entries());
  const returned: unknown[] = [];
  try {
    while (waiting.size > 0) {
      const { index, result } = await Promise.race(waiting.values());
      if (result.done === true) {
        returned[index] = result.value;
        waiting.delete(index);
        continue;
      }
      yield result.value;
      waiting.set(index, next(index));
    }
    return returned as [First, Second];
  } finally {
    over.abort();
    await Promise.allSettled(sources.map((source) => source.return(undefined as never)));
  }
}
