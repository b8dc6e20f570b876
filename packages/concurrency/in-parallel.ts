/**
 * Runs work for every item, at most `limit` at a time, and returns the results in the order of the
 * items. The first failure is thrown, and no further item starts after it.
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  limit: number,
  run: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const remaining = entriesOf(items);
  const runRemaining = async () => {
    // A loop that fails ends the generator, and with it the other loops.
    for (const [index, item] of remaining) results[index] = await run(item, index);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, runRemaining));
  return results;
}

function* entriesOf<Item>(items: readonly Item[]): Generator<[number, Item]> {
  yield* items.entries();
}
