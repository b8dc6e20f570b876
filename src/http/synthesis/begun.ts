/**
 * The same items, of which the first has been made already: what fails before it is thrown here, while an answer can still have its
 * status. An item is pulled when the one before it was taken.
 */
export async function begun<Item>(items: AsyncGenerator<Item>): Promise<AsyncGenerator<Item>> {
  const first = await items.next();
  return resumed(first, items);
}

async function* resumed<Item>(first: IteratorResult<Item>, items: AsyncGenerator<Item>): AsyncGenerator<Item> {
  try {
    if (first.done === true) return;
    yield first.value;
    yield* items;
  } finally {
    await items.return(undefined);
  }
}
