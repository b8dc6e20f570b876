/**
 * Start-time fair queueing (Goyal et al. 1996): each job gets a position one after the account's
 * last job, but never before the position that is being served; the lowest position runs first. So
 * an account with a hundred waiting jobs and one with its first alternate. Each job name has its
 * own queue.
 */
export type FairQueueRepository = {
  /** The position of the next job of this name and account. */
  nextPosition(name: string, accountId: string): Promise<number>;
  /** Records that the job at this position has started: accounts that join later begin there. */
  advance(name: string, position: number): Promise<void>;
};
