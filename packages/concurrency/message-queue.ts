/** Messages that wait for one reader, in order. */
export type MessageQueue<Message> = {
  /** Adds a message; after the end it does nothing. */
  push(message: Message): void;
  /** The reader ends after the messages that wait. */
  end(): void;
  /** The reader throws after the messages that wait. */
  fail(reason: unknown): void;
  /** To be read once. A reader that stops early ends the queue. */
  readonly messages: AsyncIterable<Message>;
};

/** Connects a writer that cannot wait with a reader that can. */
export function createMessageQueue<Message>(): MessageQueue<Message> {
  const unread: Message[] = [];
  let outcome: { failure: unknown } | 'ended' | null = null;
  let wake: (() => void) | null = null;

  const finish = (how: NonNullable<typeof outcome>) => {
    outcome ??= how;
    wake?.();
  };
  async function* read(): AsyncGenerator<Message> {
    try {
      for (;;) {
        yield* unread.splice(0);
        if (unread.length > 0) continue;
        if (outcome === 'ended') return;
        if (outcome !== null) throw outcome.failure;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      outcome ??= 'ended';
      unread.length = 0;
    }
  }

  return {
    push(message) {
      if (outcome !== null) return;
      unread.push(message);
      wake?.();
    },
    end: () => finish('ended'),
    fail: (failure) => finish({ failure }),
    messages: read(),
  };
}
