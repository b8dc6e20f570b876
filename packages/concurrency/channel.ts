import { createFlowWindow } from './flow-window.ts';

/** Carries items from writers to readers of one process, in order. One reader gets an item. */
export type Channel<Item> = AsyncIterable<Item> & {
  /** Adds an item without waiting for its reader; does nothing once the channel is over. */
  push(item: Item): void;
  /**
   * Adds an item and resolves once the unread items fit into the capacity. The result is false when
   * the channel is over, so that no reader comes for further items.
   */
  send(item: Item): Promise<boolean>;
  /** Ends the readers after the unread items. */
  close(): void;
  /** Makes the readers throw after the unread items. */
  fail(reason: unknown): void;
  /** Drops the unread items and makes the readers throw at once, even after `close` or `fail`. */
  abort(reason: unknown): void;
  /** Waits for the next item; throws the reason of `fail` or `abort`. */
  next(): Promise<IteratorResult<Item, undefined>>;
};

export type ChannelOptions<Item> = {
  /**
   * The largest sum of the sizes of unread items at which `send` does not wait. The item that
   * exceeds it is kept, so that an item of any size passes; with 0 `send` waits until its item is
   * taken. The default is unlimited.
   */
  capacity?: number;
  /** The size of an item in the unit of the capacity; the default is 1 for every item. */
  sizeOf?: (item: Item) => number;
};

type Outcome = { failure: unknown } | 'closed';

/**
 * The first of `close` and `fail` decides how the channel ends. A loop over the channel that stops
 * early closes it and drops the unread items.
 */
export function createChannel<Item>({
  capacity = Infinity,
  sizeOf = () => 1,
}: ChannelOptions<Item> = {}): Channel<Item> {
  const unread = createFifo<Item>();
  const room = createFlowWindow(capacity);
  const readers: PromiseWithResolvers<IteratorResult<Item, undefined>>[] = [];
  let outcome: Outcome | null = null;
  let isAborted = false;

  const push = (item: Item) => {
    if (outcome !== null) return;
    const reader = readers.shift();
    if (reader !== undefined) {
      reader.resolve({ done: false, value: item });
      return;
    }
    unread.add(item);
    room.add(sizeOf(item));
  };
  const finish = (how: Outcome) => {
    outcome ??= how;
    room.open();
    for (const { resolve } of readers.splice(0)) resolve(resultOf(outcome));
  };
  const next = (): Promise<IteratorResult<Item, undefined>> => {
    if (unread.length() > 0) {
      const item = unread.take();
      room.take(sizeOf(item));
      return Promise.resolve({ done: false, value: item });
    }
    if (outcome !== null) return resultOf(outcome);
    const reader = Promise.withResolvers<IteratorResult<Item, undefined>>();
    readers.push(reader);
    return reader.promise;
  };

  return {
    push,
    async send(item) {
      push(item);
      await room.waitForRoom();
      return outcome === null;
    },
    close: () => finish('closed'),
    fail: (failure) => finish({ failure }),
    abort(failure) {
      if (isAborted) return;
      isAborted = true;
      unread.clear();
      outcome = null;
      finish({ failure });
    },
    next,
    [Symbol.asyncIterator]: () => ({
      next,
      async return() {
        unread.clear();
        finish('closed');
        return { done: true, value: undefined };
      },
    }),
  };
}

async function resultOf(outcome: Outcome): Promise<{ done: true; value: undefined }> {
  if (outcome !== 'closed') throw outcome.failure;
  return { done: true, value: undefined };
}

/**
 * Items in the order of their arrival. `shift` would move all other items of a long array; a
 * reversed batch is emptied from its end instead.
 */
function createFifo<Item>() {
  let added: Item[] = [];
  let reversed: Item[] = [];
  return {
    length: () => added.length + reversed.length,
    add: (item: Item) => void added.push(item),
    /** The list must not be empty. */
    take(): Item {
      if (reversed.length === 0) {
        reversed = added.toReversed();
        added = [];
      }
      return reversed.pop() as Item;
    },
    clear() {
      added = [];
      reversed = [];
    },
  };
}
