type Waiting = { amount: number; admit: () => void };

/** Something of which there is only so much: memory, processes. */
export type WeightedSemaphore = {
  /**
   * Does the work as soon as so much is free; what needs more than there is gets all. Who asked first is served first, except that
   * what is small goes by something large that does not fit yet. An aborted signal throws its reason instead of waiting.
   */
  use<Result>(amount: number, signal: AbortSignal, work: () => Promise<Result>): Promise<Result>;
};

/** `total` in whatever unit the amounts have. */
export function createWeightedSemaphore(total: number): WeightedSemaphore {
  const waiting: Waiting[] = [];
  let free = total;

  const fits = ({ amount }: Waiting) => amount <= free;

  const admitThoseThatFit = () => {
    for (let next = waiting.findIndex(fits); next >= 0; next = waiting.findIndex(fits)) {
      const [admitted] = waiting.splice(next, 1);
      // Taken here and not by whoever waits, so that nobody who comes just now has it as well.
      free -= admitted!.amount;
      admitted!.admit();
    }
  };

  const take = async (amount: number, signal: AbortSignal): Promise<void> => {
    if (amount <= free) {
      free -= amount;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const own = { amount, admit: resolve };
    const leave = () => {
      const place = waiting.indexOf(own);
      // Admitted in the same moment, it is given back by whoever has it.
      if (place < 0) return;
      waiting.splice(place, 1);
      reject(signal.reason as Error);
    };
    waiting.push(own);
    signal.addEventListener('abort', leave, { once: true });
    try {
      await promise;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  };

  return {
    async use(wanted, signal, work) {
      signal.throwIfAborted();
      const amount = Math.min(wanted, total);
      await take(amount, signal);
      try {
        return await work();
      } finally {
        free += amount;
        admitThoseThatFit();
      }
    },
  };
}
