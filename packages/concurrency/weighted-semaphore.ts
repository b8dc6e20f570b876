type Waiting = { amount: number; admit: () => void };

/** Limits the use of a resource such as memory or processes. */
type WeightedSemaphore = {
  /**
   * Runs the work as soon as `amount` is free; more than the total waits for all of it. First come,
   * first served, except that small amounts overtake a large one that does not fit yet. An aborted
   * signal throws its reason while waiting.
   */
  use<Result>(amount: number, signal: AbortSignal, work: () => Promise<Result>): Promise<Result>;
};

/** `total` has the unit of the amounts. */
export function createWeightedSemaphore(total: number): WeightedSemaphore {
  const waiting: Waiting[] = [];
  let free = total;

  const fits = ({ amount }: Waiting) => amount <= free;

  const admitThoseThatFit = () => {
    for (let next = waiting.findIndex(fits); next >= 0; next = waiting.findIndex(fits)) {
      const [admitted] = waiting.splice(next, 1);
      // Subtract here, not in the waiting call: a new call could take the same amount in between.
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
      // Admitted at the same moment: the caller gives it back.
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
