import { waitInList, type Waiting } from './wait-in-list.ts';

type WaitingAmount = Waiting & { amount: number };

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
  const waiting: WaitingAmount[] = [];
  let free = total;

  const fits = ({ amount }: WaitingAmount) => amount <= free;

  const admitThoseThatFit = () => {
    for (let next = waiting.findIndex(fits); next >= 0; next = waiting.findIndex(fits)) {
      const [admitted] = waiting.splice(next, 1);
      // Subtract here, not in the waiting call: a new call could take the same amount in between.
      free -= admitted!.amount;
      admitted!.start();
    }
  };

  const take = async (amount: number, signal: AbortSignal): Promise<void> => {
    if (amount <= free) free -= amount;
    else await waitInList(waiting, { amount }, signal);
  };

  return {
    async use(requested, signal, work) {
      signal.throwIfAborted();
      const amount = Math.min(requested, total);
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
